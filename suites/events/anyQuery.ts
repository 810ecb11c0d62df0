// Any combination of filters, order and page of Get events, against the events that the case created. A combination that
// fails is reduced to the parameters that are needed for it.
import fc from "fast-check";
import { type Answer, type CaseContext, sameValue } from "../../harness/index.ts";
import { eventOrders, eventSorts, severities } from "../../interface/resources/events.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { EntryMarks } from "../support/entryCategories.ts";
import { collations, type page, type PostedEvent } from "./support.ts";

type Query = NonNullable<Parameters<typeof page>[1]>;

const queriesByLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 12,
  nightly: 60,
  certification: 400,
};
const defaultLimit = 100;

/** Requirements that `verifyAnyQueries` decides. */
export const queryRequirements = [
  "CORE-EVENT-13",
  "CORE-EVENT-14",
  "CORE-EVENT-15",
  "CORE-EVENT-16",
  "CORE-EVENT-20",
  "CORE-EVENT-25",
] as const;

interface Finding {
  readonly requirement: (typeof queryRequirements)[number];
  readonly what: string;
  readonly expected: unknown;
  readonly observed: unknown;
}

/**
 * Compares answers to any query without one of the broken filters with the events, which are ordered from the newest to
 * the oldest.
 */
export async function verifyAnyQueries(
  context: CaseContext,
  marks: EntryMarks,
  events: readonly PostedEvent[],
  broken: ReadonlySet<string>,
): Promise<void> {
  const { gateway, level, random, verify } = context;
  const decided = new Set<string>();
  const judge = async (query: Query): Promise<boolean> => {
    if (Object.keys(query).some((name) => broken.has(name))) return true;
    const answer = await gateway.admin.call("getEvents", { query });
    const findings = compare(query, answer, events);
    const isRight = findings.every(({ expected, observed }) => sameValue(expected, observed));
    for (const { requirement } of findings) decided.add(requirement);
    if (isRight) record(context, findings, answer);
    return isRight;
  };
  const result = await fc.check(fc.asyncProperty(queriesOn(marks, events), judge), {
    seed: random.integer(0, 0x7fff_ffff),
    numRuns: queriesByLevel[level],
    examples: examplesOn(marks, events),
    interruptAfterTimeLimit: 60_000,
  });
  for (const requirement of queryRequirements.filter((one) => broken.size > 0 && !decided.has(one)))
    verify(requirement).notApplicable("answers to queries", "filters that they need do not work");
  const [smallest] = result.counterexample ?? [];
  if (smallest === undefined) return;
  const answer = await gateway.admin.call("getEvents", { query: smallest });
  if (verify("CORE-EVENT-25").accepted(answer)) record(context, compare(smallest, answer, events), answer);
}

function record({ verify }: CaseContext, findings: readonly Finding[], answer: Answer): void {
  for (const { requirement, what, expected, observed } of findings)
    verify(requirement).equal(observed, expected, what, answer);
}

/** One query at least for each requirement, whatever the seed. */
function examplesOn(marks: EntryMarks, events: readonly PostedEvent[]): [Query][] {
  const origins = distinct(events, "origin");
  const categories = distinct(events, "category").join(",");
  return [
    [{ categories, ...marks.scope(...events) }],
    [{ origins, severities: "info", sort: "asc" }],
    [{ origins, severities: "info", sort: "asc", offset: 2 }],
    [{ origins, order: "time", sort: "desc", severities: "info,alert" }],
    [{ origins, offset: 20, limit: 7 }],
  ];
}

function queriesOn(marks: EntryMarks, events: readonly PostedEvent[]): fc.Arbitrary<Query> {
  const words = (member: keyof PostedEvent): fc.Arbitrary<string> =>
    fc.subarray(distinct(events, member), { minLength: 1 }).map((some) => some.join(","));
  const origins = fc.subarray(distinct(events, "origin"), { minLength: 1 });
  const whole: fc.Arbitrary<Query> = fc.record(
    {
      categories: words("category"),
      eventNames: words("event"),
      severities: fc.subarray([...severities], { minLength: 1 }).map((some) => some.join(",")),
      origins,
      order: fc.constantFrom(...eventOrders),
      sort: fc.constantFrom(...eventSorts),
      // The largest page is not stated; the default is one.
      limit: fc.integer({ min: 1, max: defaultLimit }),
      offset: fc.integer({ min: 0, max: events.length + 5 }),
    },
    { requiredKeys: [] },
  );
  // Without a filter for the case's own events the answer would show those of others.
  const isOwn = ({ categories, eventNames, origins: some }: Query): boolean =>
    (categories !== undefined && marks.areOwn) || eventNames !== undefined || some !== undefined;
  return whole.filter(isOwn);
}

function compare(query: Query, answer: Answer<"getEvents">, events: readonly PostedEvent[]): Finding[] {
  const what = (part: string): string => `${part} of Get events with ${JSON.stringify(query)}`;
  if (!answer.accepted)
    return [
      { requirement: "CORE-EVENT-25", what: what("answer"), expected: "2xx", observed: answer.summary() },
    ];
  const { count, data, limit: shownLimit, offset: shownOffset, total } = answer.body();
  const matching = events.filter((event) => fits(query, event));
  const { limit = defaultLimit, offset = 0, order = "time", sort = "desc" } = query;
  const expected = (sort === "asc" ? matching.toReversed() : matching).slice(offset, offset + limit);
  const numbers = new Set(matching.map(({ message }) => message));
  const shown = data.map(({ message }) => message);
  const strangers = shown.filter((message) => !numbers.has(message));
  const findings: Finding[] = [
    {
      requirement: "CORE-EVENT-25",
      what: what("events that do not match"),
      expected: [],
      observed: strangers,
    },
    { requirement: "CORE-EVENT-15", what: what("`total`"), expected: matching.length, observed: total },
    {
      requirement: "CORE-EVENT-13",
      what: what("`limit`, `offset` and `count`"),
      expected: { limit, offset, count: expected.length },
      observed: { limit: shownLimit, offset: shownOffset, count },
    },
  ];
  if (order === "time") {
    const requirement = offset > 0 ? "CORE-EVENT-14" : sort === "asc" ? "CORE-EVENT-20" : "CORE-EVENT-16";
    const messages = expected.map(({ message }) => message);
    findings.push({ requirement, what: what("events"), expected: messages, observed: shown });
  } else {
    const member = order === "category" ? "category" : "event";
    // Equal keys may be in any order: the keys on the page are determined.
    const observed = data.map((event) => event[member]);
    const pages = collations.map((key) => {
      const keys = matching.map((event) => key(event[member])).toSorted();
      if (sort === "desc") keys.reverse();
      return { expected: keys.slice(offset, offset + limit), observed: observed.map(key) };
    });
    const [plain] = pages;
    const found = pages.find((one) => sameValue(one.expected, one.observed)) ?? plain;
    findings.push({
      requirement: "CORE-EVENT-14",
      what: what(`\`${member}\` of the events`),
      expected: found?.expected,
      observed: found?.observed,
    });
  }
  return findings;
}

function fits({ categories, eventNames, severities: some, origins }: Query, event: PostedEvent): boolean {
  const has = (words: string | undefined, value: string): boolean =>
    words === undefined || words.split(",").includes(value);
  return (
    has(categories, event.category) &&
    has(eventNames, event.event) &&
    has(some, event.severity) &&
    (origins === undefined || origins.includes(event.origin))
  );
}

function distinct(events: readonly PostedEvent[], member: keyof PostedEvent): string[] {
  return [...new Set(events.map((event) => event[member]))];
}
