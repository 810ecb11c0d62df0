// The vocabulary that describes how operations change the things that a gateway stores.
import type { TSchema } from "typebox";

/** Kinds of things that responses show and requests change. */
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

/** One kind of thing, as responses show it. */
export interface Thing {
  readonly schema: TSchema;
  /** Field that identifies one thing; absent where a gateway has only one of the kind. */
  readonly key?: string;
  /** Who chooses the key: the gateway, the caller who creates the thing, or the interface document. */
  readonly keyFrom?: "gateway" | "caller" | "interface";
  /** Fields that refer to other things. */
  readonly refers?: Readonly<Record<string, ThingKind>>;
  /** Fields that no operation can set, such as facts about the device. */
  readonly open?: readonly string[];
  /** Devices and apps have things of this kind: only those that a client created are observed. */
  readonly comesAndGoes?: boolean;
  /** Fields derived from other things, and the requirement that states it. */
  readonly follows?: Readonly<Record<string, Derivation>>;
}

/** `union`: all values of a field of the referenced things; `inverse`: the things that refer to this one. */
interface Derivation {
  readonly how: "union" | "inverse";
  /** Field with the references: of this thing for a union, of the other kind for an inverse. */
  readonly through: string;
  readonly kind: ThingKind;
  /** Field whose values form the union. */
  readonly field?: string;
  readonly requirement: string;
}

/** Effect of one operation on a kind of thing, as far as the interface states it. */
export interface Behaviour {
  readonly kind: ThingKind;
  readonly does: "show" | "list" | "create" | "change" | "remove";
  /** Place of the thing's key in the inputs (`path/id`), or `caller` for the user who calls. */
  readonly names?: string;
  /** JSON pointers to the things in the response, each to one thing or to a list of things of a kind. */
  readonly answers?: readonly Shown[];
  /** Requirement that the response shows the thing as stored. */
  readonly shows?: string;
  /** Requirement that a list contains every thing once. */
  readonly complete?: string;
  /** Requirement that `count` is the number of things in the list. */
  readonly counted?: string;
  /** Field of the thing → requirement that the input of this name is stored there. */
  readonly stores?: Readonly<Record<string, string>>;
  /** Member of the thing in which the inputs are stored; absent: the thing itself. */
  readonly storesIn?: string;
  /** Field of the thing → its value after an accepted request, and the requirement that states it. */
  readonly sets?: Readonly<Record<string, readonly [value: unknown, requirement: string]>>;
  /** Field → its default when the input is absent, and the requirement that states it. */
  readonly defaults?: Readonly<Record<string, readonly [value: unknown, requirement: string]>>;
  /** Field → field of the only thing of another kind that supplies its default when the input is absent. */
  readonly defaultsFrom?: Readonly<
    Record<string, { readonly kind: ThingKind; readonly field: string; readonly requirement: string }>
  >;
  /** Requirement that all other things (and, with `keepsOmitted`, fields not sent) remain unchanged. */
  readonly keeps?: string;
  readonly keepsOmitted?: boolean;
  /** `keeps` applies to things of every kind. */
  readonly keepsEverything?: boolean;
  /** Fields, of this or another kind, with no stated value after the operation: `field` or `kind:key.field`, without the key where a gateway has one of the kind. */
  readonly unsettles?: readonly string[];
  /** The same, by the name of the thing that the request is about. */
  readonly unsettlesBySubject?: Readonly<Record<string, readonly string[]>>;
  /** Requirement that a valid request is accepted; absent: that of the response schema. `false`: not stated. */
  readonly taken?: string | false;
  /** Requirement that the request is rejected when the thing does not exist. */
  readonly missing?: string;
  /** The request is rejected unless the field of the thing has one of these values. */
  readonly onlyWhen?: {
    readonly field: string;
    readonly values: readonly unknown[];
    readonly requirement: string;
    readonly status?: number;
  };
  /** Acceptance is stated only after this field of the thing has been written. */
  readonly afterWriteOf?: string;
  /** Inputs that must equal the fields of the thing; acceptance of other values is not stated. */
  readonly agrees?: readonly string[];
  /** The request is rejected when this input is true and that field of the thing is false. */
  readonly needsSupport?: { readonly input: string; readonly field: string; readonly requirement: string };
  /** Requirement that a removed thing is no longer shown. */
  readonly gone?: string;
}

interface Shown {
  readonly at: string;
  readonly kind: ThingKind;
  /** Schema of the thing in this response, where it differs from that of the kind. */
  readonly schema?: TSchema;
}
