import {
  type Answer,
  type CaseContext,
  type Members,
  type RestartWatch,
  type SettingName,
  settingNames,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { ResetMode, ResetScope } from "../../interface/resources/reboot.ts";
import { watchCertificate } from "../httpserver/ownCertificate.ts";
import { type CreatedKind, createThings, laterReading } from "../support/createdThings.ts";
import { canMoveHttps, type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import {
  defaultsAfter,
  statedDefaultRequirements,
  verifyReset,
  verifySameDefaults,
  verifyStatedDefaults,
} from "./defaults.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { invertEventKinds, verifyKindDefaults } from "./kindDefaults.ts";
import {
  createForScopes,
  createMayRemain,
  removedKinds,
  verifyContained,
  watchNamedThings,
} from "./removedByAll.ts";
import { firstSign, settledAfterReset, signWithinMs, verifyResetTime } from "./resetSign.ts";
import { watchSwitchDefaults } from "./switchDefaults.ts";
import { resetsScopes } from "./scopeReset.ts";

/**
 * Resets everything and checks that changed settings and created roles are gone. `isTwice`: a second reset from other
 * values must have the same result, which shows the members whose default the first values may have been. `waits`: the
 * requirement on the time of a reset that waits; without it the reset is an immediate one.
 */
async function resetsEverything(
  context: CaseContext,
  mode: ResetMode,
  requirement: string,
  { isTwice = false, waits }: { readonly isTwice?: boolean; readonly waits?: string } = {},
): Promise<void> {
  const { gateway, verify, scratch, declares, notApplicable } = context;
  const capability = (await gateway.admin.call("getResetCapabilities")).data()[mode];
  if (!capability.isSupported || !capability.scopes.includes("all"))
    notApplicable(`the reset capabilities offer no ${mode} reset with the scope all`);
  const role = declares("roles") ? await scratch.role([]) : undefined;
  const created = await createThings(context, ["user", "virtual tag"]);
  const mayRemain = isTwice ? await createMayRemain(context) : [];
  // Before the settings: some settings follow the switch of a service.
  const invertAnew = isTwice ? await watchSwitchDefaults(context) : undefined;
  const resetAll = async (marked: readonly MarkedSetting[]): Promise<Answer | undefined> => {
    await using watch = await gateway.watchForRestart();
    const answer = await gateway.admin.call("resetToDefault", {
      query: { mode, sync: waits === undefined, scopes: ["all"] },
    });
    if (answer.status !== 0 && !verify(requirement).accepted(answer)) return undefined;
    if (waits !== undefined) await verifyWait(context, watch, waits, { marked, mode, answer });
    await settledAfterReset(context, watch, ["all"]);
    for (const setting of marked) verifyReset(context, requirement, setting, await setting.read(), answer);
    return answer;
  };
  const marked = await markSettings(context, settingNames);
  if (marked.length === 0 && role === undefined)
    notApplicable("the profile declares no setting or role to compare");
  const inverted = await invertEventKinds(context);
  const answer = await resetAll(marked);
  if (answer === undefined) return;
  await verifyStatedDefaults(context, marked, answer);
  await verifyKindDefaults(context, inverted, answer);
  if (role !== undefined) {
    const roles = (await gateway.admin.call("listRoles")).data().map(({ name }) => name);
    verify(requirement).that(!roles.includes(role.name), {
      what: "names of roles after a reset of the scope all",
      expected: `without ${role.name}`,
      observed: roles,
      evidence: answer,
    });
  }
  for (const thing of created)
    verify(requirement).equal(
      await laterReading(context, { ...thing, expected: "absent" }),
      "absent",
      `${thing.what} after a reset of the scope all`,
      answer,
    );
  await verifyContained(context, requirement, mayRemain, capability.scopes);
  if (invertAnew === undefined) return;
  const defaults = await defaultsAfter(marked);
  const verifySwitchDefaults = await invertAnew();
  const again = await markSettings(context, settingNames);
  const second = await resetAll(again);
  if (second === undefined) return;
  await verifySameDefaults(context, requirement, again, defaults, second);
  await verifySwitchDefaults(requirement, second);
}

/** Watches the certificate where a scope contains it and the suite has set one with its name. */
async function watchMarkedCertificate(
  context: CaseContext,
  scopes: readonly ResetScope[],
  marked: readonly MarkedSetting[],
): Promise<((answer: Answer) => Promise<void>) | undefined> {
  const server = marked.find(({ name }) => name === "http-server");
  if (!scopes.includes("httpserver") || server === undefined || !canMoveHttps(context)) return undefined;
  const { certFileName, keyFileName } = server.value;
  return watchCertificate(context, {
    certFilename: String(certFileName),
    keyFilename: String(keyFileName),
  });
}

/** Checks that a reset of everything waits 3 s; how long it then takes is not stated. */
async function verifyWait(
  context: CaseContext,
  watch: RestartWatch,
  requirement: string,
  reset: { readonly marked: readonly MarkedSetting[]; readonly mode: ResetMode; readonly answer: Answer },
): Promise<void> {
  const { verify, profile } = context;
  const { marked, mode, answer } = reset;
  const [first] = marked;
  const what = `all, with mode ${mode}`;
  const sign =
    first === undefined || !answer.accepted
      ? undefined
      : await firstSign(context, watch, first, answer.exchange.startedMs, signWithinMs(context));
  // A reset that does not come fails by the settings that it leaves.
  if (sign === undefined)
    verify(requirement).notApplicable(`delay of a reset of ${what}`, "no reset was seen");
  else
    verifyResetTime(context, requirement, {
      answer,
      sign,
      what,
      isSync: false,
      mayTakeSec: (2 * profile.patience.settleMs) / 1000,
    });
}

const disruptive = {
  group: "reboot",
  effect: "resets",
  touches: ["everything"],
  capabilities: ["reset", "disruptive-reset"],
  tags: ["timing"],
  deadlineMs: 240_000,
} as const;
const whatIsReset = ["CORE-REBOOT-31", "CORE-REBOOT-32"] as const;

export const resetCases: readonly TestCase[] = [
  testCase({
    id: "reset/factory-offers-only-all",
    title: "A supported factory reset offers only the scope all",
    group: "reboot",
    requirements: ["CORE-REBOOT-23"],
    effect: "read-only",
    touches: [],
    capabilities: ["reset"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("getResetCapabilities");
      const { factory } = answer.data();
      const expected = factory.isSupported ? ["all"] : factory.scopes.filter((scope) => scope === "all");
      verify("CORE-REBOOT-23").equal(factory.scopes, expected, "`scopes` of the factory reset", answer);
    },
  }),
  testCase({
    ...disruptive,
    id: "reset/unknown-words-are-refused",
    title: "Unknown reset modes and scopes are rejected and reset no setting",
    requirements: ["CORE-REBOOT-26", "CORE-REBOOT-27", "CORE-REBOOT-37"],
    async run(context) {
      const { gateway, verify } = context;
      const marked = await markSettings(context, ["provision", "ssh"]);
      const { system } = (await gateway.admin.call("getResetCapabilities")).data();
      const own = marked.flatMap(({ scope }) =>
        scope !== undefined && system.scopes.includes(scope) ? [scope] : [],
      );
      const similar = own.flatMap((scope) => [scope.slice(0, -1), `${scope}x`]);
      for (const [requirement, query] of [
        ["CORE-REBOOT-26", { mode: "system", sync: true, scopes: ["nosuchscope"] }],
        ...similar.map((word) => ["CORE-REBOOT-26", { mode: "system", sync: true, scopes: [word] }] as const),
        // Beside scopes that the gateway offers, before and after them.
        ["CORE-REBOOT-26", { mode: "system", sync: true, scopes: [...own, "nosuchscope"] }],
        ["CORE-REBOOT-26", { mode: "system", sync: true, scopes: ["nosuchscope", ...own] }],
        ...["nosuchmode", "syste", "systemx"].map(
          (mode) => ["CORE-REBOOT-27", { mode, sync: true, scopes: ["provision"] }] as const,
        ),
        ["CORE-REBOOT-37", { mode: "factory", sync: true, scopes: ["journald"] }],
      ] as const) {
        await using watch = await gateway.watchForRestart();
        const answer = await gateway.admin.callInvalid("resetToDefault", { query });
        // A gateway that accepted it may be about to restart.
        if (!verify(requirement).refused(answer)) return await settledAfterReset(context, watch, []);
        for (const setting of marked)
          verify(requirement).equal(
            await setting.read(),
            setting.value,
            `${setting.what} after a rejected reset`,
            answer,
          );
      }
    },
  }),
  // Before the other resets: whether a gateway restarts after a reset is found here, over all scopes.
  testCase({
    ...disruptive,
    id: "reset/every-offered-scope-is-taken",
    title: "A reset accepts every scope listed in the reset capabilities",
    requirements: ["CORE-REBOOT-31", "CORE-REBOOT-40"],
    capabilities: ["reset", "disruptive-reset", "factory-reset"],
    async run(context) {
      notOnSmoke(context);
      const { gateway, verify, notApplicable } = context;
      const { system } = (await gateway.admin.call("getResetCapabilities")).data();
      const isSweeping = (scope: ResetScope): boolean => scope === "all" || scope === "keep-network-setting";
      const sweeping = system.scopes.filter(isSweeping);
      const single = system.scopes.filter((scope) => !isSweeping(scope));
      if (!system.isSupported || system.scopes.length === 0)
        notApplicable("the reset capabilities offer no scope of a system reset");
      let defaults = new Map<SettingName, Members>();
      let isShown = false;
      const swept = sweeping.length === 0 ? [] : await createForScopes(context);
      let removed: ReadonlySet<CreatedKind> = new Set();
      // Every scope together may be what `all` is: of what has no scope of its own nothing follows.
      for (const scopes of [sweeping, single]) {
        if (scopes.length === 0) continue;
        const marked = await markSettings(context, settingNames);
        const verifyNamed = scopes === single ? await watchNamedThings(context, scopes, removed) : undefined;
        const verifyCertificate = await watchMarkedCertificate(context, scopes, marked);
        await using watch = await gateway.watchForRestart();
        const answer = await gateway.admin.call("resetToDefault", {
          query: { mode: "system", sync: true, scopes },
        });
        const isAccepted = answer.accepted || answer.status === 0;
        verify("CORE-REBOOT-40").that(isAccepted, {
          what: `answer to a system reset of the offered scopes ${scopes.join(", ")}`,
          expected: "2xx, or none because of an immediate reset",
          observed: answer.summary(),
          evidence: answer,
        });
        if (!isAccepted) continue;
        await settledAfterReset(context, watch, scopes, { isThorough: true });
        if (scopes === sweeping) {
          defaults = await defaultsAfter(marked);
          removed = await removedKinds(swept);
          continue;
        }
        await verifyNamed?.(answer);
        await verifyCertificate?.(answer);
        const named = marked.filter(({ scope }) => scope !== undefined && scopes.includes(scope));
        for (const setting of named)
          verifyReset(context, "CORE-REBOOT-31", setting, await setting.read(), answer);
        await verifySameDefaults(context, "CORE-REBOOT-31", named, defaults, answer);
        isShown = named.length > 0;
      }
      if (!isShown)
        verify("CORE-REBOOT-31").notApplicable(
          "settings after a reset of every offered scope",
          "no offered scope is named after a setting that the profile declares",
        );
    },
  }),
  testCase({
    ...disruptive,
    id: "reset/sync-resets-at-once",
    title: "`sync` true resets one scope immediately and leaves other scopes unchanged",
    requirements: ["CORE-EVENT-28", "CORE-REBOOT-25", "CORE-REBOOT-28", "CORE-REBOOT-34", ...whatIsReset],
    run: (context) =>
      resetsScopes(context, {
        choices: [["provision", "event-configuration"], ["provision"], ["ssh"], ["reboot-schedule"]],
        sync: true,
        timing: "CORE-REBOOT-28",
        acceptance: ["CORE-REBOOT-34"],
        streams: "CORE-EVENT-28",
      }),
  }),
  testCase({
    ...disruptive,
    id: "reset/without-sync-waits-3s",
    title: "`sync` false resets exactly the named scopes after 3 seconds",
    requirements: ["CORE-REBOOT-25", "CORE-REBOOT-26", "CORE-REBOOT-29", "CORE-REBOOT-40", ...whatIsReset],
    run: (context) =>
      resetsScopes(context, {
        choices: [
          ["reboot-schedule", "upgrade-configuration"],
          ["reboot-schedule", "provision"],
          ["ssh", "provision"],
          ["provision"],
          ["ssh"],
          ["reboot-schedule"],
        ],
        mode: "system",
        sync: false,
        timing: "CORE-REBOOT-29",
        acceptance: ["CORE-REBOOT-40"],
        rejected: ["provision", "ssh"],
        written: "ssh",
      }),
  }),
  testCase({
    ...disruptive,
    id: "reset/default-waits-3s",
    title: "A reset without `sync` waits 3 seconds",
    requirements: ["CORE-REBOOT-25", "CORE-REBOOT-30", ...whatIsReset],
    async run(context) {
      notOnSmoke(context);
      await resetsScopes(context, {
        choices: [["ssh"], ["provision"], ["reboot-schedule"]],
        mode: "system",
        timing: "CORE-REBOOT-30",
        waitsToo: ["provision", "reboot-schedule"],
      });
    },
  }),
  testCase({
    ...disruptive,
    id: "reset/all-resets-everything",
    title: "A system reset of the scope all resets all settings",
    requirements: ["CORE-REBOOT-33", ...statedDefaultRequirements, "CORE-EVENT-75"],
    capabilities: ["reset", "disruptive-reset", "factory-reset"],
    run: (context) =>
      resetsEverything(context, "system", "CORE-REBOOT-33", { isTwice: context.level !== "smoke" }),
  }),
  testCase({
    ...disruptive,
    id: "reset/factory-resets-everything",
    title: "A factory reset resets all settings",
    requirements: ["CORE-REBOOT-29", "CORE-REBOOT-39", ...statedDefaultRequirements, "CORE-EVENT-75"],
    capabilities: ["reset", "disruptive-reset", "factory-reset"],
    run: (context) => resetsEverything(context, "factory", "CORE-REBOOT-39", { waits: "CORE-REBOOT-29" }),
  }),
];
