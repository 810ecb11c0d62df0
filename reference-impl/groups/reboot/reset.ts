// Group 5, second half: reset to default, scope by scope.
import Type from "typebox";
import { type ResetMode, type ResetScope, resetScopes } from "../../../interface/resources/reboot.ts";
import type { Foundation, Group, ResetPart } from "../../foundation/gateway.ts";
import { data, type Handler } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";

/** "Limits": without `sync` a reset waits this long. */
const resetDelayMs = 3000;

export interface ResetSurroundings {
  readonly parts: () => readonly ResetPart[];
  readonly rebootAfterAnswer: (reason: string) => void;
}

const Switch = Type.Object({ enable: Type.Boolean() });

/**
 * A reset ends in a reboot unless all of its scopes take effect in place. With `sync` it is done when the answer
 * goes out; without, 3 s later.
 */
export function createReset(foundation: Foundation, surroundings: ResetSurroundings): Group {
  const { scopesInPlace } = foundation.product.conduct;
  const discovery = openSetting(foundation.store, "discovery", Switch, () => ({ enable: true }));
  const serialConsole = openSetting(foundation.store, "serialconsole", Switch, () => ({ enable: true }));
  const waiting = new Map<ReadonlySet<ResetScope>, Disposable>();

  const resetParts = (scopes: ReadonlySet<ResetScope>): void => {
    const keepNetwork = scopes.has("keep-network-setting");
    // `keep-network-setting` alone is a reset of everything but the network.
    const everything = scopes.has("all") || (keepNetwork && scopes.size === 1);
    foundation.store.transaction(() => {
      for (const part of surroundings.parts()) {
        const isNamed = everything || part.scopes.some((scope) => scopes.has(scope));
        if (isNamed && !(keepNetwork && part.isNetwork === true)) part.reset();
      }
    });
    foundation.log("system", `reset to default: ${[...scopes].join(", ")}`);
  };
  const reset = (scopes: ReadonlySet<ResetScope>): void => {
    resetParts(scopes);
    if ([...scopes].every((scope) => scopesInPlace.has(scope))) return;
    // Pending resets were accepted: the reboot must not lose them.
    for (const [others, timer] of waiting) {
      timer[Symbol.dispose]();
      resetParts(others);
    }
    waiting.clear();
    surroundings.rebootAfterAnswer(`reset to default: ${[...scopes].join(", ")}`);
  };
  const resetLater = (scopes: ReadonlySet<ResetScope>): void => {
    const timer = foundation.clock.after(resetDelayMs, () => {
      waiting.delete(scopes);
      reset(scopes);
    });
    waiting.set(scopes, timer);
  };

  const toggle = (setting: typeof discovery): { get: Handler; set: Handler } => ({
    get: () => data(setting.get()),
    set(call) {
      const { enable } = call.body;
      if (typeof enable !== "boolean") throw badInput("enable: expected boolean");
      setting.set({ enable });
      return data(setting.get());
    },
  });
  const discoverySwitch = toggle(discovery);
  const serialConsoleSwitch = toggle(serialConsole);

  return {
    handlers: {
      getResetCapabilities: () =>
        data({
          factory: { isSupported: true, scopes: ["all"] },
          system: { isSupported: true, scopes: [...resetScopes] },
        }),
      resetToDefault(call) {
        const query = call.query as { mode?: ResetMode; sync?: boolean; scopes?: ResetScope[] };
        const scopes = new Set<ResetScope>(
          query.scopes === undefined || query.scopes.length === 0 ? ["all"] : query.scopes,
        );
        if (query.mode === "factory" && (scopes.size !== 1 || !scopes.has("all")))
          throw badInput("scopes: a factory reset takes only all");
        if (query.sync === true) reset(scopes);
        else resetLater(scopes);
        return data({ enable: true });
      },
      getDiscovery: discoverySwitch.get,
      setDiscovery: discoverySwitch.set,
      getSerialConsole: serialConsoleSwitch.get,
      setSerialConsole: serialConsoleSwitch.set,
    },
    resetParts: [
      { scopes: ["discovery"], reset: () => discovery.reset() },
      { scopes: ["serialconsole"], reset: () => serialConsole.reset() },
    ],
    [Symbol.asyncDispose]() {
      for (const timer of waiting.values()) timer[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
