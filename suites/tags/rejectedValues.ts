// Values of rejected direct writes: neither monitoring nor a stream of changes shows them.
import type { CaseContext } from "../../harness/index.ts";
import { valuesOn } from "../support/onStream.ts";
import { monitored, valuesOf } from "./monitored.ts";
import { write } from "./ownTag.ts";
import { wrongValues } from "./values.ts";

const good = 7;
const marker = 8;

/** Writes wrong values to an int32 tag that a stream follows, and then a right one. */
export async function verifyNotShown(context: CaseContext): Promise<void> {
  const { declares, gateway, scratch, verify } = context;
  const tag = await scratch.virtualTag({ dataType: "int32" });
  const { path, tagName } = tag;
  await write(context, tag, good);
  await using streams = new AsyncDisposableStack();
  const stream = declares("tag-stream")
    ? streams.use(await gateway.admin.openTagStream(path, { tags: tagName, onChanged: true }))
    : undefined;
  let accepted = 0;
  for (const dataValue of wrongValues.int32 ?? []) {
    const json = { dataType: "int32", dataValue };
    if ((await gateway.admin.callInvalid("writeTag", { path, json })).accepted) accepted += 1;
  }
  // An accepted one is tested above.
  if (accepted > 0)
    return verify("CORE-TAG-53").notApplicable("values of rejected writes", "the gateway accepts the writes");
  verify("CORE-ROBUST-03").equal(
    valuesOf(await monitored(context, tag, { tags: tagName }), tag).at(-1),
    good,
    "monitored value of an int32 tag after rejected writes",
  );
  await write(context, tag, marker);
  const last = await stream
    ?.next("the value after them", ({ value }) => value.dataValue === marker)
    .catch(() => undefined);
  if (stream === undefined || last === undefined)
    return verify("CORE-TAG-53").notApplicable("values of rejected writes on a stream", "no stream was open");
  // A stream may open with the present value.
  const others = valuesOn(stream).filter(({ shown }) => shown !== marker);
  verify("CORE-TAG-53").that(others.length === 0 || (others.length === 1 && others[0]?.shown === good), {
    what: "values on a stream of changes before and during rejected writes",
    expected: `none, or ${good} once`,
    observed: others.map(({ shown }) => String(shown)),
    evidence: stream,
  });
}
