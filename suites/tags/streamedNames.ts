// Names in `tags` of a stream: as they are, with characters that a query escapes and with capitals.
import type { CaseContext } from "../../harness/index.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { caseTwins, similarTag } from "./similarTags.ts";

const first = 81;

/** Checks that a stream of one name has its tag and no other. */
export async function verifyStreamedNames(context: CaseContext, one: OwnTag): Promise<void> {
  const { gateway, verify } = context;
  // Which characters a name may have, and whether case distinguishes names, is not stated.
  const odd = await similarTag(context, one, { tagName: `${one.tagName}%41+b` });
  const twins = await caseTwins(context);
  const tags = [odd, ...(twins ?? [])].filter((tag) => tag !== undefined);
  for (const [index, tag] of tags.entries()) {
    const { path, tagName } = tag;
    await using stream = await gateway.admin.openTagStream(path, { tags: tagName, onChanged: true });
    // The others change first: on a stream that has them, they come before the last value.
    for (const other of tags) if (other !== tag) await write(context, other, first + 10 * index);
    const value = first + 10 * index + 1;
    await write(context, tag, value);
    const own = await stream
      .next("the value of the tag", (item) => item.value.dataValue === value)
      .catch(() => undefined);
    if (own === undefined && (stream.ended || stream.status !== 200)) continue;
    verify("CORE-TAG-52").that(own !== undefined, {
      what: `change on a stream with the name ${JSON.stringify(tagName)} in \`tags\``,
      expected: `${value} within 5 s`,
      observed: own === undefined ? "not received within 5 s" : String(value),
      evidence: stream,
    });
    verify("CORE-TAG-55").equal(
      [...new Set(stream.received.map((item) => item.value.tagName))].filter((name) => name !== tagName),
      [],
      `other tags on a stream with the name ${JSON.stringify(tagName)} in \`tags\``,
      stream,
    );
  }
}
