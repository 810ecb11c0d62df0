// Faults of streams: how long they last, what they repeat, and what one does to another.
import { parseJson, stringifyJson } from "../../../reference-impl/base/json.ts";
import type { Call, StreamSink } from "../../../reference-impl/http/handler.ts";
import { type Fields, fields } from "../../mechanism/edits.ts";
import type { GatewayAlterations } from "../../mechanism/gatewayAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

interface Kind {
  readonly operation: "monitorTags" | "getEvents";
  readonly flag: "onChanged" | "streamInterval" | "event";
  readonly is: string;
  readonly requirement: string;
  readonly also: readonly string[];
  readonly isRecord: (frame: string) => boolean;
}

const isData = (frame: string): boolean => frame.startsWith("data:");
const ofDevices = [
  "CORE-FIELD-03",
  "CORE-FIELD-20",
  "CORE-FIELD-21",
  "CORE-FIELD-22",
  "CORE-FIELD-24",
  "CORE-FIELD-26",
];
const kinds: readonly Kind[] = [
  {
    operation: "monitorTags",
    flag: "onChanged",
    is: "A stream of changes",
    requirement: "CORE-TAG-52",
    also: ofDevices,
    isRecord: isData,
  },
  {
    operation: "monitorTags",
    flag: "streamInterval",
    is: "A stream at an interval",
    requirement: "CORE-TAG-51",
    also: ofDevices,
    isRecord: isData,
  },
  {
    operation: "getEvents",
    flag: "event",
    is: "An event stream",
    requirement: "CORE-EVENT-28",
    also: ["CORE-EVENT-74", "CORE-EVENT-76", "CORE-FIELD-17"],
    isRecord: (frame) => frame.startsWith("id:"),
  },
];

interface OpenStream {
  readonly sink: StreamSink;
  records: number;
  lastMs: number;
}

/** Changes the records of one kind of stream, with the state of each stream and of all that are open. */
function onRecords(
  at: GatewayAlterations,
  kind: Kind,
  edit: (frame: string, stream: OpenStream, all: ReadonlySet<OpenStream>) => readonly string[],
  opened: (stream: OpenStream, all: ReadonlySet<OpenStream>) => void = () => undefined,
): void {
  const streams = new WeakMap<Call, OpenStream>();
  const all = new Set<OpenStream>();
  const isMeant = ({ query }: Call): boolean => query[kind.flag] !== undefined && query[kind.flag] !== false;
  at.frames(kind.operation, (frame, call) => {
    const stream = streams.get(call);
    if (stream === undefined || !kind.isRecord(frame)) return [frame];
    stream.records += 1;
    const kept = edit(frame, stream, all);
    stream.lastMs = performance.now();
    return kept;
  });
  at.around(kind.operation, async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind !== "stream" || !isMeant(call)) return answer;
    return {
      ...answer,
      run(sink) {
        const stream = { sink, records: 0, lastMs: performance.now() };
        opened(stream, all);
        streams.set(call, stream);
        all.add(stream);
        call.signal.addEventListener("abort", () => all.delete(stream));
        answer.run(sink);
      },
    };
  });
}

const lengths = [50, 150, 300, 1000] as const;
const idles = [3, 10, 20] as const;
/** Records of the longest stream of its kind at level nightly. */
const mostNightly = { event: 320, onChanged: 700, streamInterval: 400 } as const;

const lasting: readonly Fault[] = kinds.flatMap((kind) => {
  const one = (
    operator: string,
    place: string,
    what: string,
    edit: Parameters<typeof onRecords>[2],
    opened?: Parameters<typeof onRecords>[3],
    level?: Fault["level"],
  ): Fault =>
    derived({
      operator,
      place: `${kind.operation}.${kind.flag}${place}`,
      requirement: kind.requirement,
      also: kind.also,
      what: `${kind.is} ${what}.`,
      ...(level === undefined ? {} : { level }),
      install: (at) => onRecords(at, kind, edit, opened),
    });
  return [
    ...lengths.flatMap((most) => {
      const level = most > mostNightly[kind.flag] ? "certification" : undefined;
      const at = (operator: string, place: string, what: string, edit: Parameters<typeof onRecords>[2]) =>
        one(operator, place, what, edit, undefined, level);
      return [
        at("stream-ends", `-after-${most}`, `ends after ${most} records`, (frame, stream) => {
          if (stream.records <= most) return [frame];
          stream.sink.end();
          return [];
        }),
        at("stream-falls-silent", `-after-${most}`, `sends no record after ${most}`, (frame, stream) =>
          stream.records <= most ? [frame] : [],
        ),
        // At an interval a late value and the next may come together, as two equal ones do, and no value is numbered.
        ...(kind.flag === "streamInterval"
          ? []
          : [
              at("stream-repeats", `-at-${most}`, `sends record ${most} twice`, (frame, stream) =>
                stream.records === most ? [frame, frame] : [frame],
              ),
            ]),
        ...(kind.flag === "streamInterval" && most > lengths[0]
          ? []
          : [
              at("stream-loses", `-at-${most}`, `omits record ${most}`, (frame, stream) =>
                stream.records === most ? [] : [frame],
              ),
            ]),
      ];
    }),
    ...(kind.flag === "streamInterval"
      ? []
      : idles.map((seconds) =>
          one(
            "stream-falls-silent-idle",
            `-after-${seconds}s`,
            `sends no more after ${seconds} s without a record`,
            (frame, stream) => {
              const isSilent = stream.records === Number.POSITIVE_INFINITY;
              if (!isSilent && performance.now() - stream.lastMs < seconds * 1000) return [frame];
              stream.records = Number.POSITIVE_INFINITY;
              return [];
            },
          ),
        )),
    one(
      "second-ends-first",
      "",
      "ends when another is opened",
      (frame) => [frame],
      (_stream, all) => {
        for (const { sink } of all) sink.end();
      },
    ),
    one("shared-by-two", "", "shares its records with the others that are open", (frame, stream, all) => {
      const place = [...all].indexOf(stream);
      return stream.records % all.size === place ? [frame] : [];
    }),
    one("second-gets-nothing", "", "has no records while another is open", (frame, stream, all) =>
      [...all][0] === stream ? [frame] : [],
    ),
  ];
});

