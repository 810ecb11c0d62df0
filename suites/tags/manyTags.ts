// Many tags at a time: monitored by name and all together, and on one stream.
import type { CaseContext } from "../../harness/index.ts";
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
  const answers = await inParallel(names.slice(-mostWritten), atOnce, async (name) => ({
    name,
    isWritten: (await write(name, 7)).accepted,
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
    const shown = new Set([answer.data()].flat().map(({ tagName }) => tagName));
    verify(requirement).equal(
      wanted.filter((name) => !shown.has(name)).slice(0, 3),
      [],
      `tags that monitoring ${"tags" in query ? "with their names" : "of the whole source"} does not show, out of ${wanted.length}`,
      answer,
    );
  }
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
  await write(last, 8);
  const next = await stream
    .next("the change", ({ value }) => value.tagName === last && Number(value.dataValue) === 8)
    .catch(() => undefined);
  verify("CORE-TAG-52").that(next !== undefined, {
    what: `change of the last of ${Math.min(streamed, written.length)} tags that a stream names`,
    expected: "8 within 5 s",
    observed: next === undefined ? "not received within 5 s" : "8",
    evidence: stream,
  });
}
