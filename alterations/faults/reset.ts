// Faults of resets.
import { resetScopes } from "../../interface/resources/reboot.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, items, put, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";

export const resetFaults: readonly Fault[] = faults([
  [
    "reset-of-one-scope-does-not-wait",
    "CORE-REBOOT-30",
    "subtle",
    "A reset of one scope happens immediately, whatever `sync` is.",
    (at) =>
      at.query("resetToDefault", (query) =>
        items(query["scopes"]).length === 1 ? { ...query, sync: true } : query,
      ),
  ],
  [
    "factory-offers-system-scopes",
    "CORE-REBOOT-23",
    "plain",
    "The factory reset offers the scopes of the system reset.",
    (at) =>
      at.data("getResetCapabilities", (data) => put(data, "factory.scopes", valueAt(data, "system.scopes"))),
  ],
  [
    "unknown-scope-is-taken",
    "CORE-REBOOT-26",
    "plain",
    "An unknown scope is accepted and ignored.",
    (at) => at.lenient("resetToDefault", "query", "scopes"),
  ],
  [
    "unknown-mode-is-taken",
    "CORE-REBOOT-27",
    "plain",
    "An unknown mode is accepted as system.",
    (at) => at.lenient("resetToDefault", "query", "mode"),
  ],
  [
    "sync-reset-waits",
    "CORE-REBOOT-28",
    "plain",
    "With `sync` true, the reset comes 3 s later.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(3000, (sync) => sync === true),
      ),
  ],
  [
    "sync-reset-waits-2s",
    "CORE-REBOOT-28",
    "subtle",
    "With `sync` true, the reset comes 2 s later.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(2000, (sync) => sync === true),
      ),
  ],
  [
    "sync-reset-comes-again-3s-later",
    "CORE-REBOOT-28",
    "subtle",
    "With `sync` true, the reset comes at once, and once more 3 s later.",
    (at) => {
      // A restart would end the wait.
      const scopesInPlace = new Set<ResetScope>(["provision", "eventlog"]);
      at.product((product) => ({ ...product, conduct: { ...product.conduct, scopesInPlace } }));
      at.around("resetToDefault", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.query["sync"] === true) setTimeout(() => void proceed(call), 3000);
        return answer;
      });
    },
  ],
  [
    "scheduled-reboot-comes-after-a-reset",
    "CORE-REBOOT-31",
    "subtle",
    "A reboot at a date-time comes although the schedule was reset.",
    (at) => {
      // A restart would end the wait.
      const scopesInPlace = new Set(resetScopes.filter((scope) => scope !== "all" && scope !== "httpserver"));
      at.product((product) => ({ ...product, conduct: { ...product.conduct, scopesInPlace } }));
      let dueMs = Number.NaN;
      at.body("setReboot", (body) => {
        dueMs = Date.parse(text(body["at"]));
        return body;
      });
      at.around("resetToDefault", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const leftMs = dueMs - Date.now();
        if ([call.query["scopes"]].flat().join() === "reboot" && leftMs > 0 && leftMs < 60_000)
          setTimeout(() => void ask("setReboot", { body: { now: true } }), leftMs);
        return answer;
      });
    },
  ],
  [
    "reset-does-not-wait",
    "CORE-REBOOT-29",
    "plain",
    "With `sync` false, the reset comes at once.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(30, (sync) => sync === false),
      ),
  ],
  [
    "factory-reset-does-not-wait",
    "CORE-REBOOT-29",
    "subtle",
    "A factory reset comes at once, also with `sync` false.",
    (at) =>
      at.query("resetToDefault", (query) => (query["mode"] === "factory" ? { ...query, sync: true } : query)),
  ],
  [
    "reset-waits-2s",
    "CORE-REBOOT-29",
    "subtle",
    "With `sync` false, the reset comes after 2 s.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(2000, (sync) => sync === false),
      ),
  ],
  [
    "reset-waits-4.5s",
    "CORE-REBOOT-29",
    "subtle",
    "With `sync` false, the reset comes after 4.5 s.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(4500, (sync) => sync === false),
      ),
  ],
  [
    "reset-without-sync-does-not-wait",
    "CORE-REBOOT-30",
    "subtle",
    "Without `sync`, the reset comes at once.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(30, (sync) => sync === undefined),
      ),
  ],
  [
    "rejected-reset-resets-what-it-knows",
    "CORE-REBOOT-26",
    "subtle",
    "A reset that is rejected for an unknown scope has reset the known ones.",
    (at) => {
      at.lenient("resetToDefault", "query", "scopes");
      at.around("resetToDefault", async (call, proceed) => {
        const wanted = [call.query["scopes"] ?? []].flat();
        const scopes = wanted.filter((scope) => scope === "provision");
        if (wanted.every((scope) => resetScopes.some((known) => known === scope))) return proceed(call);
        if (scopes.length > 0) await proceed(changed(call, { query: { ...call.query, scopes } }));
        throw badInput("scopes: it is no scope");
      });
    },
  ],
  [
    "rejected-reset-comes-later",
    "CORE-REBOOT-26",
    "subtle",
    "A reset with `sync` false that is rejected for an unknown scope resets the known ones 3 s later.",
    (at) => {
      at.lenient("resetToDefault", "query", "scopes");
      at.around("resetToDefault", async (call, proceed) => {
        const wanted = [call.query["scopes"] ?? []].flat();
        const scopes = resetScopes.filter((known) => wanted.includes(known));
        if (scopes.length === wanted.length) return proceed(call);
        if (call.query["sync"] === false) await proceed(changed(call, { query: { ...call.query, scopes } }));
        throw badInput("scopes: it is no scope");
      });
    },
  ],
  [
    "reset-spares-provisioning",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope provision does not reset provisioning.",
    (at) => spares(at, "provision"),
  ],
  [
    "reset-spares-the-reboot-schedule",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope reboot does not reset the schedule.",
    (at) => spares(at, "reboot"),
  ],
  [
    "reset-spares-ssh",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope sshserver does not reset the SSH configuration.",
    (at) => spares(at, "sshserver"),
  ],
  [
    "reset-of-ssh-takes-provisioning-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope sshserver also resets provisioning.",
    (at) =>
      at.resetPart((part) =>
        part.scopes.includes("provision") ? { ...part, scopes: [...part.scopes, "sshserver"] } : part,
      ),
  ],
  [
    "reset-of-the-schedule-takes-events-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope reboot also resets the configuration of the event log.",
    (at) =>
      at.resetPart((part) =>
        part.scopes.includes("eventlog") ? { ...part, scopes: [...part.scopes, "reboot"] } : part,
      ),
  ],
  [
    "reset-of-the-console-takes-services-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope serialconsole also resets the switches of services that are not of the network.",
    (at) =>
      at.resetPart((part) =>
        part.isNetwork !== true && part.scopes.join() === "all"
          ? { ...part, scopes: ["all", "serialconsole"] }
          : part,
      ),
  ],
  [
    "reset-of-upgrades-takes-the-schedule-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope upgrade also resets the reboot schedule.",
    (at) =>
      at.resetPart((part) =>
        part.scopes.includes("reboot") ? { ...part, scopes: [...part.scopes, "upgrade"] } : part,
      ),
  ],
  [
    "reset-of-all-leaves-ssh-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all does not reset the SSH configuration.",
    leavesOutOfAll("sshserver"),
  ],
  [
    "reset-of-all-leaves-the-log-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all does not reset the log configuration.",
    leavesOutOfAll("journald"),
  ],
  [
    "reset-of-all-leaves-users-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all does not reset users and roles.",
    leavesOutOfAll("account"),
  ],
  [
    "reset-is-a-factory-reset",
    "CORE-REBOOT-34",
    "plain",
    "A reset without `mode` accepts only the scopes of a factory reset.",
    (at) => at.query("resetToDefault", (query) => ({ mode: "factory", ...query })),
  ],
  [
    "factory-takes-system-scopes",
    "CORE-REBOOT-37",
    "plain",
    "A factory reset accepts the scopes of the system reset.",
    (at) => at.query("resetToDefault", ({ mode: _mode, ...query }) => query),
  ],
  [
    "factory-reset-spares-upgrades",
    "CORE-REBOOT-39",
    "subtle",
    "A factory reset does not reset the upgrade configuration.",
    leavesOutOfAll("upgrade", "factory"),
  ],
  [
    "offered-scope-is-refused",
    "CORE-REBOOT-40",
    "subtle",
    "The scope serialconsole is offered but rejected.",
    (at) =>
      at.around("resetToDefault", (call, proceed) => {
        if (String(call.query["scopes"]).includes("serialconsole"))
          throw badInput("scopes: serialconsole is no scope");
        return proceed(call);
      }),
  ],
  [
    "two-scopes-together-are-refused",
    "CORE-REBOOT-40",
    "subtle",
    "Two scopes in one reset are rejected.",
    (at) =>
      at.around("resetToDefault", (call, proceed) => {
        const { scopes } = call.query;
        if (Array.isArray(scopes) && scopes.length > 1) throw badInput("scopes: expected one");
        return proceed(call);
      }),
  ],
  [
    "reset-before-answering",
    "CORE-REBOOT-25",
    "subtle",
    "With `sync` true, the gateway goes down before it answers.",
    (at) => {
      at.around("resetToDefault", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.query["sync"] === true) await new Promise((resolve) => setTimeout(resolve, 3000));
        return answer;
      });
    },
  ],
  [
    "reset-of-account-resets-nothing",
    "CORE-REBOOT-31",
    "subtle",
    "A reset of the scope account removes no user and no role; only one of all does.",
    (at) => leavesOut(at, "account", (isOfAll) => !isOfAll),
  ],
  [
    "reset-of-all-leaves-jobs-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset of the scope all leaves upgrade jobs, which one of the scope job removes.",
    leavesOutOfAll("job"),
  ],
  [
    "reset-of-all-leaves-services-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset of the scope all does not reset the switches of network services.",
    (at) =>
      at.resetPart((part) =>
        part.isNetwork && part.scopes.includes("all") ? { ...part, reset: () => undefined } : part,
      ),
  ],
]);

