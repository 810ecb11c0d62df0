// Many tags at a time: monitored by name and all together, and on one stream.
import type { CaseContext } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { inParallel } from "../users/inParallel.ts";

/** More than a page of any usual size. */
const mostWritten = 130;
const mostNamed = 60;
const streamed = 40;
const atOnce = 6;

/** Checks that every one of these tags is monitored and streamed. They have the data type uint8. */
export async function verifyManyTags(context: CaseContext, names: readonly string[]): Promise<void> {
  const { declares, gateway, profile, verify } = context;
  const { provider, source } = profile.virtualTags;
  const write = (tag: string, dataValue: number) =>
    gateway.admin.call("writeTag", {
      path: { provider, source, tag },
      json: { dataType: "uint8", dataValue },
    });
  const values = new Map(names.slice(-mostWritten).map((name, index) => [name, index]));
  const answers = await inParallel([...values], atOnce, async ([name, value]) => ({
    name,
    isWritten: (await write(name, value)).accepted,
  }));
  const written = answers.filter(({ isWritten }) => isWritten).map(({ name }) => name);
  for (const [requirement, wanted, query] of [
    ["CORE-TAG-48", written, {}],
    ["CORE-TAG-49", written.slice(-mostNamed), { tags: written.slice(-mostNamed).join(",") }],
  ] as const) {
    const answer = await gateway.admin.call("monitorTags", { path: { provider, source }, query });
    // How long an address may be is not stated.
    if (requirement === "CORE-TAG-49" && !answer.accepted) {
      verify(requirement).notApplicable(`monitoring of ${wanted.length} names`, "the gateway rejects them");
      continue;
    }
    const shown = new Map([answer.data()].flat().map(({ tagName, dataValue }) => [tagName, dataValue]));
    verify(requirement).equal(
      wanted.filter((name) => !shown.has(name)).slice(0, 3),
      [],
      `tags that monitoring ${"tags" in query ? "with their names" : "of the whole source"} does not show, out of ${wanted.length}`,
      answer,
    );
    verify(requirement).equal(
      wanted.filter((name) => shown.has(name) && shown.get(name) !== values.get(name)).slice(0, 3),
      [],
      `tags whose value monitoring ${"tags" in query ? "with their names" : "of the whole source"} does not show, out of ${wanted.length} with values of their own`,
      answer,
    );
  }
  await verifyLists(context, names);
  const [last] = written.slice(-1);
  if (!declares("tag-stream") || last === undefined)
    return verify("CORE-TAG-52").notApplicable(
      "a stream of many tags",
      "the profile declares no tag streams",
    );
  await using stream = await gateway.admin.openTagStream(
    { provider, source },
    { tags: written.slice(-streamed).join(","), onChanged: true },
  );
  if (stream.status !== 200)
    return verify("CORE-TAG-52").notApplicable(
      "a stream of many tags",
      `it was answered with ${stream.status}`,
    );
  const other = 255;
  await write(last, other);
  const next = await stream
    .next("the change", ({ value }) => value.tagName === last && Number(value.dataValue) === other)
    .catch(() => undefined);
  verify("CORE-TAG-52").that(next !== undefined, {
    what: `change of the last of ${Math.min(streamed, written.length)} tags that a stream names`,
    expected: `${other} within 5 s`,
    observed: next === undefined ? "not received within 5 s" : String(other),
    evidence: stream,
  });
}

/** Checks that List tags with their provider has all of the tags, and the answer of a deletion those that remain. */
async function verifyLists(
  { gateway, profile, verify }: CaseContext,
  names: readonly string[],
): Promise<void> {
  const { provider, source } = profile.virtualTags;
  const missing = (wanted: readonly string[], tags: readonly Tag[]): string[] => {
    const shown = new Set(tags.map(({ tagName }) => tagName));
    return wanted.filter((name) => !shown.has(name)).slice(0, 3);
  };
  const list = await gateway.admin.call("listTags", { query: { provider } });
  if (verify("CORE-TAG-61").accepted(list))
    verify("CORE-TAG-61").equal(
      missing(names, list.data()),
      [],
      `tags of a provider that List tags with its name does not show, out of ${names.length}`,
      list,
    );
  const [first, ...others] = names;
  if (first === undefined || others.length === 0)
    return verify("CORE-TAG-57").notApplicable(
      "a deletion beside many tags",
      "the gateway accepted fewer than two",
    );
  const deleted = await gateway.admin.call("deleteVirtualTag", {
    json: { prvdName: provider, srcName: source, tagName: first },
  });
  if (verify("CORE-TAG-57").accepted(deleted))
    verify("CORE-TAG-57").equal(
      missing(others, deleted.data()),
      [],
      `virtual tags that remain and are missing from the answer to a deletion, out of ${others.length}`,
      deleted,
    );
}
