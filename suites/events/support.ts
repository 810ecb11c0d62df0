import { allEnded, type CaseContext, type GatewayUnderTest, type Inputs } from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { memberOf } from "../support/settingCheck.ts";
import type {
  EventConfiguration,
  EventPage,
  EventRecord,
  Severity,
} from "../../interface/resources/events.ts";

export interface PostedEvent {
  readonly category: string;
  readonly event: string;
  readonly origin: string;
  readonly message: string;
  readonly severity: Severity;
  readonly user: string;
  readonly userOrigin: string;
  readonly createdAt: string;
}

type Query = NonNullable<Inputs<"getEvents">["query"]>;
const atOnce = 8;

/** Posts the events, a few at a time; throws Unmet when one is rejected. */
export async function post(context: CaseContext, events: readonly PostedEvent[]): Promise<void> {
  const { gateway } = context;
  const query = { origins: [...new Set(events.map(({ origin }) => origin))] };
  const { total } = await page(gateway, query);
  const left = [...events];
  await allEnded(
    Array.from({ length: atOnce }, async () => {
      for (let event = left.shift(); event !== undefined; event = left.shift()) {
        (await gateway.admin.call("createEvent", { json: event })).body();
      }
    }),
  );
  await settledPage(context, query, total + events.length);
}

export async function page(gateway: GatewayUnderTest, query: Query): Promise<EventPage> {
  return (await gateway.admin.call("getEvents", { query })).body();
}

/** A case may be measured so often with the same random names. */
const mostMeasurements = 6;

/** A name for events that no entry has, where filters work: a repeated case meets the entries that it made before. */
export async function unusedEventName({ gateway, random }: CaseContext): Promise<string> {
  let name = "";
  for (let tries = 0; tries < mostMeasurements; tries++) {
    name = `rp${random.word(10)}`;
    if ((await page(gateway, { eventNames: name })).total === 0) break;
  }
  return name;
}

/** The page as soon as `total` is reached, at the latest after the settling time: a log may list with a delay. */
export async function settledPage(
  { gateway, profile, waitFor }: CaseContext,
  query: Query,
  total: number,
): Promise<EventPage> {
  let seen = await page(gateway, query);
  if (seen.total >= total) return seen;
  const isSettled = async (): Promise<true | undefined> => {
    seen = await page(gateway, query);
    return seen.total >= total || undefined;
  };
  await waitFor(`${total} matching events`, isSettled, { deadlineMs: profile.patience.settleMs }).catch(
    () => undefined,
  );
  return seen;
}

/** A body of Set event configuration with every member: the effect of an absent member is not stated. */
export function configurationBody(
  configuration: Omit<EventConfiguration, "disks">,
): NonNullable<Inputs<"setEventConfiguration">["json"]> {
  const { enable, enableTimeToLiveSec, reachThresholdPolicy, targetDiskName, timeToLiveSec } = configuration;
  return {
    desiredDiskCacheSizeMB: String(configuration.desiredDiskCacheSizeMB),
    enable,
    enableTimeToLiveSec,
    reachThresholdPolicy,
    targetDiskName,
    timeToLiveSec,
  };
}

/** Verifies that the log keeps events of the last hour; Unmet otherwise. Returns the age that events can reach. */
export async function requireKeptEvents({ gateway, unmet }: CaseContext): Promise<{ longestSec: number }> {
  const configuration = await gateway.admin.call("getEventConfiguration");
  const member = (name: string): unknown => memberOf(configuration, name);
  if (member("enable") === false) unmet("the event log is disabled");
  const timeToLiveSec = Number(member("timeToLiveSec"));
  const isLimited = member("enableTimeToLiveSec") === true && timeToLiveSec > 0;
  if (isLimited && timeToLiveSec < 3600) unmet(`the event log removes events after ${timeToLiveSec} s`);
  return { longestSec: isLimited ? timeToLiveSec : Number.POSITIVE_INFINITY };
}

/** Whether two times are the same as far as both may be written: one of them may be in whole seconds. */
export const isSameTime = (one: string, other: string): boolean =>
  Math.abs(epochMsOf(one) - epochMsOf(other)) < 1000;

/** Whether both records have the same members of the interface; createdAt may be written in another form. */
export function isSameRecord(one: EventRecord, other: EventRecord | undefined): boolean {
  const facts = ({ id, category, event, message, origin, severity, user, userOrigin }: EventRecord): string =>
    JSON.stringify([id, category, event, message, origin, severity, user, userOrigin].map(String));
  return other !== undefined && facts(one) === facts(other) && isSameTime(one.createdAt, other.createdAt);
}

/** By what texts are ordered, in whichever letters: which of the two orders a list has is not stated. */
export const collations: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
];
