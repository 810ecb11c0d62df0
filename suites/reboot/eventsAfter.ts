// Dated entries of the event log across a reboot: in lists, with filters, counted, and in downloads.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import { severities } from "../../interface/resources/events.ts";
import { page, settledPage } from "../events/support.ts";
import { laterReading } from "../support/createdThings.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { readZip } from "../support/zipFile.ts";

export const eventRequirements = [
  "CORE-EVENT-15",
  "CORE-EVENT-20",
  "CORE-EVENT-23",
  "CORE-EVENT-24",
  "CORE-EVENT-29",
] as const;

type Query = Parameters<typeof page>[1];

/** Ages in another order than that of the dates. */
const agesSec = [30, 50, 40];
const texts = (events: readonly { readonly message: string }[]): string[] =>
  events.map(({ message }) => message);

/** Records the entries and reads them; answers how to check them after a reboot. */
export async function watchEvents(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, clock, random, verify } = context;
  const nowMs = Math.floor(clock.epochMs() / 1000) * 1000;
  // A repeated case has the same random words, and the entries that it made before.
  const own = `rp${random.word(6)}${nowMs / 1000}`;
  const category = (await entryMarks(context)).category(own);
  for (const [index, ageSec] of agesSec.entries()) {
    const createdAt = new Date(nowMs - ageSec * 1000).toISOString();
    const message = `${own} ${ageSec} s ago`;
    const severity = severities[index % severities.length] ?? "info";
    const json = { category, event: own, origin: own, message, severity, createdAt };
    await gateway.admin.call("createEvent", { json });
  }
  const inOrder = { order: "time", sort: "asc" } as const;
  const named = { ...inOrder, eventNames: own };
  const before = (await settledPage(context, named, agesSec.length)).data;
  const severe = { ...named, severities: "warning" } as const;
  const ofOrigin = { ...inOrder, origins: [own] };
  const warnings = before.filter(({ severity }) => severity === "warning");
  const all = [before, warnings, before];
  const each = async <T>(read: (query: Query) => Promise<T>): Promise<T[]> => [
    await read(named),
    await read(severe),
    await read(ofOrigin),
  ];
  const listed = async (query: Query): Promise<string[]> => texts((await page(gateway, query)).data);
  /** Messages that the files of a download show as text. */
  const downloaded = async (query: Query): Promise<string[] | undefined> => {
    const answer = await gateway.admin.call("getEvents", { query: { ...query, download: true } });
    const files = answer.accepted ? await readZip(answer.bytes) : undefined;
    return files && texts(before).filter((message) => files.some(({ content }) => content.includes(message)));
  };
  const filters = "`eventNames`, with `severities` beside it, and with `origins`";
  const views = [
    {
      requirement: "CORE-EVENT-15",
      what: `\`total\` of dated entries with ${filters}`,
      expected: all.map(({ length }) => length),
      read: () => each(async (query) => (await page(gateway, query)).total),
    },
    {
      requirement: "CORE-EVENT-23",
      what: "messages of dated entries listed with `severities` warning",
      expected: texts(warnings),
      read: () => listed(severe),
    },
    {
      requirement: "CORE-EVENT-24",
      what: "messages of dated entries listed with their origin",
      expected: texts(before),
      read: () => listed(ofOrigin),
    },
    {
      requirement: "CORE-EVENT-29",
      what: `messages of dated entries in downloads with ${filters}`,
      expected: all.map(texts),
      read: () => each(downloaded),
    },
  ] as const;
  const shown: (typeof views)[number][] = [];
  // The layout of a file is not shown, and other cases decide the filters: compared is what is as expected before.
  for (const view of views) if (sameValue(await view.read(), view.expected)) shown.push(view);
  return async () => {
    const readings = new Map<string, unknown>();
    for (const view of shown)
      readings.set(view.requirement, await laterReading(context, { kind: "event", ...view }));
    // A lost entry is tested by others; here the order counts, and what shows the entries that are listed.
    const after = await listed(named);
    const areListed = before.length >= agesSec.length && after.length >= before.length;
    const absent = "they are not all listed, or were shown otherwise before";
    if (areListed)
      verify("CORE-EVENT-20").equal(
        after,
        texts(before),
        "messages of dated entries in the order of time after the reboot, compared with before",
      );
    else verify("CORE-EVENT-20").notApplicable("dated entries after the reboot", absent);
    for (const { requirement, what, expected } of views)
      if (areListed && readings.has(requirement))
        verify(requirement).equal(readings.get(requirement), expected, `${what} after the reboot`);
      else verify(requirement).notApplicable(`${what} after the reboot`, absent);
  };
}
