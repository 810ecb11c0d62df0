// Faults of tag values: a value of one data type is wrong in one of several views.
import type { TagDataType } from "../../../interface/resources/tags.ts";
import { parseJson, stringifyJson } from "../../../reference-impl/base/json.ts";
import { type Fields, fields, items, text } from "../../mechanism/edits.ts";
import type { GatewayAlterations } from "../../mechanism/gatewayAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

interface ValueMistake {
  readonly id: string;
  readonly type: TagDataType;
  readonly as: string;
  readonly edit: (value: unknown) => unknown;
}

const whole =
  (edit: (value: bigint) => bigint) =>
  (value: unknown): unknown => {
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    if (typeof value === "number" && !Number.isInteger(value)) return value;
    const result = edit(BigInt(value));
    return Number.isSafeInteger(Number(result)) ? Number(result) : result;
  };
const real =
  (edit: (value: number) => number) =>
  (value: unknown): unknown =>
    typeof value === "number" && Number.isFinite(value) ? edit(value) : value;
const onText =
  (edit: (value: string) => string) =>
  (value: unknown): unknown =>
    typeof value === "string" ? edit(value) : value;

const widths = [8, 16, 32, 64] as const;
const valueMistakes: readonly ValueMistake[] = [
  ...widths.flatMap((bits): ValueMistake[] => [
    {
      id: `uint${bits}-as-int${bits}`,
      type: `uint${bits}`,
      as: `as int${bits}`,
      edit: whole((value) => BigInt.asIntN(bits, value)),
    },
    {
      id: `int${bits}-as-uint${bits}`,
      type: `int${bits}`,
      as: `as uint${bits}`,
      edit: whole((value) => BigInt.asUintN(bits, value)),
    },
  ]),
  ...(["uint64", "int64"] as const).map((type) => ({
    id: `${type}-as-double`,
    type,
    as: "in double precision",
    edit: whole((value) => BigInt(Number(value))),
  })),
  ...(["uint32", "int32"] as const).map((type) => ({
    id: `${type}-as-float`,
    type,
    as: "in single precision",
    edit: whole((value) => BigInt(Math.fround(Number(value)))),
  })),
  ...(["float", "double"] as const).flatMap((type) => [
    { id: `${type}-as-integer`, type, as: "without its fraction", edit: real(Math.trunc) },
    {
      id: `${type}-with-3-decimals`,
      type,
      as: "rounded to 3 decimals",
      edit: real((value) => (Math.abs(value) < 1e9 ? Math.round(value * 1000) / 1000 : value)),
    },
  ]),
  { id: "double-as-float", type: "double", as: "in single precision", edit: real(Math.fround) },
  {
    id: "string-trimmed",
    type: "string",
    as: "without the blanks around it",
    edit: onText((value) => value.trim()),
  },
  {
    id: "string-cut-at-64",
    type: "string",
    as: "cut at 64 characters",
    edit: onText((value) => value.slice(0, 64)),
  },
  {
    id: "string-as-bytes",
    type: "string",
    as: "with the bytes of UTF-8 as characters",
    edit: onText((value) => Buffer.from(value).toString("latin1")),
  },
  {
    id: "string-without-astral-characters",
    type: "string",
    as: "with ? for characters beyond U+FFFF",
    edit: onText((value) => value.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, "?")),
  },
  {
    id: "boolean-as-number",
    type: "boolean",
    as: "as 0 or 1",
    edit: (value) => (typeof value === "boolean" ? Number(value) : value),
  },
  {
    id: "boolean-as-text",
    type: "boolean",
    as: "as text",
    edit: (value) => (typeof value === "boolean" ? String(value) : value),
  },
  { id: "boolean-always-true", type: "boolean", as: "as true", edit: () => true },
];

interface ValueView {
  readonly id: string;
  readonly is: string;
  readonly requirement: string;
  readonly also: readonly string[];
  readonly edit: (at: GatewayAlterations, edit: (value: Fields) => Fields) => void;
}

const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;

