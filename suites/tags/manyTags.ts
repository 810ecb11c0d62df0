// Many tags at a time: monitored by name and all together, and on one stream.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { inParallel } from "../users/inParallel.ts";

/** More than a page of any usual size. */
const mostWritten = 130;
const mostNamed = 60;
const streamed = 40;
const atOnce = 6;
const allWithinMs = 10_000;
/** A value that no tag is given before. */
const other = 255;

/** Checks that every one of these tags is monitored and streamed. They have the data type uint8. */
export async function verifyManyTags(context: CaseContext, names: readonly string[]): Promise<void> {
  const { gateway, profile, verify } = context;
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
  // The first one is deleted.
  const present = written.filter((name) => name !== names[0]);
  await verifyStreams(context, present, write);
}

/** Checks that streams of many tags have each of them at an interval, and changes of the last one. */
async function verifyStreams(
  { declares, gateway, profile, verify, waitFor }: CaseContext,
  written: readonly string[],
  write: (tag: string, dataValue: number) => Promise<Answer>,
): Promise<void> {
  const { provider, source } = profile.virtualTags;
  const [last] = written.slice(-1);
  const named = written.slice(-streamed);
  const names = { tags: named.join(",") };
  for (const [requirement, query] of [
    ["CORE-TAG-52", { onChanged: true }],
    ["CORE-TAG-51", { streamInterval: 1000 }],
  ] as const) {
    if (!declares("tag-stream") || last === undefined) {
      const reason = "the profile declares no tag streams";
      verify(requirement).notApplicable("a stream of many tags", reason);
      continue;
    }
    const isOfChanges = requirement === "CORE-TAG-52";
    await using byName = await gateway.admin.openTagStream({ provider, source }, { ...names, ...query });
    await using whole = await gateway.admin.openTagStream({ provider, source }, query);
    const streams = [
      { stream: byName, wanted: isOfChanges ? [last] : named, what: `with ${named.length} names` },
      { stream: whole, wanted: isOfChanges ? [last] : written, what: "of a whole source with many tags" },
    ];
    const missingOn = ({ stream, wanted }: (typeof streams)[number]): string[] => {
      const received = stream.received.map(({ value }) => value);
      const counted = isOfChanges
        ? received.filter(({ dataValue }) => Number(dataValue) === other)
        : received;
      const shown = new Set(counted.map(({ tagName }) => tagName));
      return wanted.filter((name) => !shown.has(name));
    };
    if (isOfChanges) await write(last, other);
    const isDone = (): true | undefined =>
      streams.every((one) => one.stream.ended || missingOn(one).length === 0) ? true : undefined;
    const limits = { deadlineMs: allWithinMs, everyMs: 20 };
    await waitFor("the tags on their streams", isDone, limits).catch(() => undefined);
    for (const one of streams) {
      const { stream, what } = one;
      // How long an address may be, how many streams may be open and what ends one is not stated.
      if (stream.status === 200 && (!stream.ended || missingOn(one).length === 0))
        verify(requirement).equal(
          missingOn(one).slice(0, 3),
          [],
          `tags without ${isOfChanges ? `the change to ${other}` : "a value"} within ${allWithinMs / 1000} s on a stream ${what}`,
          stream,
        );
      else
        verify(requirement).notApplicable(
          `a stream ${what}`,
          `it has ended, or was answered with ${stream.status}`,
        );
    }
  }
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
