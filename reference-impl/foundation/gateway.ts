// What every group of the gateway is built on, and what a group gives back.
import type { ResetScope } from "../../interface/resources/reboot.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import type { Clock } from "../base/clock.ts";
import type { Handlers } from "../http/handler.ts";
import type { Store } from "../store/store.ts";
import type { Identity } from "./identity.ts";
import type { Product } from "../product/product.ts";

/** The catalogue's events that the gateway raises by itself, by their catalogue id. */
export interface EventRaiser {
  /** Records an event of the catalogue unless its kind is disabled or recording is off. */
  raise(
    kindId: number,
    detail: { message: string; user?: string; userOrigin?: string; origin?: string },
  ): void;
}

/** The board under the gateway: ends the process and boots it again, and has the console. */
export interface Board {
  /** When the present boot began, milliseconds since the epoch. */
  readonly bootedAtMs: number;
  /** Ends this process after answers under way were written; the supervisor starts it again. */
  reboot(reason: string): void;
  /** One line on the serial console. */
  print(line: string): void;
}

/** State of a service switch and the effect of changing it. */
export interface ServiceEffect {
  readonly id: ServiceId;
  readonly isAvailable: () => boolean;
  readonly isEnabled: () => boolean;
  /** Takes effect before it resolves; throws a Refusal when the gateway would become unreachable. */
  readonly switchTo: (enable: boolean) => void | Promise<void>;
}

/** A part of the configuration that export, upload and apply carry. */
export interface ConfigurationSection {
  readonly app: string;
  readonly section: string;
  readonly labels: readonly string[];
  /** A JSON document. */
  read(): unknown;
  /** Checks a document without changing anything; throws a Refusal that names the field. */
  check(document: unknown): void;
  /** Stores a checked document; it has its effect at the next boot. */
  write(document: unknown): void;
}

/** A setting that the section system/core of an exported configuration carries. */
export interface CarriedSetting {
  readonly name: string;
  get(): unknown;
  check(value: unknown): void;
  take(value: unknown): void;
}

/** What a reset with the scope restores to its default; durable when it returns, effective after a reboot. */
export interface ResetPart {
  readonly scopes: readonly ResetScope[];
  /** True for the settings that `keep-network-setting` spares. */
  readonly isNetwork?: boolean;
  reset(): void;
}

/** What all groups may use. Groups reach one another only through this. */
export interface Foundation {
  readonly identity: Identity;
  /** Folder for files beside the database. */
  readonly stateFolder: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly board: Board;
  readonly events: EventRaiser;
  /** The document that this gateway was delivered with for a section of the configuration, if any. */
  readonly delivered: (app: string, section: string) => unknown;
  readonly product: Product;
  /** Application log: one line under the app's name ("system", "modbusmaster"...), in the app's log file. */
  readonly log: (app: string, line: string) => void;
}

/** A group of operations with all that it contributes to the gateway. */
export interface Group extends AsyncDisposable {
  readonly handlers: Handlers;
  readonly services?: readonly ServiceEffect[];
  readonly sections?: readonly ConfigurationSection[];
  readonly settings?: readonly CarriedSetting[];
  readonly resetParts?: readonly ResetPart[];
  /** Begins work in the background: timers, schedules, jobs that a restart interrupted. */
  start?(): void | Promise<void>;
}
