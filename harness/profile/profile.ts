// What an implementer declares about a gateway: the ICS part (capabilities) and the IXIT part (everything else).
import Type, { type Static } from "typebox";
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Authorisation } from "../../interface/authorisation.ts";
import { type CapabilityId, capabilityIds } from "../../interface/vocabulary/capabilities.ts";

const Strict = { additionalProperties: false };
const Positive = Type.Integer({ minimum: 1 });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const PermissionId = Type.String({ minLength: 1 });
const unique = { minItems: 1, uniqueItems: true };
const PermissionIds = Type.Array(PermissionId, unique);

const OperationOverride = Type.Object(
  {
    method: Type.Optional(Type.Enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    path: Type.Optional(Type.String({ minLength: 1 })),
    /** Permission the caller must hold, or ways of which one suffices (a list: all together), `signed-in` or `none`. */
    permission: Type.Optional(
      Type.Union([PermissionId, Type.Array(Type.Union([PermissionId, PermissionIds]), unique)]),
    ),
    /** False: the gateway does not serve the operation. */
    served: Type.Optional(Type.Boolean()),
    /** How the body is sent where the interface leaves the media type open. */
    media: Type.Optional(Type.Enum(["json", "form"])),
  },
  Strict,
);

/** How a token travels: in a header, after a prefix. */
const TokenHeader = Type.Object({ header: Type.String({ minLength: 1 }), prefix: Type.String() }, Strict);

/** A package file beside the profile, and the version that the gateway has with it. */
const UpgradePackage = Type.Object(
  { version: Type.String({ minLength: 1 }), file: Type.String({ minLength: 1 }) },
  Strict,
);
type UpgradePackage = Static<typeof UpgradePackage>;

export const ProfileDocument = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    /** What the certificate names: the product and its software. */
    gateway: Type.Optional(
      Type.Object(
        {
          vendor: Type.Optional(Type.String()),
          model: Type.Optional(Type.String()),
          version: Type.Optional(Type.String()),
          /** SHA-256 of the firmware file that the vendor publishes. */
          firmwareSha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
        },
        Strict,
      ),
    ),
    capabilities: Type.Optional(
      Type.Object(Object.fromEntries(capabilityIds.map((id) => [id, Type.Optional(Type.Boolean())])), Strict),
    ),
    binding: Type.Optional(
      Type.Object(
        {
          pathPrefix: Type.Optional(Type.String()),
          tagPathPrefix: Type.Optional(Type.String()),
          token: Type.Optional(TokenHeader),
          tagToken: Type.Optional(TokenHeader),
          operations: Type.Optional(Type.Record(Type.String(), OperationOverride)),
          extensions: Type.Optional(Type.Array(Type.String())),
          /** `integers` sends roles as [1], `objects` as [{id: 1}]. */
          roleReferences: Type.Optional(Type.Enum(["integers", "objects"])),
        },
        Strict,
      ),
    ),
    credentials: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1 }),
          password: Type.Optional(Type.String({ minLength: 1 })),
          /** Name of the environment variable that holds the password. */
          passwordEnvironment: Type.Optional(Type.String({ minLength: 1 })),
        },
        Strict,
      ),
    ),
    serialNumber: Type.Optional(Type.String({ minLength: 1 })),
    tokenLifetimeSec: Type.Optional(Positive),
    /** How far back monitoring with `ms` finds the values of a tag that seldom changes. */
    tagHistorySec: Type.Optional(Positive),
    websocket: Type.Optional(
      Type.Object(
        {
          path: Type.String({ minLength: 1, description: "with {token} where the token goes" }),
          protocol: Type.Optional(Type.String({ minLength: 1 })),
          header: Type.Optional(
            Type.Object({ name: Type.String({ minLength: 1 }), value: Type.String() }, Strict),
          ),
          message: Type.Optional(Type.String({ minLength: 1 })),
        },
        Strict,
      ),
    ),
    signInLock: Type.Optional(Type.Object({ failures: Positive, lockedSec: Positive }, Strict)),
    permissions: Type.Optional(Type.Array(Type.String())),
    virtualTags: Type.Optional(
      Type.Object({ provider: Type.String({ minLength: 1 }), source: Type.String({ minLength: 1 }) }, Strict),
    ),
    /** Tags that change without a request, for streams and history. */
    liveTags: Type.Optional(
      Type.Object(
        { provider: Type.String(), source: Type.String(), tags: Type.Array(Type.String(), { minItems: 1 }) },
        Strict,
      ),
    ),
    upgrade: Type.Optional(
      Type.Object(
        {
          /** Host name or address under which the gateway reaches servers of the harness. */
          serverAddress: Type.Optional(Type.String()),
          /** A package that the gateway can install, for cases that change firmware. */
          packageFile: Type.Optional(Type.String()),
          /** Two versions of the system that the gateway is upgraded to in turn; `reference`: made by the suite. */
          packages: Type.Optional(
            Type.Union([Type.Literal("reference"), Type.Array(UpgradePackage, { minItems: 2, maxItems: 2 })]),
          ),
          /** Where the version of the running system is read: an operation without inputs, and a place in its answer. */
          versionIn: Type.Optional(
            Type.Object({ operation: Type.String(), pointer: Type.String({ pattern: "^/" }) }, Strict),
          ),
          /** Within which time after its end an installation is followed by a restart of the gateway, where it is. */
          restartWithinSec: Type.Optional(Positive),
          /** Power cuts during upgrades; by default the level decides. */
          powerCuts: Type.Optional(Positive),
        },
        Strict,
      ),
    ),
    /** An app that may be stopped and started, and the time it may take. */
    apps: Type.Optional(
      Type.Object(
        {
          operable: Type.String({ minLength: 1 }),
          settleSec: Type.Optional(Positive),
          /** An app that a run may uninstall for good. */
          expendable: Type.Optional(Type.String({ minLength: 1 })),
        },
        Strict,
      ),
    ),
    /** Services that may be switched without disconnecting the harness. */
    switchableServices: Type.Optional(Type.Array(Type.String())),
    /** Declared throughput from field devices to clients; without it the suite only measures. */
    throughput: Type.Optional(
      Type.Object(
        {
          /** Changes of tags a second that reach every client. */
          changesPerSec: Type.Optional(Positive),
          /** Clients at the same time. */
          clients: Type.Optional(Positive),
          /** From the change at the device to the value at the client, 99 of 100, poll interval included. */
          latencyP99Ms: Type.Optional(Positive),
        },
        Strict,
      ),
    ),
    /** The certificate that the gateway must show before a password is sent to it. */
    tls: Type.Optional(
      Type.Object(
        {
          /** SHA-256 of the certificate in hexadecimal digits, with or without colons. */
          fingerprint: Type.Optional(Type.String({ pattern: "^([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$" })),
          /** PEM file of the authority that signs it, beside the profile. */
          ca: Type.Optional(Type.String({ minLength: 1 })),
        },
        Strict,
      ),
    ),
    /** Operations whose bodies `rackproof redact` removes; `*` matches any characters. */
    redact: Type.Optional(Type.Array(Type.String())),
    /** Requests that the gateway accepts from one client; more are answered with 429. */
    rateLimit: Type.Optional(Type.Object({ requestsPerSec: Positive }, Strict)),
    streamLimit: Type.Optional(Type.Object({ atOnce: Positive }, Strict)),
    /** Ports to which listeners of the gateway may be moved, both ends included. */
    listenerPorts: Type.Optional(Type.Object({ from: Port, to: Port }, Strict)),
    tolerances: Type.Optional(
      Type.Object(
        {
          rebootDelaySec: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          resetDelaySec: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          tokenLifetimeSec: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          /** How soon an entry is removed after its time to live. */
          retentionSec: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        },
        Strict,
      ),
    ),
    patience: Type.Optional(
      Type.Object(
        {
          answerMs: Type.Optional(Positive),
          bootMs: Type.Optional(Positive),
          settleMs: Type.Optional(Positive),
        },
        Strict,
      ),
    ),
  },
  Strict,
);
export type ProfileDocument = Static<typeof ProfileDocument>;

