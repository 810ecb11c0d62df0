// The results of a fleet as its page carries them: names and texts as JSON, and a byte for each gateway, night and
// requirement, compressed.
import { deflateRawSync } from "node:zlib";
import { requirements as known } from "../../interface/requirements/index.ts";
import type { FleetHistory, FleetTurn, FleetUnit, TurnOutcome } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { visibleText } from "../text/visibleText.ts";
import { typeOf } from "./unitWords.ts";

const statements = new Map<string, string>(known.map(({ id, statement }) => [id, statement]));
const turnLetters: Readonly<Record<TurnOutcome, string>> = {
  conformant: "c",
  "non-conformant": "x",
  inconclusive: "i",
  incomplete: "o",
  "set-aside": "s",
  waiting: "w",
};
const absent = "-";

/** Texts and numbers for the script of the page. */
interface FleetData {
  readonly madeAt: string;
  readonly staleAfterHours: number;
  readonly nights: readonly { readonly day: string; readonly title: string }[];
  readonly requirements: readonly (readonly [id: string, statement: string])[];
  readonly firmware: readonly string[];
  readonly texts: readonly string[];
  readonly units: readonly {
    readonly name: string;
    readonly lab: string;
    readonly type: string;
    readonly labels: string;
    /** A letter for each night. */
    readonly turns: string;
    /** For each night the index of its firmware, or -1. */
    readonly firmware: readonly number[];
    /** Index of the night of the last result, or -1. */
    readonly last: number;
    readonly evidence?: string;
    /** Pairs of a requirement's index and a text's index. */
    readonly reasons: readonly (readonly [number, number])[];
    /** Texts of nights in which the gateway was not run. */
    readonly asides: readonly (readonly [number, number])[];
  }[];
}

export interface PackedFleet {
  readonly data: FleetData;
  /** Bytes of the cells as base64 of raw deflate. */
  readonly cells: string;
}

/** A list whose entries are stored once. */
class Index {
  readonly all: string[] = [];
  readonly #places = new Map<string, number>();

  of(text: string): number {
    const place = this.#places.get(text) ?? this.all.push(visibleText(text)) - 1;
    this.#places.set(text, place);
    return place;
  }
}

export function packFleet(history: FleetHistory): PackedFleet {
  const { nights, requirements, units, madeAt, staleAfterHours } = history;
  const tested = testedPlaces(requirements.length, units);
  const column = new Map(tested.map((place, index) => [requirements[place] ?? "", index]));
  const firmware = new Index();
  const texts = new Index();
  const cells = new Uint8Array(units.length * nights.length * tested.length);
  // Requirements that were not tested in these nights are omitted; mostly there are none.
  const isWhole = tested.length === requirements.length;
  for (const [index, { results }] of units.entries())
    for (const [night, codes] of results.entries()) {
      if (codes === undefined) continue;
      const begin = (index * nights.length + night) * tested.length;
      if (isWhole) cells.set(codes, begin);
      else for (const [at, place] of tested.entries()) cells[begin + at] = codes[place] ?? 0;
    }
  const data: FleetData = {
    madeAt,
    staleAfterHours,
    nights: nights.map(({ startedAt, level, state }) => ({
      day: startedAt.slice(5, 10),
      title: `${instant(startedAt).slice(0, 16)}, level ${level}${state === "finished" ? "" : `, ${state}`}`,
    })),
    requirements: tested.map((place) => {
      const id = requirements[place] ?? "";
      return [visibleText(id), (statements.get(id) ?? "").replaceAll("`", "")];
    }),
    units: units.map((unit) => ({
      name: visibleText(unit.name),
      lab: visibleText(unit.lab),
      type: visibleText(typeOf(unit)),
      labels: visibleText(labelsText(unit)),
      turns: unit.turns.map((turn) => (turn === undefined ? absent : turnLetters[turn.outcome])).join(""),
      firmware: unit.turns.map((turn) => (turn?.firmware === undefined ? -1 : firmware.of(turn.firmware))),
      last: unit.last?.night ?? -1,
      ...(unit.last?.evidence === undefined ? {} : { evidence: visibleText(unit.last.evidence) }),
      reasons: [...(unit.last?.reasons ?? [])].flatMap(([id, reason]) => {
        const place = column.get(id);
        return place === undefined ? [] : [[place, texts.of(reason)] as const];
      }),
      asides: unit.turns.flatMap((turn, night) =>
        isAside(turn) ? [[night, texts.of(turn.reason)] as const] : [],
      ),
    })),
    firmware: firmware.all,
    texts: texts.all,
  };
  return { data, cells: deflateRawSync(cells).toString("base64") };
}

function isAside(turn: FleetTurn | undefined): turn is FleetTurn & { readonly reason: string } {
  return turn?.reason !== undefined;
}

function testedPlaces(count: number, units: readonly FleetUnit[]): number[] {
  const tested = new Set<number>();
  for (const { results } of units)
    for (const codes of results)
      for (let place = 0; place < count; place++) if ((codes?.[place] ?? 0) !== 0) tested.add(place);
  return [...tested].toSorted((a, b) => a - b);
}

function labelsText({ labels }: FleetUnit): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
