// Pages of events that are dated within the same seconds, some of them before 1970, in every order and direction.
import { type CaseContext } from "../../harness/index.ts";
import type { EntryMarks } from "../support/entryCategories.ts";
import { type EventRecord, eventOrders, eventSorts } from "../../interface/resources/events.ts";
import { dateTimeText } from "../support/dateTime.ts";
import { collations, page, settledPage } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Requirements that `verifyCloseEvents` decides. */
export const closeRequirements = [
  "CORE-EVENT-14",
  "CORE-EVENT-16",
  "CORE-EVENT-17",
  "CORE-EVENT-18",
  "CORE-EVENT-19",
  "CORE-EVENT-20",
  "CORE-EVENT-36",
] as const;

const fractionsPerSecond = 7;
/** Entries of one instant: more than a page, which must not show one of them twice. */
const alike = 14;
const pageLimit = 12;
const offsets = ["Z", "+05:30", "-03:30"] as const;
/** The last second before 1970, the first of 1970, and one that 32 bits cannot count. */
const earlySeconds = [-1, 0, -2_147_483_700];

/** Posts such events of the case in random order and compares the pages with the dates that they show. */
export async function verifyCloseEvents(
  context: CaseContext,
  marks: EntryMarks,
  longestSec: number,
): Promise<void> {
  const { gateway, verify, random, clock } = context;
  const own = `rp${random.word(8)}`;
  const nowSec = Math.floor(clock.epochMs() / 1000);
  const seconds = [nowSec - 90, nowSec - 89, ...earlySeconds].filter((sec) => nowSec - sec < longestSec);
  const fraction = (): string =>
    `.${Array.from({ length: random.integer(1, 6) }, () => random.integer(0, 9)).join("")}`;
  const dates = seconds.flatMap((second) =>
    ["", ...Array.from({ length: fractionsPerSecond }, fraction)].map((part) => ({
      createdAt: dateTimeText(second * 1000, random.pick(offsets), part),
      sentMs: second * 1000 + Math.floor(Number(`0${part}`) * 1000),
    })),
  );
  const instant = (nowSec - 120) * 1000;
  for (let count = 0; count < alike; count++)
    dates.push({ createdAt: dateTimeText(instant, "Z"), sentMs: instant });
  const sent = new Map<string, number>();
  for (const [index, { createdAt, sentMs }] of random.shuffle(dates).entries()) {
    const json = {
      category: marks.category(`${own}-${"abc"[index % 3]}`),
      event: `${own} ${"xyz"[index % 2]}`,
      origin: own,
      message: `dated ${index}: ${createdAt}`,
      createdAt,
    };
    const answer = await gateway.admin.call("createEvent", { json });
    // Another check decides which dates must be accepted.
    if (answer.rejected) continue;
    answer.body();
    sent.set(json.message, sentMs);
  }
  const total = sent.size;
  const origins = [own];
  await settledPage(context, { origins, limit: 1 }, total);
  for (const order of [undefined, ...eventOrders])
    for (const sort of [undefined, ...eventSorts]) {
      const some = { ...(order === undefined ? {} : { order }), ...(sort === undefined ? {} : { sort }) };
      const records: EventRecord[] = [];
      for (let offset = 0; offset < total; offset += pageLimit)
        records.push(...(await page(gateway, { origins, ...some, limit: pageLimit, offset })).data);
      const what = `of the pages with ${JSON.stringify(some)}`;
      verify("CORE-EVENT-14").equal(
        records.map(({ message }) => message).toSorted(),
        [...sent.keys()].toSorted(),
        `events ${what}, whatever their order`,
      );
      const member = order === "category" ? "category" : order === "eventName" ? "event" : "createdAt";
      const shown = records.map((one) => one[member]);
      const readings: readonly ((text: string) => string | number)[] =
        member === "createdAt" ? [epochMsOf] : collations;
      const keys = readings.map((key) => shown.map((text) => key(text)));
      const direction = sort === "asc" ? "ascending" : "descending";
      const byTime = sort === "asc" ? "CORE-EVENT-20" : sort === "desc" ? "CORE-EVENT-16" : "CORE-EVENT-17";
      const requirement =
        member === "createdAt" ? byTime : member === "category" ? "CORE-EVENT-18" : "CORE-EVENT-19";
      verify(requirement).that(
        keys.some((one) => isOrdered(sort === "asc" ? one : one.toReversed())),
        {
          what: `\`${member}\` ${what}`,
          expected: `${direction} order`,
          observed: shown,
        },
      );
      if (order !== undefined || sort !== undefined) continue;
      // A log may count in whole seconds.
      const moved = records.filter(
        ({ message, createdAt }) => Math.abs(epochMsOf(createdAt) - (sent.get(message) ?? 0)) >= 1000,
      );
      verify("CORE-EVENT-36").equal(
        moved.map(({ message, createdAt }) => ({ message, createdAt })),
        [],
        "entries with a `createdAt` 1 s or more from the one sent",
      );
    }
}

function isOrdered(keys: readonly (string | number)[]): boolean {
  return keys.every((key, index) => {
    const before = keys[index - 1];
    return before === undefined || before <= key;
  });
}