/** Answers at once and resets later, with `sync`, so that only this fault determines the delay. */
function resetsAfter(delayMs: number, isMeant: (sync: unknown) => boolean): Step {
  return (call, proceed) => {
    if (!isMeant(call.query["sync"])) return proceed(call);
    setTimeout(() => void proceed(changed(call, { query: { ...call.query, sync: true } })), delayMs);
    return { kind: "json", status: 200, body: { data: { enable: true } } };
  };
}

function spares(at: GatewayAlterations, scope: ResetScope): void {
  at.resetPart((part) => (part.scopes.includes(scope) ? { ...part, reset: () => undefined } : part));
}

/** A reset of everything omits a part; a reset with its scope alone resets it. */
function leavesOutOfAll(scope: ResetScope, mode?: "factory"): Fault["install"] {
  return (at) => leavesOut(at, scope, (isOfAll, asked) => isOfAll && (mode === undefined || asked === mode));
}

/** Omits a part of the resets that are meant: of everything or not, and of the mode. */
function leavesOut(
  at: GatewayAlterations,
  scope: ResetScope,
  isMeant: (isOfAll: boolean, mode: unknown) => boolean,
): void {
  let isOmitted = false;
  at.around("resetToDefault", (call, proceed) => {
    const { scopes, mode } = call.query;
    const isOfAll = !Array.isArray(scopes) || scopes.length === 0 || scopes.includes("all");
    isOmitted = isMeant(isOfAll, mode);
    return proceed(call);
  });
  at.resetPart((part) =>
    part.scopes.includes(scope) ? { ...part, reset: () => void (isOmitted || part.reset()) } : part,
  );
}
