// Group 11: installed apps, a state machine each.
import Type, { type Static } from "typebox";
import type { App, AppAction, ListedApp } from "../../../interface/resources/apps.ts";
import { appActionsByState, type AppState } from "../../../interface/states.ts";
import type { Foundation, Group, ServiceEffect } from "../../gateway.ts";
import { type Call, data, list } from "../../http/handler.ts";
import { badInput, notFound } from "../../http/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { type DeliveredApp, deliveredApps } from "./catalogue.ts";

export interface Apps extends Group {
  /** Whether the app that carries the tag provider runs; true for providers that no app carries. */
  isProviderRunning(provider: string): boolean;
  readonly ids: () => string[];
}

const Stable = Type.Record(Type.String(), Type.Enum(["ready", "stopped", "uninstalled"]));
type StableState = Static<typeof Stable>[string];

const passageMs = 120;
const appStop = 50;
const appStart = 51;

/** Where a passing state leads, and through which other one a restart goes first. */
const endOf: Partial<Record<AppState, StableState>> = {
  starting: "ready",
  stopping: "stopped",
  restarting: "ready",
  uninstalling: "uninstalled",
};

export function createApps(foundation: Foundation): Apps {
  const defaults = (): Record<string, StableState> =>
    Object.fromEntries(deliveredApps.map((app) => [app.id, app.initial]));
  const settled = openSetting(foundation.store, "apps", Stable, defaults);
  const passing = new Map<string, { state: AppState; timer: Disposable }>();

  const stateOf = (id: string): AppState => passing.get(id)?.state ?? settled.get()[id] ?? "uninstalled";
  const installed = (): DeliveredApp[] => deliveredApps.filter((app) => stateOf(app.id) !== "uninstalled");
  const find = (id: string): DeliveredApp => {
    const app = installed().find((one) => one.id === id);
    if (app === undefined) throw notFound(`app ${id}`);
    return app;
  };

  const pass = (app: DeliveredApp, through: AppState): void => {
    passing.get(app.id)?.timer[Symbol.dispose]();
    const target = endOf[through] ?? "stopped";
    // What was wanted is durable at once; the passage to it begins again after a power cut.
    settled.update({ [app.id]: target });
    const timer = foundation.clock.after(passageMs, () => {
      passing.delete(app.id);
      foundation.log(app.id, `the app is ${target}`);
      if (target === "ready") foundation.events.raise(appStart, { message: `${app.id} was started` });
    });
    passing.set(app.id, { state: through, timer });
    if (through !== "starting") foundation.events.raise(appStop, { message: `${app.id} was stopped` });
    foundation.log(app.id, `the app is ${through}`);
  };

  const operate = (id: string, action: AppAction): App => {
    const app = find(id);
    const state = stateOf(id);
    const through = appActionsByState[state][action];
    if (through === undefined) throw badInput(`action: ${action} is not possible while the app is ${state}`);
    if (app.isEssential && action !== "restart")
      throw badInput(
        `action: ${id} is part of the gateway and cannot be ${action === "uninstall" ? "uninstalled" : "stopped"}`,
      );
    pass(app, through);
    return single(app);
  };

  const single = (app: DeliveredApp): App => {
    const state = stateOf(app.id);
    const isRunning = state === "ready" || state === "starting" || state === "restarting";
    return {
      id: app.id,
      name: app.id,
      displayName: app.displayName,
      description: app.description,
      arch: "amd64",
      attributes: ["installed", ...(isRunning ? ["started"] : []), ...app.attributes],
      availableVersions: [],
      category: app.category,
      desiredState: isRunning ? "ready" : "stopped",
      state,
      health: state === "ready" ? "good" : "wait",
      hardwares: [],
      icon: "",
      imageSize: app.imageSize,
      license: { paid: app.paid, type: app.paid ? "propetual" : "free" },
      version: foundation.identity.version,
    };
  };
  const listed = (app: DeliveredApp): ListedApp => ({ ...single(app), menuID: app.id });

  const switchFor = (id: "modbusmaster" | "opcuaserver", appId: string): ServiceEffect => ({
    id,
    isAvailable: () => stateOf(appId) !== "uninstalled",
    isEnabled: () => ["ready", "starting", "restarting"].includes(stateOf(appId)),
    switchTo(enable) {
      pass(find(appId), enable ? "starting" : "stopping");
    },
  });

  return {
    ids: () => installed().map((app) => app.id),
    isProviderRunning(provider) {
      const app = deliveredApps.find((one) => one.providers.includes(provider));
      return app === undefined || stateOf(app.id) === "ready";
    },
    handlers: {
      listApps: () => list(installed().map(listed)),
      getApp: (call) => data(single(find(appName(call)))),
      operateApp: (call) => data(operate(appName(call), call.path["action"] as AppAction)),
    },
    services: [switchFor("modbusmaster", "modbusmaster-tcp"), switchFor("opcuaserver", "opcuaserver")],
    resetParts: [{ scopes: ["appdata"], reset: () => settled.reset() }],
    [Symbol.asyncDispose]() {
      for (const { timer } of passing.values()) timer[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

function appName(call: Call): string {
  return String(call.path["appname"]);
}