const tagViews: readonly ValueView[] = [
  {
    id: "readTag",
    is: "Direct read",
    requirement: "CORE-TAG-30",
    also: ["CORE-TAG-31", "CORE-FIELD-01", "CORE-FIELD-04", "CORE-FIELD-07"],
    edit: (at, edit) => at.answer("readTag", (body) => edit(body)),
  },
  {
    id: "monitorTags",
    is: "Monitoring",
    requirement: "CORE-TAG-48",
    also: ["CORE-FIELD-02", "CORE-TAG-31", "CORE-FIELD-04"],
    edit: (at, edit) =>
      at.answer("monitorTags", (body, call) =>
        call.query["ms"] === undefined ? { ...body, data: items(body["data"]).map(edit) } : body,
      ),
  },
  {
    id: "monitorTags.ms",
    is: "The history",
    requirement: "CORE-TAG-50",
    also: ["CORE-TAG-31", "CORE-FIELD-02"],
    edit: (at, edit) =>
      at.answer("monitorTags", (body, call) =>
        call.query["ms"] === undefined ? body : { ...body, data: items(body["data"]).map(edit) },
      ),
  },
  {
    id: "monitorTags.onChanged",
    is: "A stream of changes",
    requirement: "CORE-TAG-52",
    also: ["CORE-FIELD-03", "CORE-TAG-31", "CORE-FIELD-04", "CORE-FIELD-20"],
    edit: (at, edit) => inFrames(at, (query) => query["onChanged"] === true, edit),
  },
  {
    id: "monitorTags.streamInterval",
    is: "A stream at an interval",
    requirement: "CORE-TAG-51",
    also: ["CORE-FIELD-02", "CORE-FIELD-03", "CORE-TAG-31", "CORE-FIELD-04"],
    edit: (at, edit) => inFrames(at, (query) => query["streamInterval"] !== undefined, edit),
  },
];

function inFrames(
  at: GatewayAlterations,
  isMeant: (query: Fields) => boolean,
  edit: (value: Fields) => Fields,
): void {
  at.frames("monitorTags", (frame, call) => {
    if (!isMeant(call.query) || !frame.startsWith("data:")) return [frame];
    return [`data:${stringifyJson(edit(fields(parseJson(frame.slice(5)))))}`];
  });
}

const mistakenValues: readonly Fault[] = tagViews.flatMap(
  ({ id: view, is, requirement, also, edit: inView }) =>
    valueMistakes.map(({ id, type, as, edit }) =>
      derived({
        operator: `tag-${id}`,
        place: view,
        requirement,
        also,
        what: `${is} shows a ${type} ${as}.`,
        install: (at) =>
          inView(at, (value) =>
            value["dataType"] === type ? { ...value, dataValue: edit(value["dataValue"]) } : value,
          ),
      }),
    ),
);

const mistakenWrites: readonly Fault[] = valueMistakes
  .filter(({ id }) => !id.startsWith("boolean-as"))
  .map(({ id, type, as, edit }) =>
    derived({
      operator: `tag-${id}`,
      place: "writeTag",
      requirement: "CORE-TAG-30",
      also: ["CORE-TAG-31", "CORE-TAG-35", "CORE-TAG-48", "CORE-FIELD-06"],
      what: `Direct write stores a ${type} ${as}.`,
      install: (at) =>
        at.body("writeTag", (body) =>
          body["dataType"] === type ? { ...body, dataValue: edit(body["dataValue"]) } : body,
        ),
    }),
  );

/** Members of a tag value beside the value. */
const mistakenMembers: readonly Fault[] = tagViews.flatMap(
  ({ id: view, is, requirement, also, edit: inView }) => {
    const time = view === "readTag" ? "timestamp" : "ts";
    const one = (operator: string, what: string, own: string, edit: (value: Fields) => Fields): Fault =>
      derived({
        operator,
        place: `${view}.${operator === "unit-missing" ? "dataUnit" : operator === "type-of-the-first" ? "dataType" : time}`,
        requirement: own,
        also: [requirement, ...also, "CORE-TAG-22", "CORE-TAG-13", "CORE-TAG-14"],
        what: `${is} ${what}.`,
        install: (at) => inView(at, edit),
      });
    const own = view === "readTag" ? "CORE-TAG-59" : "CORE-TAG-14";
    return [
      one("time-in-seconds", "shows the time of values in seconds", own, (value) => {
        const seconds = Math.floor(Number(value[time]) / 1000);
        return { ...value, [time]: view === "readTag" ? String(seconds) : seconds };
      }),
      one("time-in-local-time", "shows the time of values two hours late", own, (value) => {
        const moved = Number(value[time]) + 7_200_000;
        return { ...value, [time]: view === "readTag" ? String(moved) : moved };
      }),
      ...(view === "readTag"
        ? []
        : [
            one("unit-missing", "shows an empty unit", "CORE-TAG-13", (value) => ({
              ...value,
              dataUnit: "",
            })),
            one("type-of-the-first", "shows the data type int32 for every value", "CORE-TAG-11", (value) => ({
              ...value,
              dataType: "int32",
            })),
          ]),
    ];
  },
);

