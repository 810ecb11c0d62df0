// Values of type raw: their notation is not stated, and that they are shown and change is.
import type { CaseContext } from "../../harness/index.ts";
import { goodValues } from "./values.ts";
import { monitored, valuesOf } from "./monitored.ts";

/** Checks that monitoring shows two different values after different writes, and that a stream shows the change. */
export async function verifyRaw(context: CaseContext): Promise<void> {
  const { declares, gateway, scratch, verify } = context;
  const { admin } = gateway;
  const tag = await scratch.virtualTag({ dataType: "raw" });
  const { path, tagName } = tag;
  const shown: string[] = [];
  await using streams = new AsyncDisposableStack();
  const stream = declares("tag-stream")
    ? streams.use(await admin.openTagStream(path, { tags: tagName, onChanged: true }))
    : undefined;
  const changes = (): Set<string> =>
    new Set(stream?.received.map(({ value }) => JSON.stringify(value.dataValue)));
  for (const dataValue of goodValues.raw) {
    const written = await admin.call("writeTag", { path, json: { dataType: "raw", dataValue } });
    if (!written.accepted) return;
    shown.push(
      JSON.stringify(valuesOf(await monitored(context, tag, { tags: tagName }), tag).at(-1) ?? null),
    );
  }
  verify("CORE-TAG-48").that(new Set(shown).size === shown.length && !shown.includes("null"), {
    what: `monitored values of a raw tag after writes of ${goodValues.raw.join(" and ")}`,
    expected: "two different values",
    observed: shown,
  });
  if (stream?.status !== 200) return;
  await stream.next("the second value", () => changes().size >= shown.length).catch(() => undefined);
  if (stream.ended) return;
  verify("CORE-TAG-52").that(changes().size >= shown.length, {
    what: "different values of a raw tag on a stream of changes, after these writes",
    expected: `at least ${shown.length}`,
    observed: [...changes()],
    evidence: stream,
  });
}

export interface RawRead {
  /** Base64 as written. */
  readonly written: string;
  readonly seen: unknown;
}

/**
 * Checks direct reads after writes of raw values. Their notation is not stated: where one is read in a usual notation, all
 * must be; else different ones must differ.
 */
export function verifyRawReads({ verify }: CaseContext, reads: readonly RawRead[]): void {
  const isUsual = reads.some(isInUsualNotation);
  const shown = new Set(reads.map(({ seen }) => JSON.stringify(seen ?? null)));
  verify("CORE-TAG-30").that(
    isUsual ? reads.every(isInUsualNotation) : shown.size === reads.length && !shown.has("null"),
    {
      what: "direct reads of a raw tag after writes",
      expected: isUsual ? reads.map(({ written }) => written).join(", ") : "a different value for each",
      observed: reads.map(({ seen }) => seen ?? null),
    },
  );
}

/** Whether base64 with or without padding, hexadecimal digits or a list of numbers show the bytes that were written. */
export function isInUsualNotation({ written, seen }: RawRead): boolean {
  const bytes = Buffer.from(written, "base64");
  if (Array.isArray(seen)) return seen.join() === [...bytes].join();
  if (typeof seen !== "string") return false;
  return seen.toLowerCase() === bytes.toString("hex") || base64Of(seen) === base64Of(written);
}

const base64Of = (text: string): string => text.replace(/=+$/u, "").replaceAll("-", "+").replaceAll("_", "/");
