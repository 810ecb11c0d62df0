import type { AppState } from "../../../interface/states.ts";

/** An app that this gateway is delivered with. */
export interface DeliveredApp {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly category: string;
  readonly attributes: readonly string[];
  readonly paid: boolean;
  readonly imageSize: number;
  /** Apps that the gateway cannot do without: they may be restarted, never removed. */
  readonly isEssential: boolean;
  /** State after delivery. */
  readonly initial: Extract<AppState, "ready" | "stopped">;
  /** Tag providers that live in the app. */
  readonly providers: readonly string[];
}
