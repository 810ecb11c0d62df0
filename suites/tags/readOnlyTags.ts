// Direct access to the read-only tags that the gateway has by itself, and the body of a rejected write.
import type { Answer, CaseContext, GatewayUnderTest, Verify } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { keyOf, listed, pathOf } from "../support/virtualTag.ts";

const mostSources = 20;

/** Checks that a rejected direct write is answered with a message. */
export function verifyMessage(verify: Verify, answer: Answer): void {
  const { message } = (answer.json ?? {}) as { message?: unknown };
  verify.equal(
    typeof message === "string",
    true,
    "presence of a string `message` in the answer to a rejected write",
    answer,
  );
}

/** The same for a write to a tag that does not exist: with which status it is rejected is not stated. */
export function verifyMessageOf400(verify: Verify, answer: Answer): void {
  if (answer.status === 400) verifyMessage(verify, answer);
  else
    verify.notApplicable(
      "`message` of the rejection of a write to a tag that does not exist",
      `the status is ${answer.status}`,
    );
}

/** One read-only tag of each source that monitoring shows with a value. */
async function readOnlyTagsWithValue({ admin }: GatewayUnderTest): Promise<Tag[]> {
  const readOnly = (await admin.call("listTags")).data().filter(({ access }) => access === "r");
  const sources = Map.groupBy(readOnly, ({ prvdName, srcName }) => JSON.stringify([prvdName, srcName]));
  const found: Tag[] = [];
  for (const tags of [...sources.values()].slice(0, mostSources)) {
    const [{ prvdName: provider, srcName: source } = { prvdName: "", srcName: "" }] = tags;
    const answer = await admin.call("monitorTags", { path: { provider, source } });
    if (!answer.accepted) continue;
    const shown = new Set(
      [answer.data()].flat().flatMap((one) => (one.dataValue === null ? [] : [one.tagName])),
    );
    found.push(...tags.filter(({ tagName }) => shown.has(tagName)).slice(0, 1));
  }
  return found;
}

/** Checks that those of these tags that can be read directly reject a write of the value that they have. */
export async function verifyReadOnlyTags({ gateway, verify }: CaseContext): Promise<void> {
  const { admin } = gateway;
  const reads: { readonly tag: Tag; readonly answer: Answer<"readTag"> }[] = [];
  for (const tag of await readOnlyTagsWithValue(gateway))
    reads.push({ tag, answer: await admin.call("readTag", { path: pathOf(tag) }) });
  const writes: { readonly tag: Tag; readonly answer: Answer }[] = [];
  for (const { tag, answer } of reads) {
    if (!answer.accepted) continue;
    const json = { dataType: tag.dataType, dataValue: answer.body().dataValue };
    writes.push({ tag, answer: await admin.call("writeTag", { path: pathOf(tag), json }) });
  }
  // Other clients may have deleted or changed their tags meanwhile.
  const now = await listed(gateway);
  for (const { tag, answer } of writes) {
    if (now.get(keyOf(tag))?.access !== "r") continue;
    verify("CORE-TAG-33").refused(answer, 400);
    verifyMessage(verify("CORE-TAG-33"), answer);
  }
}
