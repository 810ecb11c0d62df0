// Group 11: installed apps and what may be done with them.
import type { App, AppAction, ListedApp } from "../../../interface/resources/apps.ts";
import type { AppState } from "../../../interface/states.ts";
import type { Foundation, Group, ServiceEffect } from "../../foundation/gateway.ts";
import { type Call, data, list } from "../../http/handler.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import type { InstalledApp } from "../../product/apps.ts";
import { AppStates, type Cause } from "./appStates.ts";

export interface Apps extends Group {
  /** Whether the app that carries the tag provider runs; true for providers that no app carries. */
  isProviderRunning(provider: string): boolean;
  isRunning(id: string): boolean;
  /** Reports that an app ended by itself; it is restarted. No effect on an app that does not run. */
  crashed(id: string, reason: string): void;
  readonly ids: () => string[];
}

const started: ReadonlySet<AppState> = new Set(["ready", "starting", "restarting", "recovering"]);

export function createApps(foundation: Foundation): Apps {
  const states = new AppStates(foundation);
  const { apps: delivered, conduct } = foundation.product;
  const installed = (): InstalledApp[] => delivered.filter((app) => states.of(app.id) !== "uninstalled");
  const shown = (): readonly InstalledApp[] => (conduct.keepsAppEntries ? delivered : installed());
  const find = (id: string): InstalledApp => {
    const app = shown().find((one) => one.id === id);
    if (app === undefined) throw notFound(`app ${id}`);
    return app;
  };

  const operate = (id: string, action: AppAction, cause: Cause): App => {
    const app = find(id);
    if (app.isEssential && (action === "stop" || action === "uninstall")) {
      const done = action === "stop" ? "stopped" : "uninstalled";
      throw badInput(`action: ${id} is part of the gateway and cannot be ${done}`);
    }
    const isEarly = conduct.keepsAppEntries && action === "uninstall" && states.of(id) !== "stopped";
    if (isEarly || !states.operate(id, action, cause))
      throw badInput(`action: ${action} is not possible while the app is ${states.of(id)}`);
    return single(app);
  };

  const single = (app: InstalledApp): App => {
    const state = states.of(app.id);
    return {
      id: app.id,
      name: app.id,
      displayName: app.displayName,
      description: app.description,
      arch: "amd64",
      attributes: [
        ...(state === "uninstalled" ? [] : ["installed"]),
        ...(started.has(state) ? ["started"] : []),
        ...app.attributes,
      ],
      availableVersions: [],
      category: app.category,
      desiredState: states.desired(app.id),
      state,
      health: state === "ready" ? "good" : state === "recovering" ? "error" : "wait",
      hardwares: [],
      icon: "",
      imageSize: app.imageSize,
      license: { paid: app.paid, type: app.paid ? "propetual" : "free" },
      version: foundation.identity.version,
    };
  };
  const listed = (app: InstalledApp): ListedApp => ({ ...single(app), menuID: app.id });

  const switchFor = (id: "modbusmaster" | "opcuaserver", appIds: readonly string[]): ServiceEffect => {
    const present = (): string[] => appIds.filter((appId) => states.of(appId) !== "uninstalled");
    return {
      id,
      isAvailable: () => present().length > 0,
      isEnabled: () => present().some((appId) => states.desired(appId) === "ready"),
      switchTo(enable) {
        if (present().length === 0) throw notFound(`app ${appIds.join(", ")}`);
        for (const appId of present()) states.bring(appId, enable ? "ready" : "stopped");
      },
    };
  };

  return {
    ids: () => installed().map((app) => app.id),
    isProviderRunning(provider) {
      const app = delivered.find((one) => one.providers.includes(provider));
      return app === undefined || states.of(app.id) === "ready";
    },
    isRunning: (id) => states.of(id) === "ready",
    crashed: (id, reason) => states.crashed(id, reason),
    handlers: {
      listApps: () => list(shown().map(listed)),
      getApp: (call) => data(single(find(appName(call)))),
      operateApp: (call) => data(operate(appName(call), call.path["action"] as AppAction, causeOf(call))),
    },
    services: [
      switchFor("modbusmaster", ["modbusmaster-tcp", "modbusmaster-serial"]),
      switchFor("opcuaserver", ["opcuaserver"]),
    ],
    start() {
      for (const { id } of installed()) foundation.log(id, `${id} is ${states.of(id)}`);
    },
    resetParts: [{ scopes: ["appdata"], reset: () => states.reset() }],
    [Symbol.asyncDispose]() {
      states[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

function appName(call: Call): string {
  return String(call.path["appname"]);
}

function causeOf({ caller, address }: Call): Cause {
  return caller === undefined ? {} : { user: caller.name, userOrigin: address };
}
