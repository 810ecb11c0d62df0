// Defaults of absent members of Create log, whatever the other members are.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { type EventRecord, severities } from "../../interface/resources/events.ts";
import type { EntryMarks } from "../support/entryCategories.ts";
import { valueAt } from "../support/settingValues.ts";
import { settledPage } from "./support.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const clockSlackMs = 5 * 60_000;
const olderMs = 2 * 3_600_000;
/** Categories of the catalogue whose kinds no case of the suite causes or counts. */
const uncaused = ["network", "store-forward"];
const kindsTried = 4;

/** Creates entries without `severity` and `createdAt`, with names of their own and with those of event kinds. */
export async function verifyDefaults(context: CaseContext, marks: EntryMarks, own: string): Promise<void> {
  const { gateway, random, verify } = context;
  const bare = {
    category: marks.category(`${own}-bare`),
    event: `${own} bare`,
    origin: `${own}-bare`,
    message: own,
  };
  const answer = await gateway.admin.call("createEvent", { json: bare });
  answer.body();
  const [record] = (await settledPage(context, marks.query(bare), 1)).data;
  verify("CORE-EVENT-35").equal(record?.severity, "info", "`severity` of an entry created without it");
  for (const [severity, total] of [
    ["info", 1],
    ["alert,warning", 0],
  ] as const) {
    const found = await gateway.admin.call("getEvents", {
      query: { ...marks.query(bare), severities: severity },
    });
    verify("CORE-EVENT-23").equal(
      { shown: found.body().data.length, total: found.body().total },
      { shown: total, total },
      `number of entries with \`severities\` ${severity} after one was created without \`severity\``,
      found,
    );
  }
  verifyCreatedNow(context, answer, record);
  if (record !== undefined) await verifyUnlikeEarlier(context, bare, record);
  const { events } = (await gateway.admin.call("getEventCatalogue")).data();
  const kinds = events.filter(({ category, enable }) => enable && uncaused.includes(category));
  for (const [index, kind] of random.shuffle(kinds).slice(0, kindsTried).entries())
    for (const severity of [undefined, random.pick(severities.filter((one) => one !== kind.severity))]) {
      const message = `${own} ${kind.severity} ${kind.id} ${severity ?? "without severity"}`;
      const { category, event } = kind;
      const sender = { user: own, userOrigin: "192.0.2.7" };
      const json = {
        category,
        event,
        message,
        origin: index % 2 === 0 ? "system" : own,
        ...(severity === undefined ? {} : { severity }),
        ...(index % 4 < 2 ? sender : {}),
      };
      const posted = await gateway.admin.call("createEvent", { json });
      posted.body();
      const found = await listed(context, { categories: category, eventNames: event }, message);
      const named = `of an entry named as the event kind ${kind.id} (${kind.severity})`;
      if (severity === undefined) {
        verify("CORE-EVENT-35").equal(found?.severity, "info", `\`severity\` ${named}, created without it`);
        verifyCreatedNow(context, posted, found);
      } else verify("CORE-EVENT-34").equal(found?.severity, severity, `\`severity\` ${named}`, posted);
      verify("CORE-EVENT-32").equal(found?.origin, json.origin, `\`origin\` ${named}`, posted);
      if (index % 4 < 2)
        verify("CORE-EVENT-33").equal(
          { user: found?.user, userOrigin: found?.userOrigin },
          sender,
          `\`user\` and \`userOrigin\` ${named}`,
          posted,
        );
    }
}

/** Creates an entry with the required members alone, and one by another user: each is listed to everyone who may read. */
export async function verifyLeast(context: CaseContext, marks: EntryMarks, own: string): Promise<void> {
  const { declares, gateway, profile, scratch, verify, waitFor } = context;
  const { admin } = gateway;
  const another =
    declares("users") && declares("roles")
      ? await (await scratch.user({ permissions: profile.permissions })).signIn()
      : admin;
  for (const [index, author] of [admin, another].entries()) {
    const origin = `${own}-least-${index}`;
    const json = { category: marks.category(origin), event: own, origin };
    const answer = await author.call("createEvent", { json });
    if (!verify("CORE-EVENT-32").accepted(answer)) continue;
    const isListed = async (): Promise<true | undefined> =>
      valueAt((await admin.call("getEvents", { query: marks.query(json) })).json, "total") === 1 || undefined;
    await waitFor("the entry", isListed, { deadlineMs: profile.patience.settleMs }).catch(() => undefined);
    for (const reader of [admin, another]) {
      const list = await reader.call("getEvents", { query: marks.query(json) });
      verify("CORE-EVENT-04").equal(
        typeof valueAt(list.json, "data.0.message"),
        "string",
        "type of `message` of an entry created without it",
        list,
      );
      verify("CORE-EVENT-32").equal(
        list.body().data.map(({ category, event, origin: of }) => ({ category, event, origin: of })),
        [json],
        `\`category\`, \`event\` and \`origin\` of the entry that ${author.name} created without other members, listed to ${reader.name}`,
        list,
      );
    }
  }
}

