import type { CaseContext } from "../../harness/suite/context.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";
import type { Interval } from "../../harness/measurement/interval.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";

const resetDelaySec = 3;

interface Changed {
  readonly sshPort: number;
  readonly disableAfterSec: number;
}

/** Sets two settings of different scopes to values that no default is likely to have. */
async function change({ gateway, scratch, random }: CaseContext): Promise<Changed> {
  const { admin } = gateway;
  const ssh = (await admin.call("getSsh")).data();
  const provision = (await admin.call("getProvision")).data();
  scratch.undo("SSH configuration", () => admin.call("setSsh", { json: ssh }));
  scratch.undo("provisioning configuration", () => admin.call("setProvision", { json: provision }));
  const changed = {
    sshPort: random.integer(20_000, 60_000),
    disableAfterSec: random.integer(10_000, 80_000),
  };
  (await admin.call("setSsh", { json: { enable: ssh.enable, port: changed.sshPort } })).data();
  (
    await admin.call("setProvision", {
      json: {
        enable: provision.enable,
        schedule: { enable: false, disableAfterSec: changed.disableAfterSec },
      },
    })
  ).data();
  return changed;
}

/** Polls until the first sign of the reset: a changed setting, or no accepted answer any more. */
async function firstSign(
  { gateway, clock, signal }: CaseContext,
  changed: Changed,
  scope: ResetScope,
  sinceMs: number,
  deadlineMs: number,
): Promise<Interval | undefined> {
  let lowMs = sinceMs;
  while (clock.nowMs() - sinceMs < deadlineMs) {
    const answer =
      scope === "sshserver"
        ? await gateway.admin.call("getSsh", { patienceMs: 1000 })
        : await gateway.admin.call("getProvision", { patienceMs: 1000 });
    const { startedMs, durationMs } = answer.exchange;
    const data = (
      answer.json as { data?: { port?: number; schedule?: { disableAfterSec?: number } } } | undefined
    )?.data;
    const isAsSet =
      answer.accepted &&
      (scope === "sshserver"
        ? data?.port === changed.sshPort
        : data?.schedule?.disableAfterSec === changed.disableAfterSec);
    if (!isAsSet) return { low: lowMs, high: startedMs + durationMs };
    lowMs = startedMs;
    await clock.delay(5, signal);
  }
  return undefined;
}

async function settled({ gateway, waitFor, profile }: CaseContext): Promise<void> {
  gateway.signInsWereLost();
  await waitFor(
    "the gateway to answer the administrator after the reset",
    async () =>
      (await gateway.admin.call("getSsh", { patienceMs: 2000 }).catch(() => undefined))?.accepted === true
        ? true
        : undefined,
    { deadlineMs: profile.patience.bootMs, everyMs: 100 },
  );
}

async function resetsScope(
  context: CaseContext,
  scope: "sshserver" | "provision",
  sync: boolean | undefined,
  requirement: string,
): Promise<void> {
  const { gateway, profile, verify, notApplicable } = context;
  const capabilities = (await gateway.admin.call("getResetCapabilities")).data();
  if (!capabilities.system.isSupported || !capabilities.system.scopes.includes(scope))
    notApplicable(`the gateway does not offer the reset scope ${scope}`);
  const changed = await change(context);
  const answer = await gateway.admin.call("resetToDefault", {
    query: { mode: "system", scopes: [scope], ...(sync === undefined ? {} : { sync }) },
  });
  const { startedMs, durationMs } = answer.exchange;
  if (answer.status !== 0 || sync !== true) {
    if (!verify(requirement).accepted(answer)) return;
  }
  const sign = await firstSign(context, changed, scope, startedMs, 20_000);
  if (sign === undefined) {
    verify("CORE-REBOOT-31").that(false, {
      what: `the settings of the scope ${scope}`,
      expected: "back at their defaults",
      observed: "unchanged for 20 s after the reset",
      evidence: answer,
    });
    return;
  }
  const tolerance = profile.tolerances.resetDelaySec;
  verify(requirement).within(
    {
      name: `delay from the request to the reset of ${scope}${sync === true ? " with sync" : ""}`,
      unit: "s",
      interval: {
        low: Math.max(0, (sign.low - startedMs - durationMs) / 1000),
        high: (sign.high - startedMs) / 1000,
      },
      limits:
        sync === true
          ? { low: 0, high: resetDelaySec - tolerance }
          : { low: resetDelaySec - tolerance, high: resetDelaySec + tolerance },
      observers: ["state polled"],
    },
    answer,
  );
  // A reset may end in a reboot that begins a moment later; the settings are read when the gateway has settled.
  await context.clock.delay(500, context.signal);
  await settled(context);
  const ssh = (await gateway.admin.call("getSsh")).data();
  const provision = (await gateway.admin.call("getProvision")).data();
  const isSsh = scope === "sshserver";
  verify("CORE-REBOOT-31").that(
    isSsh ? ssh.port !== changed.sshPort : provision.schedule.disableAfterSec !== changed.disableAfterSec,
    {
      what: `the setting of the scope ${scope} that had been changed`,
      expected: "no longer the changed value",
      observed: isSsh ? ssh : provision,
    },
  );
  verify("CORE-REBOOT-32").equal(
    isSsh ? provision.schedule.disableAfterSec : ssh.port,
    isSsh ? changed.disableAfterSec : changed.sshPort,
    `the setting of the scope ${isSsh ? "provision" : "sshserver"} after a reset of ${scope}`,
  );
}

