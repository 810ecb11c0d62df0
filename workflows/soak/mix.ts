// The mix of a soak: which actions, how often, and how the results are measured.
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../../harness/index.ts";
import { type ActionId, actionIds } from "./actionId.ts";

const Strict = { additionalProperties: false };
const Positive = Type.Number({ exclusiveMinimum: 0 });

export const MixDocument = Type.Object(
  {
    /** Actions a second, and how many at a time. */
    actionsPerSec: Type.Optional(Positive),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    /** Share of each action; an action that is not named does not occur. */
    actions: Type.Optional(
      Type.Object(
        Object.fromEntries(actionIds.map((id) => [id, Type.Optional(Type.Number({ minimum: 0 }))])) as Record<
          ActionId,
          Type.TOptional<Type.TNumber>
        >,
        Strict,
      ),
    ),
    reboots: Type.Optional(Type.Object({ everyMinutes: Type.Optional(Type.Number({ minimum: 0 })) }, Strict)),
    field: Type.Optional(Type.Object({ changesPerSec: Type.Optional(Type.Number({ minimum: 0 })) }, Strict)),
    /** Tag that shows the used memory in bytes, for a gateway whose memory the rig cannot read. */
    memoryTag: Type.Optional(
      Type.Object({ provider: Type.String(), source: Type.String(), tag: Type.String() }, Strict),
    ),
    measure: Type.Optional(
      Type.Object(
        {
          intervalSec: Type.Optional(Positive),
          warmUpSec: Type.Optional(Type.Number({ minimum: 0 })),
          blockSec: Type.Optional(Positive),
        },
        Strict,
      ),
    ),
  },
  Strict,
);
export type MixDocument = Static<typeof MixDocument>;

export interface Mix {
  readonly actionsPerSec: number;
  readonly concurrency: number;
  readonly actions: Readonly<Partial<Record<ActionId, number>>>;
  /** 0: none. */
  readonly rebootEveryMinutes: number;
  /** Upper limit; the polls of the gateway determine the pace. 0: none. */
  readonly changesPerSec: number;
  readonly memoryTag: MixDocument["memoryTag"];
  readonly intervalSec: number;
  /** Excluded from trends after each boot. */
  readonly warmUpSec: number;
  /** Shortest block of which a trend is made. */
  readonly blockSec: number;
}

const defaultActions: Readonly<Record<ActionId, number>> = {
  readings: 40,
  "tag-reads": 25,
  "tag-writes": 10,
  settings: 6,
  "sign-ins": 4,
  users: 2,
  "virtual-tags": 3,
  streams: 4,
  events: 3,
  exports: 1,
  uploads: 0.5,
};

/** The mix with its defaults. */
export function mixOf(document: MixDocument): Mix {
  const { actionsPerSec = 20, concurrency = 4, actions = defaultActions, reboots, field, measure } = document;
  return {
    actionsPerSec,
    concurrency,
    actions,
    rebootEveryMinutes: reboots?.everyMinutes ?? 60,
    changesPerSec: field?.changesPerSec ?? 10_000,
    memoryTag: document.memoryTag,
    intervalSec: measure?.intervalSec ?? 10,
    warmUpSec: measure?.warmUpSec ?? 240,
    blockSec: measure?.blockSec ?? 10,
  };
}

/** Reads a mix; throws a UsageError with line and field. */
export async function readMix(file: string): Promise<MixDocument> {
  return checkDocument("soak-mix", await readDocument("soak-mix", file), file, MixDocument).value;
}

/** The same for the document that a journal contains. */
export function readMixValue(value: unknown, folder: string): MixDocument {
  return checkDocument("soak-mix", JSON.stringify(value), folder, MixDocument).value;
}