/** Creates an entry of the same names with all members, and once more one without: nothing of the earlier one is a default. */
async function verifyUnlikeEarlier(
  context: CaseContext,
  bare: { readonly category: string; readonly event: string; readonly origin: string },
  record: EventRecord,
): Promise<void> {
  const { verify } = context;
  const { admin } = context.gateway;
  const createdAt = new Date(epochMsOf(record.createdAt) - olderMs).toISOString();
  await admin.call("createEvent", { json: { ...bare, createdAt, severity: "alert", message: "earlier" } });
  const message = "later";
  const answer = await admin.call("createEvent", { json: { ...bare, message } });
  const names = { categories: bare.category, eventNames: bare.event };
  const later = await listed(context, names, message);
  const ascending = await admin.call("getEvents", { query: { ...names, sort: "asc" } });
  const dates = ascending.body().data.map(({ createdAt: shown }) => shown);
  verify("CORE-EVENT-20").equal(
    dates.map((shown) => epochMsOf(shown)),
    dates.map((shown) => epochMsOf(shown)).toSorted((a, b) => a - b),
    "`createdAt` (ms since 1970) of entries created with it and without it, with `sort` asc",
    ascending,
  );
  verify("CORE-EVENT-35").equal(
    later?.severity,
    "info",
    "`severity` of a later entry created without it",
    answer,
  );
  // By the clock of the gateway, which need not show it in its answers.
  const apartMs = Math.abs(epochMsOf(later?.createdAt ?? "") - epochMsOf(record.createdAt));
  verify("CORE-EVENT-37").that(apartMs < clockSlackMs, {
    what: "`createdAt` of a later entry created without it",
    expected: `${record.createdAt}, at most ${clockSlackMs / 1000} s earlier or later`,
    observed: later?.createdAt,
    evidence: answer,
  });
}

/** Creates entries whose `userOrigin` is no IPv4 address: normally it is an IP address, and any text may be sent. */
export async function verifyOrigins(context: CaseContext, marks: EntryMarks, own: string): Promise<void> {
  for (const [index, userOrigin] of ["2001:db8::7", "panel 7 (é)"].entries()) {
    const sender = { user: own, userOrigin };
    const origin = `${own}-from-${index}`;
    const json = { category: marks.category(origin), event: own, origin, message: own, ...sender };
    const answer = await context.gateway.admin.call("createEvent", { json });
    if (!answer.accepted) continue;
    const [record] = (await settledPage(context, marks.query(json), 1)).data;
    context
      .verify("CORE-EVENT-33")
      .equal(record?.userOrigin, userOrigin, "`userOrigin` of an entry sent from no IPv4 address", answer);
  }
}

/** The entry with the message; the gateway itself may record others of the same name. */
async function listed(
  { gateway, profile, waitFor }: CaseContext,
  query: { categories: string; eventNames: string },
  message: string,
): Promise<EventRecord | undefined> {
  const find = async (): Promise<EventRecord | undefined> =>
    (await gateway.admin.call("getEvents", { query })).data().find((one) => one.message === message);
  return waitFor("the created entry", find, { deadlineMs: profile.patience.settleMs }).catch(() => undefined);
}

/** Compares `createdAt` of an entry that was created without it, or that the gateway recorded, with the gateway's time. */
export function verifyCreatedNow(
  { clock, verify }: CaseContext,
  answer: Answer,
  record: EventRecord | undefined,
  requirement = "CORE-EVENT-37",
  whose = "of an entry created without it",
): void {
  const what = `\`createdAt\` ${whose}`;
  const createdMs = epochMsOf(record?.createdAt ?? "");
  // The gateway's time: its Date header, which a proxy may have replaced by the time of this laboratory.
  const clocksMs = [epochMsOf(answer.headers["date"] ?? ""), clock.epochMs()];
  const gatewayNowMs = clocksMs.find((ms) => Math.abs(createdMs - ms) < clockSlackMs) ?? clocksMs[0];
  if (answer.headers["date"] === undefined && gatewayNowMs !== clocksMs[1])
    return verify(requirement).notApplicable(
      what,
      "the gateway's time is not known: no Date header in its answers",
    );
  verify(requirement).that(Math.abs(createdMs - (gatewayNowMs ?? Number.NaN)) < clockSlackMs, {
    what,
    expected: `${answer.headers["date"]}, at most ${clockSlackMs / 1000} s earlier or later`,
    observed: record?.createdAt,
    evidence: answer,
  });
}