const disruptive = {
  group: "reboot",
  effect: "resets",
  touches: ["everything"],
  deadlineMs: 180_000,
} as const;
const needs = ["reset", "disruptive-reset", "ssh", "provision"] as const;

export const resetCases: readonly TestCase[] = [
  testCase({
    id: "reset/factory-offers-only-all",
    title: "A factory reset offers and takes only the scope all; unknown modes and scopes are refused",
    group: "reboot",
    requirements: ["CORE-REBOOT-23", "CORE-REBOOT-26", "CORE-REBOOT-27", "CORE-REBOOT-37"],
    effect: "reversible",
    touches: ["ssh"],
    capabilities: ["reset"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("getResetCapabilities");
      const { factory } = answer.data();
      verify("CORE-REBOOT-23").equal(
        factory.isSupported ? factory.scopes : ["all"],
        ["all"],
        "scopes of a factory reset",
        answer,
      );
      const before = (await gateway.admin.call("getSsh")).data();
      verify("CORE-REBOOT-26").refused(
        await gateway.admin.callInvalid("resetToDefault", {
          query: { mode: "system", sync: true, scopes: ["nosuchscope"] },
        }),
      );
      verify("CORE-REBOOT-27").refused(
        await gateway.admin.callInvalid("resetToDefault", {
          query: { mode: "nosuchmode", sync: true, scopes: ["nosuchscope"] },
        }),
      );
      verify("CORE-REBOOT-37").refused(
        await gateway.admin.call("resetToDefault", {
          query: { mode: "factory", sync: true, scopes: ["journald"] },
        }),
      );
      verify("CORE-REBOOT-37").equal(
        (await gateway.admin.call("getSsh")).data(),
        before,
        "the SSH configuration after the refused resets",
      );
    },
  }),
  testCase({
    ...disruptive,
    id: "reset/sync-resets-at-once",
    title: "With sync a reset of one scope happens at once, and leaves the other scopes alone",
    requirements: ["CORE-REBOOT-28", "CORE-REBOOT-31", "CORE-REBOOT-32"],
    capabilities: needs,
    run: (context) => resetsScope(context, "sshserver", true, "CORE-REBOOT-28"),
  }),
  testCase({
    ...disruptive,
    id: "reset/without-sync-waits-3s",
    title: "With sync false a reset of one scope waits 3 s, and leaves the other scopes alone",
    requirements: ["CORE-REBOOT-29", "CORE-REBOOT-31", "CORE-REBOOT-32"],
    capabilities: needs,
    run: (context) => resetsScope(context, "provision", false, "CORE-REBOOT-29"),
  }),
  testCase({
    ...disruptive,
    id: "reset/default-waits-3s",
    title: "Without sync a reset waits 3 s, because sync is false by default",
    requirements: ["CORE-REBOOT-30", "CORE-REBOOT-31", "CORE-REBOOT-32"],
    capabilities: needs,
    run: (context) => resetsScope(context, "sshserver", undefined, "CORE-REBOOT-30"),
  }),
  testCase({
    ...disruptive,
    id: "reset/all-resets-everything",
    title: "A reset with the scope all brings settings of every scope back to their defaults",
    requirements: ["CORE-REBOOT-33"],
    capabilities: [...needs, "factory-reset", "roles"],
    async run(context) {
      const { gateway, scratch, verify } = context;
      const changed = await change(context);
      const role = await scratch.role([]);
      const answer = await gateway.admin.call("resetToDefault", {
        query: { mode: "system", sync: true, scopes: ["all"] },
      });
      if (answer.status !== 0 && !verify("CORE-REBOOT-33").accepted(answer)) return;
      await context.clock.delay(500, context.signal);
      await settled(context);
      const { admin } = gateway;
      const port = (await admin.call("getSsh")).data().port;
      verify("CORE-REBOOT-33").that(port !== changed.sshPort, {
        what: "the SSH port after a reset of all",
        expected: "no longer the changed one",
        observed: port,
      });
      const seconds = (await admin.call("getProvision")).data().schedule.disableAfterSec;
      verify("CORE-REBOOT-33").that(seconds !== changed.disableAfterSec, {
        what: "disableAfterSec after a reset of all",
        expected: "no longer the changed one",
        observed: seconds,
      });
      const roles = (await admin.call("listRoles")).data().map(({ name }) => name);
      verify("CORE-REBOOT-33").that(!roles.includes(role.name), {
        what: "a role that had been created, after a reset of all",
        expected: "gone",
        observed: roles,
      });
    },
  }),
];
