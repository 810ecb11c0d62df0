import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { readZip, type ZipEntry } from "../support/zipFile.ts";
import { type Download, verifyDownloadedTexts } from "./downloadedTexts.ts";
import { filterQueries, ownEvents } from "./ownEvents.ts";
import { post, type PostedEvent, requireKeptEvents, settledPage } from "./support.ts";
import { type EntryMarks, entryMarks } from "../support/entryCategories.ts";

/** Fewer than a default page, in case the download is a page as well; with a limit, more than one. */
const downloadedEvents = 40;
const manyEvents = 130;
const daySec = 86_400;
/** The same day, others, another month, and other years. */
const agesInDays = [0, 1, 2, 9, 40, 400, 4000];
const queriesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 4, nightly: 80, certification: 200 };

export const downloadingCases: readonly TestCase[] = [
  testCase({
    id: "events/download-is-a-zip",
    title: "The events that match the filters are downloaded as a zip file",
    group: "events",
    requirements: ["CORE-EVENT-29", "CORE-EVENT-79"],
    effect: "reversible",
    touches: ["event-log"],
    capabilities: ["events"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, level, note, random, verify } = context;
      const marks = await entryMarks(context);
      const { longestSec } = await requireKeptEvents(context);
      const own = random.word(14);
      const events = ownEvents(context, marks, downloadedEvents).map((event, index) => ({
        ...event,
        message: `rp${own}n${index}e`,
      }));
      await post(context, events);
      const messages = events.map(({ message }) => message);
      const mine = await download(context, marks.query(...events));
      if (mine === undefined) return;
      const seen = shownIn(mine.entries, messages);
      if (seen.length === 0) {
        // The format of the files is not shown: one that shows an event as text must show every one.
        note("the downloaded files do not show events as text");
        return verify("CORE-EVENT-79").notApplicable(
          "events of a download with filters",
          "the downloaded files do not show events as text",
        );
      }
      verify("CORE-EVENT-29").equal(
        messages.filter((message) => !seen.includes(message)),
        [],
        `events created before the download and missing from its files, out of ${messages.length}`,
        mine.answer,
      );
      await verifyAtOnce(context, events);
      const newest = { category: marks.category(own), event: own, origin: own, message: `rp${own}newest` };
      (await gateway.admin.call("createEvent", { json: newest })).body();
      await settledPage(context, marks.query(newest), 1);
      if (!(await verifyDownloadedTexts(context, marks, (query) => download(context, query)))) return;
      if (!(await verifyOldEvents(context, marks, longestSec))) return;
      const all = await download(context, {});
      if (all === undefined) return;
      verify("CORE-EVENT-29").equal(
        shownIn(all.entries, [newest.message]),
        [newest.message],
        "newest event in a download without filters",
        all.answer,
      );
      for (const { query, what, fits } of random
        .shuffle(filterQueries(marks, events))
        .slice(0, queriesByLevel[level])) {
        const some = await download(context, query);
        if (some === undefined) return;
        const wanted = events.filter(fits).map(({ message }) => message);
        const shown = shownIn(some.entries, messages);
        verify("CORE-EVENT-29").equal(
          wanted.filter((message) => !shown.includes(message)),
          [],
          `${what} missing from the download with these filters`,
          some.answer,
        );
        verify("CORE-EVENT-79").equal(
          shown.filter((message) => !wanted.includes(message)),
          [],
          `events in the download that are not ${what}`,
          some.answer,
        );
      }
      const rest = ownEvents(context, marks, manyEvents).map((event, index) => ({
        ...event,
        message: `rp${own}m${index}e`,
      }));
      await post(context, rest);
      const query = { ...marks.query(...rest), limit: manyEvents };
      const listedPage = await gateway.admin.call("getEvents", { query });
      const many = await gateway.admin.call("getEvents", { query: { ...query, download: true } });
      // A limit for a download is not stated, and the largest page is not either.
      if (!many.accepted || !listedPage.accepted || listedPage.body().limit !== manyEvents) return;
      const listed = shownIn(
        (await readZip(many.bytes)) ?? [],
        rest.map(({ message }) => message),
      );
      verify("CORE-EVENT-29").equal(
        listed.length,
        rest.length,
        `number of events in a download with limit ${manyEvents}, out of ${rest.length} matching`,
        many,
      );
    },
  }),
];

