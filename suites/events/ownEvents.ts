// Events of a case that differ in every member by which Get events filters, and the queries that tell them apart.
import type { CaseContext } from "../../harness/index.ts";
import type { EntryMarks } from "../support/entryCategories.ts";
import { severities } from "../../interface/resources/events.ts";
import { dateTimeText } from "../support/dateTime.ts";
import type { page, PostedEvent } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const distinct = (values: Iterable<string>): string[] => [...new Set(values)];
const offsets = ["+05:30", "Z", "-03:30"] as const;

/**
 * Events of the case: three categories, four names, two origins, all severities, 1 s apart and dated in three offsets,
 * posted in random order. The first is the newest.
 */
export function ownEvents({ random, clock }: CaseContext, marks: EntryMarks, count: number): PostedEvent[] {
  const own = `rp${random.word(8)}`;
  const newestMs = Math.floor(clock.epochMs() / 1000) * 1000 - 60_000;
  return Array.from({ length: count }, (_, index): PostedEvent => ({
    category: marks.category(`${own}-${"abc"[index % 3]}`),
    event: `${own} event ${"wxyz"[(index * 7) % 4]}`,
    origin: `${own}-${index % 5 === 0 ? "second" : "first"}`,
    message: `number ${index}`,
    severity: severities[index % severities.length] ?? "info",
    user: "",
    userOrigin: "127.0.0.1",
    createdAt: dateTimeText(newestMs - index * 1000, offsets[index % 3] ?? "Z"),
  }));
}

/** Events whose texts are those of other members of the events above: a filter that searches other members finds them. */
export function decoysOf(marks: EntryMarks, events: readonly PostedEvent[]): PostedEvent[] {
  const last = events.at(-1);
  const [first, second, third] = events;
  if (last === undefined || first === undefined || second === undefined || third === undefined) return [];
  const origin = `${first.origin}-decoy`;
  return [
    { category: first.event, event: first.category, severity: "info" as const },
    { category: second.origin, event: second.origin, severity: "alert" as const },
    { category: origin, event: third.severity, severity: "warning" as const },
  ].map((texts, index) => ({
    ...last,
    ...texts,
    category: marks.category(texts.category),
    origin,
    message: `decoy ${index}`,
    user: first.event,
    createdAt: new Date(epochMsOf(last.createdAt) - (index + 1) * 1000).toISOString(),
  }));
}

type FilterName = "categories" | "eventNames" | "severities" | "origins";

export interface FilterQuery {
  readonly requirement: string;
  readonly query: Parameters<typeof page>[1];
  readonly what: string;
  readonly fits: (event: PostedEvent) => boolean;
}

/** Every filter with one value and with two, and every pair of filters with each number of values. */
export function filterQueries(marks: EntryMarks, events: readonly PostedEvent[]): FilterQuery[] {
  const choices: readonly { name: FilterName; member: keyof PostedEvent; id: string }[] = [
    { name: "categories", member: "category", id: "CORE-EVENT-21" },
    { name: "eventNames", member: "event", id: "CORE-EVENT-22" },
    { name: "severities", member: "severity", id: "CORE-EVENT-23" },
    { name: "origins", member: "origin", id: "CORE-EVENT-24" },
  ];
  // Severities, and categories of the catalogue, are not the case's own: alone they let foreign events through.
  const isForeign = (name: FilterName): boolean =>
    name === "severities" || (name === "categories" && !marks.areOwn);
  const mine = distinct(events.map((event) => event.origin));
  const one = ({ name, member, id }: (typeof choices)[number], values: readonly string[]): FilterQuery => ({
    requirement: values.length > 1 && name !== "origins" ? "CORE-EVENT-26" : id,
    query: { [name]: name === "origins" ? values : values.join(",") },
    what: `events with \`${name}\` ${values.join(",")}`,
    fits: (event) => values.includes(event[member]),
  });
  const queries = choices.flatMap((choice) => {
    const values = distinct(events.map((event) => event[choice.member]));
    const scope = one({ name: "origins", member: "origin", id: "" }, mine);
    return [values.slice(0, 1), values.slice(-1), values.slice(0, 2)].map((some) => {
      const query = one(choice, some);
      return { choice, query: isForeign(choice.name) ? both(query.requirement, query, scope) : query };
    });
  });
  const pairs = queries.flatMap((first, index) =>
    queries
      .slice(index + 1)
      .filter(({ choice }) => choice !== first.choice && choice.name !== first.choice.name)
      .map((second) => both("CORE-EVENT-25", first.query, second.query)),
  );
  // Origins first: others are asked within those of the case.
  const isByOrigin = ({ choice }: (typeof queries)[number]): boolean => choice.name === "origins";
  const singles = [...queries.filter(isByOrigin), ...queries.filter((one) => !isByOrigin(one))];
  return [...singles.map(({ query }) => query), ...pairs];
}

function both(requirement: string, a: FilterQuery, b: FilterQuery): FilterQuery {
  return {
    requirement,
    query: { ...a.query, ...b.query },
    what: `${a.what} and ${b.what.replace("events with ", "")}`,
    fits: (event) => a.fits(event) && b.fits(event),
  };
}
