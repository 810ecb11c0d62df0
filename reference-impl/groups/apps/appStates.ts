// The state machine of the installed apps: the desired state is durable, the transition takes a short time.
import Type, { type Static } from "typebox";
import type { AppAction } from "../../../interface/resources/apps.ts";
import { appActionsByState, type AppState } from "../../../interface/states.ts";
import type { Foundation } from "../../foundation/gateway.ts";
import { openSetting, type Setting } from "../../store/setting.ts";

const Desired = Type.Record(Type.String(), Type.Enum(["ready", "stopped", "uninstalled"]));
export type DesiredState = Static<typeof Desired>[string];

/** Who caused a change of an app, for the event log; empty for the gateway itself. */
export interface Cause {
  readonly user?: string;
  readonly userOrigin?: string;
}

const appStop = 50;
const appStart = 51;
const appCrash = 52;
const recoverMs = 1000;

/** Transient states: their duration and the state that follows. */
const passages: Partial<Record<AppState, { readonly ms: number; readonly to: DesiredState }>> = {
  starting: { ms: 120, to: "ready" },
  stopping: { ms: 60, to: "stopped" },
  restarting: { ms: 180, to: "ready" },
  uninstalling: { ms: 200, to: "uninstalled" },
  recovering: { ms: recoverMs, to: "ready" },
};

export class AppStates implements Disposable {
  readonly #foundation: Foundation;
  readonly #desired: Setting<Static<typeof Desired>>;
  /** The present value of the setting: it is asked before every poll of a field device. */
  #wanted: Static<typeof Desired>;
  readonly #passing = new Map<string, { readonly state: AppState; readonly timer: Disposable }>();

  /** After a boot every app is in its desired state. */
  constructor(foundation: Foundation) {
    this.#foundation = foundation;
    this.#desired = openSetting(foundation.store, "apps", Desired, () => ({}));
    this.#wanted = this.#desired.get();
  }

  of(id: string): AppState {
    return this.#passing.get(id)?.state ?? this.desired(id);
  }

  /** The desired state of the app; as delivered until an action changes it. */
  desired(id: string): DesiredState {
    const delivered = this.#foundation.product.apps.find((app) => app.id === id);
    return delivered === undefined ? "uninstalled" : (this.#wanted[id] ?? delivered.initial);
  }

  /** Begins the action; false when it is not possible in the present state. */
  operate(id: string, action: AppAction, cause: Cause): boolean {
    const state = appActionsByState[this.of(id)][action];
    if (state === undefined) return false;
    this.#pass(id, state, cause);
    return true;
  }

  /** Starts or stops the app whatever its state, unless that is its desired state already. */
  bring(id: string, wanted: "ready" | "stopped"): void {
    if (this.desired(id) !== wanted) this.#pass(id, wanted === "ready" ? "starting" : "stopping", {});
  }

  crashed(id: string, reason: string): void {
    if (this.of(id) !== "ready") return;
    this.#foundation.events.raise(appCrash, { message: `${id} ended unexpectedly: ${reason}` });
    this.#pass(id, "recovering", {});
  }

  /** Every app as delivered. */
  reset(): void {
    this[Symbol.dispose]();
    this.#desired.reset();
    this.#wanted = this.#desired.get();
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#passing.values()) timer[Symbol.dispose]();
    this.#passing.clear();
  }

  #pass(id: string, state: AppState, cause: Cause): void {
    const passage = passages[state];
    if (passage === undefined) return;
    const { events, clock } = this.#foundation;
    const before = this.of(id);
    this.#passing.get(id)?.timer[Symbol.dispose]();
    // The desired state is durable at once: a power cut during the transition does not restore the old one.
    if (this.desired(id) !== passage.to) this.#wanted = this.#desired.update({ [id]: passage.to });
    const timer = clock.after(passage.ms * this.#foundation.product.conduct.appSlowness, () => {
      this.#passing.delete(id);
      this.#foundation.log(id, `the app is ${passage.to}`);
      if (passage.to === "ready") events.raise(appStart, { message: `${id} was started`, ...cause });
    });
    this.#passing.set(id, { state, timer });
    this.#foundation.log(id, `the app is ${state}`);
    const isOrderly = state !== "recovering" && state !== "starting";
    if (isOrderly && before !== "stopped") events.raise(appStop, { message: `${id} was stopped`, ...cause });
  }
}
