// What a variation changes inside the gateway: what it is delivered with.
import type { EventKind } from "../../interface/resources/events.ts";
import type { Disk } from "../../interface/resources/disk.ts";
import type { Identity } from "../foundation/identity.ts";
import type { DeliveredApp } from "../groups/apps/deliveredApp.ts";

export interface Delivery {
  readonly identity?: Partial<Identity>;
  /** Defaults of settings, by the setting's name; members that are not named keep theirs. */
  readonly settings?: Readonly<Record<string, object>>;
  readonly moreKinds?: readonly EventKind[];
  /** The cloud vendor's own word for its category. */
  readonly cloudCategory?: string;
  readonly moreApps?: readonly DeliveredApp[];
  readonly moreDisks?: readonly Disk[];
  /** Users and roles that are there from the start. */
  readonly moreAccounts?: readonly string[];
  /** The number after which ids begin. */
  readonly idsAfter?: number;
  /** How often the gateway records an event of its own. */
  readonly eventEveryMs?: number;
  readonly tokenLifetimeSec?: number;
  /** How long an answer may be on its way; what ends the gateway waits for it as long. */
  readonly answersTakeMs?: number;
  /** What an uploaded file is called, with %s for its number. */
  readonly uploadName?: string;
  readonly hasSealedExports?: boolean;
  /** An exported file names the model of a part, too. */
  readonly hasModemInExports?: boolean;
  /** Bodies with members that the interface does not list are refused. */
  readonly isStrict?: boolean;
  readonly hasRsaCertificate?: boolean;
  readonly hasBusyWebsocket?: boolean;
  readonly hasWebsocket?: false;
  readonly hasSignInLock?: false;
  readonly isSnapshotSupported?: false;
}