/** Checks that each of several downloads at the same time has its own events, and none that its filter excludes. */
async function verifyAtOnce(context: CaseContext, events: readonly PostedEvent[]): Promise<void> {
  const origins = [...new Set(events.map(({ origin }) => origin))];
  const messagesOf = (isWanted: (origin: string) => boolean): string[] =>
    events.filter((event) => isWanted(event.origin)).map(({ message }) => message);
  const { gateway, verify } = context;
  const answers = await Promise.all(
    [...origins, ...origins].map(async (origin) => {
      const query = { origins: [origin], download: true };
      return { origin, answer: await gateway.admin.call("getEvents", { query }) };
    }),
  );
  for (const { origin, answer } of answers) {
    // How many downloads a gateway serves at the same time is not stated.
    const file = answer.accepted ? await filesOf(context, answer) : undefined;
    if (file === undefined) continue;
    const what = `a download with \`origins\` ${origin}, at the same time as others`;
    const wanted = messagesOf((one) => one === origin);
    const shown = shownIn(file.entries, wanted);
    const excluded = shownIn(
      file.entries,
      messagesOf((one) => one !== origin),
    );
    verify("CORE-EVENT-79").equal(excluded, [], `events of other origins in ${what}`, answer);
    const missing = wanted.filter((message) => !shown.includes(message));
    verify("CORE-EVENT-29").equal(missing, [], `events missing from ${what}`, answer);
  }
}

/** The files of the download; undefined when it is no zip file with files. */
async function download(context: CaseContext, query: object): Promise<Download | undefined> {
  const { gateway, verify } = context;
  const answer = await gateway.admin.call("getEvents", { query: { ...query, download: true } });
  return verify("CORE-EVENT-29").accepted(answer) ? filesOf(context, answer) : undefined;
}

async function filesOf({ verify }: CaseContext, answer: Answer<"getEvents">): Promise<Download | undefined> {
  const entries = await readZip(answer.bytes);
  const isZip = verify("CORE-EVENT-29").that(entries !== undefined && entries.length > 0, {
    what: "body of the event download",
    expected: "a zip file with at least one file",
    observed: `${answer.bytes.length} bytes of ${answer.headers["content-type"]}`,
    evidence: answer,
  });
  return isZip && entries !== undefined ? { answer, entries } : undefined;
}

/**
 * Downloads events of several days, months and years, as far as the log keeps them; every one that is listed must be in
 * the files. Returns false where the download failed.
 */
async function verifyOldEvents(
  context: CaseContext,
  marks: EntryMarks,
  longestSec: number,
): Promise<boolean> {
  const { gateway, clock, random, verify } = context;
  const own = `rp${random.word(10)}`;
  const names = { category: marks.category(own), event: own, origin: own };
  const ages = agesInDays.filter((days) => (days + 2) * daySec < longestSec);
  let sent = 0;
  for (const days of random.shuffle(ages)) {
    const now = clock.epochMs() - days * daySec * 1000;
    // Of an older one the day differs between its offset and UTC: in the afternoon before, or in the first hour.
    const [fromMidnightMs, offset] = random.pick([
      [-4 * 3600_000, "+05:30"],
      [3600_000, "-03:30"],
    ] as const);
    const midnightMs = Math.floor(now / (daySec * 1000)) * daySec * 1000;
    const createdAt =
      days < 2 ? new Date(now).toISOString() : dateTimeText(midnightMs + fromMidnightMs, offset);
    const json = { ...names, message: `${own}d${days}e`, createdAt };
    const answer = await gateway.admin.call("createEvent", { json });
    // Another case decides which dates must be accepted.
    if (answer.rejected) continue;
    answer.body();
    sent += 1;
  }
  const listed = (await settledPage(context, marks.query(names), sent)).data.map(({ message }) => message);
  const found = await download(context, marks.query(names));
  if (found === undefined) return false;
  const shown = shownIn(found.entries, listed);
  verify("CORE-EVENT-29").equal(
    listed.filter((message) => !shown.includes(message)),
    [],
    `listed events missing from a download, created ${ages.join(", ")} days ago`,
    found.answer,
  );
  return true;
}

function shownIn(entries: readonly ZipEntry[], messages: readonly string[]): string[] {
  return messages.filter((message) => entries.some(({ content }) => content.includes(message)));
}