/** Changes that a stream loses by their value. */
const lostValues: readonly {
  readonly id: string;
  readonly what: string;
  readonly isLost: (value: unknown, before: unknown) => boolean;
}[] = [
  {
    id: "falsy-lost",
    what: "to 0, false or an empty text",
    isLost: (value) => value === 0 || value === false || value === "",
  },
  {
    id: "negative-lost",
    what: "to a negative number",
    isLost: (value) => typeof value === "number" && value < 0,
  },
  {
    id: "small-change-lost",
    what: "of less than 0.5",
    isLost: (value, before) =>
      typeof value === "number" && typeof before === "number" && Math.abs(value - before) < 0.5,
  },
  { id: "text-change-lost", what: "of texts", isLost: (value) => typeof value === "string" },
  {
    id: "same-length-lost",
    what: "of texts to others of the same length",
    isLost: (value, before) =>
      typeof value === "string" && typeof before === "string" && value.length === before.length,
  },
];

const lostChanges: readonly Fault[] = lostValues.map(({ id, what, isLost }) =>
  derived({
    operator: `change-${id}`,
    place: "monitorTags.onChanged",
    requirement: "CORE-TAG-52",
    also: ofDevices,
    what: `A stream of changes omits changes ${what}.`,
    install: (at) => {
      const before = new Map<string, unknown>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || call.query["compute"] !== undefined || !isData(frame))
          return [frame];
        const value = fields(parseJson(frame.slice(5)));
        const key = tagOf(value);
        const former = before.get(key);
        before.set(key, value["dataValue"]);
        return isLost(value["dataValue"], former) ? [] : [frame];
      });
    },
  }),
);

function tagOf({ prvdName, srcName, tagName }: Fields): string {
  return JSON.stringify([prvdName, srcName, tagName]);
}

const differences: readonly Fault[] = [
  derived({
    operator: "difference-from-the-first",
    place: "monitorTags.compute",
    requirement: "CORE-TAG-54",
    also: ["CORE-FIELD-23"],
    what: "With compute diff, a stream sends the difference from its first value.",
    install: (at) => {
      const sums = new WeakMap<Call, Map<string, number>>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["compute"] !== "diff" || !isData(frame)) return [frame];
        const value = fields(parseJson(frame.slice(5)));
        const own = sums.get(call) ?? new Map<string, number>();
        sums.set(call, own);
        if (typeof value["dataValue"] !== "number") return [frame];
        const sum = (own.get(tagOf(value)) ?? 0) + value["dataValue"];
        own.set(tagOf(value), sum);
        return [`data:${stringifyJson({ ...value, dataValue: sum })}`];
      });
    },
  }),
  ...(["int16", "integer", "float"] as const).map((type) =>
    derived({
      operator: `difference-as-${type}`,
      place: "monitorTags.compute",
      requirement: "CORE-TAG-54",
      also: ["CORE-FIELD-23"],
      what: `With compute diff, a stream sends the difference as ${type}.`,
      install: (at) =>
        at.frames("monitorTags", (frame, call) => {
          if (call.query["compute"] !== "diff" || !isData(frame)) return [frame];
          const value = fields(parseJson(frame.slice(5)));
          const { dataValue } = value;
          if (typeof dataValue !== "number") return [frame];
          const narrow =
            type === "int16"
              ? Number.isInteger(dataValue)
                ? Number(BigInt.asIntN(16, BigInt(dataValue)))
                : dataValue
              : type === "integer"
                ? Math.trunc(dataValue)
                : Math.fround(dataValue);
          return [`data:${stringifyJson({ ...value, dataValue: narrow })}`];
        }),
    }),
  ),
];

/** Members that the records of an event stream show otherwise than the list. */
const eventMembers: readonly Fault[] = (
  ["category", "event", "message", "origin", "severity", "user", "userOrigin", "createdAt"] as const
).map((member) =>
  derived({
    operator: "missing",
    place: `getEvents.event.${member}`,
    requirement: "CORE-EVENT-28",
    also: ["CORE-EVENT-76", "CORE-FIELD-17"],
    what: `Records of an event stream lack \`${member}\`.`,
    install: (at) =>
      at.frames("getEvents", (frame) => [
        frame
          .split("\n")
          .map((line) => {
            if (!line.startsWith("data:")) return line;
            const { [member]: _lost, ...rest } = fields(JSON.parse(line.slice(5)));
            return `data:${JSON.stringify(rest)}`;
          })
          .join("\n"),
      ]),
  }),
);

export const streamFaults: readonly Fault[] = [...lasting, ...lostChanges, ...differences, ...eventMembers];