/** Parameters in another unit. */
const units: readonly Fault[] = (["ms", "streamInterval"] as const).map((name) =>
  derived({
    operator: "unit-seconds",
    place: `monitorTags.${name}`,
    requirement: name === "ms" ? "CORE-TAG-50" : "CORE-TAG-51",
    what: `Monitoring takes \`${name}\` as seconds.`,
    install: (at) =>
      at.query("monitorTags", (query) =>
        typeof query[name] === "number" ? { ...query, [name]: query[name] * 1000 } : query,
      ),
  }),
);

/** Names in the list of `tags`. */
const tagNames: readonly Fault[] = [
  ...(["first", "last"] as const).map((end) =>
    derived({
      operator: `${end}-of-several`,
      place: "monitorTags.tags",
      requirement: "CORE-TAG-49",
      also: ["CORE-FIELD-22", "CORE-TAG-55"],
      what: `Of several names in \`tags\`, monitoring returns only the ${end} one.`,
      install: (at) =>
        at.query("monitorTags", (query) => {
          const names = text(query["tags"]).split(",");
          return query["tags"] === undefined || isStream(query)
            ? query
            : { ...query, tags: names.at(end === "first" ? 0 : -1) };
        }),
    }),
  ),
  ...(["onChanged", "streamInterval"] as const).flatMap((flag) =>
    (["first", "last"] as const).map((end) =>
      derived({
        operator: `${end}-of-several`,
        place: `monitorTags.tags+${flag}`,
        requirement: "CORE-TAG-55",
        also: ["CORE-FIELD-22", "CORE-TAG-51", "CORE-TAG-52"],
        what: `Of several names in \`tags\`, a stream with \`${flag}\` sends only the ${end} one.`,
        install: (at) =>
          at.query("monitorTags", (query) => {
            const names = text(query["tags"]).split(",");
            return query["tags"] === undefined || query[flag] === undefined
              ? query
              : { ...query, tags: names.at(end === "first" ? 0 : -1) };
          }),
      }),
    ),
  ),
  derived({
    operator: "ignored-together",
    place: "monitorTags.tags+ms",
    requirement: "CORE-TAG-49",
    also: ["CORE-TAG-50"],
    what: "Monitoring ignores `tags` when `ms` is given.",
    install: (at) =>
      at.query("monitorTags", (query) => (query["ms"] === undefined ? query : { ...query, tags: undefined })),
  }),
  ...(["onChanged", "streamInterval"] as const).map((flag) =>
    derived({
      operator: "ignored-together",
      place: `monitorTags.compute+${flag}`,
      requirement: "CORE-TAG-54",
      also: ["CORE-FIELD-23"],
      what: `Monitoring ignores \`compute\` when \`${flag}\` is given.`,
      install: (at) =>
        at.query("monitorTags", (query) =>
          query[flag] === undefined ? query : { ...query, compute: undefined },
        ),
    }),
  ),
  derived({
    operator: "ignored-together",
    place: "monitorTags.compute+tags",
    requirement: "CORE-TAG-54",
    also: ["CORE-FIELD-23"],
    what: "Monitoring ignores `compute` when `tags` has several names.",
    install: (at) =>
      at.query("monitorTags", (query) =>
        text(query["tags"]).includes(",") ? { ...query, compute: undefined } : query,
      ),
  }),
];

export const tagValueFaults: readonly Fault[] = [
  ...mistakenValues,
  ...mistakenWrites,
  ...mistakenMembers,
  ...units,
  ...tagNames,
];
