// Values of type raw: their notation is not stated, and that they are shown and change is.
import type { CaseContext } from "../../harness/index.ts";
import { awaitDelivery } from "./delivery.ts";
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
    new Set(stream?.received.slice(opening).map(({ value }) => JSON.stringify(value.dataValue)));
  if (stream !== undefined)
    await awaitDelivery(context, [stream], tagName, (marker) =>
      admin.call("writeTag", { path, json: { dataType: "raw", dataValue: btoa(String(marker % 2)) } }),
    );
  const opening = stream?.received.length ?? 0;
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