/** How one operation is called on this gateway. */
export interface CallBinding {
  readonly method: string;
  /** Path below the base URL, prefix included, with `{name}` for path parameters. */
  readonly path: string;
  readonly permission: Authorisation;
  readonly served: boolean;
  readonly media: "json" | "form" | undefined;
}

/** What the profile declares of the gateway's certificate. */
export interface DeclaredTls {
  /** SHA-256 of the certificate: 64 hexadecimal digits, upper case, without colons. */
  readonly fingerprint: string | undefined;
  /** PEM text of the authority that must have signed it. */
  readonly ca: string | undefined;
}

/** Ports with both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

interface TokenPlace {
  readonly header: string;
  readonly prefix: string;
}

/** For a gateway whose profile declares none. */
export const defaultPatience = { answerMs: 10_000, bootMs: 120_000, settleMs: 10_000 } as const;

/** Where the websocket is, and how it takes the token. */
export interface WebsocketAccess {
  readonly path: string;
  /** Subprotocol that the handshake offers. */
  readonly protocol?: string | undefined;
  /** Header of the handshake. */
  readonly header?: { readonly name: string; readonly value: string } | undefined;
  /** First message of the client; a gateway that does not take it closes the connection. */
  readonly message?: string | undefined;
}

/** A profile with every default filled in; what the harness and the cases read. */
export interface Profile {
  readonly name: string;
  /** What the profile was read from. */
  readonly document: ProfileDocument;
  /** SHA-256 of the profile's text, so that a certificate can name exactly what was declared. */
  readonly sha256: string;
  /** Fields that the document itself has, such as `apps` and `capabilities.websocket`; the others are defaults. */
  readonly declared: ReadonlySet<string>;
  readonly gateway: {
    readonly vendor: string;
    readonly model: string;
    readonly version: string;
    readonly firmwareSha256: string | undefined;
  };
  readonly capabilities: ReadonlySet<CapabilityId>;
  readonly binding: ReadonlyMap<string, CallBinding>;
  readonly extensions: ReadonlyMap<ExtensionId, { readonly method: string; readonly path: string }>;
  readonly token: TokenPlace;
  readonly tagToken: TokenPlace;
  readonly roleReferences: "integers" | "objects";
  readonly credentials: { readonly name: string; readonly password: string };
  readonly serialNumber: string | undefined;
  /** How long a sign-in token lives; undefined where it is not declared. */
  readonly tokenLifetimeSec: number | undefined;
  readonly tagHistorySec: number | undefined;
  /** Where the websocket is and how it takes the token: in each part `{token}` stands for it. */
  readonly websocket: WebsocketAccess | undefined;
  readonly signInLock: { readonly failures: number; readonly lockedSec: number } | undefined;
  /** Permission ids that roles can have on this gateway. */
  readonly permissions: readonly string[];
  readonly virtualTags: { readonly provider: string; readonly source: string };
  readonly liveTags:
    | { readonly provider: string; readonly source: string; readonly tags: readonly string[] }
    | undefined;
  readonly upgrade: {
    readonly serverAddress: string;
    readonly packageFile: string | undefined;
    /** Two packages with the paths of their files. */
    readonly packages: "reference" | readonly UpgradePackage[] | undefined;
    readonly versionIn: { readonly operation: OperationId; readonly pointer: string } | undefined;
    readonly restartWithinSec: number | undefined;
    readonly powerCuts: number | undefined;
  };
  readonly apps:
    | { readonly operable: string; readonly settleSec: number; readonly expendable: string | undefined }
    | undefined;
  readonly switchableServices: readonly string[];
  readonly throughput: {
    readonly changesPerSec?: number;
    readonly clients?: number;
    readonly latencyP99Ms?: number;
  };
  readonly tls: DeclaredTls;
  /** Limit of requests a second for the harness; undefined where no limit is declared. */
  readonly requestsPerSec: number | undefined;
  /** Streams of events and of tags together that the gateway serves at once; undefined where it declares no limit. */
  readonly streamsAtOnce: number | undefined;
  /** Ports to which listeners may be moved; undefined where any port will do. */
  readonly listenerPorts: PortRange | undefined;
  /** Half widths of the bands around 5 s, 3 s and 30 s. */
  readonly tolerances: {
    readonly rebootDelaySec: number;
    readonly resetDelaySec: number;
    readonly tokenLifetimeSec: number;
    /** Undefined where it is not declared: the interface states no time. */
    readonly retentionSec: number | undefined;
  };
  /** How long the harness waits; no limit for the gateway. */
  readonly patience: { readonly answerMs: number; readonly bootMs: number; readonly settleMs: number };
}
