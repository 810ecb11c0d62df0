// The vocabulary in which it is written down what operations do to the things that a gateway keeps.
import type { TSchema } from "typebox";

/** Kinds of things that answers show and requests change. */
export type ThingKind =
  | "permission"
  | "role"
  | "user"
  | "service"
  | "ssh"
  | "provision"
  | "log"
  | "eventConfiguration"
  | "eventKind"
  | "event"
  | "upgradeConfiguration"
  | "upgradeJob"
  | "tag"
  | "section";

/** One kind of thing, as answers show it. */
export interface Thing {
  readonly schema: TSchema;
  /** Field that tells one from another; absent where a gateway has only one of the kind. */
  readonly key?: string;
  /** `gateway`: the gateway chooses the key; `caller`: whoever creates the thing; `interface`: the document names them. */
  readonly keyFrom?: "gateway" | "caller" | "interface";
  /** Fields that name other things. */
  readonly refers?: Readonly<Record<string, ThingKind>>;
  /** Fields that are the gateway's own affair: facts of the device, or what no operation can set. */
  readonly open?: readonly string[];
  /** Things of the kind come and go by themselves, with devices and apps: only those that a client made are counted. */
  readonly comesAndGoes?: boolean;
  /** Fields that follow from other things, and the requirement that says so. */
  readonly follows?: Readonly<Record<string, Derivation>>;
}

/** `union`: all values of a field of the things referred to; `inverse`: the things that refer to this one. */
interface Derivation {
  readonly how: "union" | "inverse";
  /** The field with the references: of this thing for a union, of the other kind for an inverse. */
  readonly through: string;
  readonly kind: ThingKind;
  /** The field whose values are united. */
  readonly field?: string;
  readonly requirement: string;
}

/** What one operation does to a kind of thing, as far as the interface states it. */
export interface Behaviour {
  readonly kind: ThingKind;
  readonly does: "show" | "list" | "create" | "change" | "remove";
  /** Place of the thing's key in the inputs (`path/id`), or `caller` for the user who calls. */
  readonly names?: string;
  /** Where the answer shows things of which kind: a JSON pointer; the pointer may lead to one thing or to a list. */
  readonly answers?: readonly Shown[];
  /** Requirement that the thing is shown as it is. */
  readonly shows?: string;
  /** Requirement that a list holds every thing once. */
  readonly complete?: string;
  /** Requirement that `count` is the number of things in the list. */
  readonly counted?: string;
  /** Field of the thing → the requirement that says that the input of this name is stored there. */
  readonly stores?: Readonly<Record<string, string>>;
  /** Member of the thing in which the inputs are stored, where it is not the thing itself. */
  readonly storesIn?: string;
  /** Field of the thing → value that it has when the request was taken, and the requirement that says so. */
  readonly sets?: Readonly<Record<string, readonly [value: unknown, requirement: string]>>;
  /** Field → value that it has when the input is absent, and the requirement that says so. */
  readonly defaults?: Readonly<Record<string, readonly [value: unknown, requirement: string]>>;
  /** Field → field of the only thing of another kind, whose value it has when the input is absent. */
  readonly defaultsFrom?: Readonly<
    Record<string, { readonly kind: ThingKind; readonly field: string; readonly requirement: string }>
  >;
  /** Requirement that all other things (and, with `keepsOmitted`, fields that were not sent) stay as they are. */
  readonly keeps?: string;
  readonly keepsOmitted?: boolean;
  /** `keeps` holds for things of every kind. */
  readonly keepsEverything?: boolean;
  /** Fields, of this or another kind, of which nothing is said after the operation: `field` or `kind:key.field`. */
  readonly unsettles?: readonly string[];
  /** Requirement that an ordinary request is taken; absent: the one of the answer's schema. `false`: nothing says so. */
  readonly taken?: string | false;
  /** Requirement that the request is refused when there is no such thing. */
  readonly missing?: string;
  /** The request is refused unless the thing's field has one of these values. */
  readonly onlyWhen?: {
    readonly field: string;
    readonly values: readonly unknown[];
    readonly requirement: string;
    readonly status?: number;
  };
  /** Nothing says that the request is taken before this field of the thing was written. */
  readonly afterWriteOf?: string;
  /** Inputs that must be what the thing has; otherwise nothing says that the request is taken. */
  readonly agrees?: readonly string[];
  /** The request is refused when this input is true and that field of the thing is false. */
  readonly needsSupport?: { readonly input: string; readonly field: string; readonly requirement: string };
  /** Requirement that a thing that was removed is shown no more. */
  readonly gone?: string;
}

interface Shown {
  readonly at: string;
  readonly kind: ThingKind;
  /** Where the answer shows the thing in another form than its own. */
  readonly schema?: TSchema;
}
