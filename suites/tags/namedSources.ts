// Streams and history of a tag in a source that a client named: a gateway may make them at its start.
import type { CaseContext } from "../../harness/index.ts";
import type { VirtualTagInput } from "../../interface/resources/tags.ts";
import { keptMs, oneTimeReason, searchesOneTime } from "../support/pastSearch.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";
import { pathOf } from "../support/virtualTag.ts";
import { monitoredPast, valuesOf } from "./monitored.ts";
import { write } from "./ownTag.ts";

const search = "CORE-TAG-50";
const streams = ["CORE-TAG-51", "CORE-TAG-52"] as const;
export const namedSourceRequirements = [search, ...streams] as const;

/** Unlike the values on the streams. */
const searched = 9003;
const inAnotherPlace = "a tag in another source or provider";

/** Checks that both kinds of streams of the int32 tag, and a search, have a further value. */
export async function verifyStreamsAndHistory(context: CaseContext, tag: VirtualTagInput): Promise<void> {
  const { clock, declares, gateway, verify } = context;
  const path = pathOf(tag);
  const own = { ...tag, path };
  const where = JSON.stringify([tag.prvdName, tag.srcName]);
  if (declares("tag-stream")) {
    const open = (query: object) => gateway.admin.openTagStream(path, { tags: tag.tagName, ...query });
    const streamInterval = await takenIntervalMs(context, path);
    // One after the other: how many streams may be open at a time is not stated.
    for (const [requirement, query, streamed] of [
      ["CORE-TAG-51", { streamInterval }, 9001],
      ["CORE-TAG-52", { onChanged: true }, 9002],
    ] as const) {
      await using stream = await open(query);
      await write(context, own, streamed);
      const next = await stream
        .next("the written value", ({ value }) => value.dataValue === streamed)
        .catch(() => undefined);
      const what = `written value on a stream with ${Object.keys(query).join()} of a tag in the source ${where}`;
      // When a stream ends is not stated.
      if (next === undefined && (stream.ended || stream.status !== 200))
        verify(requirement).notApplicable(what, "the stream was rejected or ended");
      else
        verify(requirement).that(next !== undefined, {
          what,
          expected: `${streamed} within 5 s`,
          observed: next === undefined ? "not received within 5 s" : `${streamed} within 5 s`,
          evidence: stream,
        });
    }
  } else
    for (const requirement of streams)
      verify(requirement).notApplicable(inAnotherPlace, "the profile declares no tag streams");
  const writtenMs = clock.nowMs();
  await write(context, own, searched);
  const query = { tags: tag.tagName, ms: 60_000 };
  const shown = valuesOf(await monitoredPast(context, own, query, () => [searched]), own);
  const what = `presence of a value, written before, with \`ms=60000\` in the source ${where}`;
  if (!shown.includes(searched) && shown.length < 2 && (await searchesOneTime(context)))
    verify(search).notApplicable(what, oneTimeReason);
  else if (!shown.includes(searched) && clock.nowMs() - writtenMs >= keptMs(context))
    verify(search).notApplicable(what, "the history may reach back less, or have values later");
  else verify(search).equal(shown.includes(searched), true, what);
}

/** Where the gateway has no such tag. */
export function noNamedSource({ verify }: CaseContext): void {
  for (const requirement of namedSourceRequirements)
    verify(requirement).notApplicable(inAnotherPlace, "the gateway rejects such names");
}
