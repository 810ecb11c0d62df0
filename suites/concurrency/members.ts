import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { allServices } from "../support/serviceList.ts";
import { isSameInstant } from "../users/accounts.ts";
import { efforts } from "./effort.ts";

/** Members of one resource changed at the same time by different clients: no change may undo another. */
export const memberCases: readonly TestCase[] = [
  testCase({
    id: "concurrency/members-of-one-thing",
    title: "Simultaneous changes of different members of one resource are all stored",
    group: "general",
    requirements: ["CORE-CONC-02"],
    effect: "reversible",
    touches: ["accounts", "upgrade-configuration", "event-catalogue", "services"],
    capabilities: ["auth", "users", "roles"],
    load: true,
    deadlineMs: 900_000,
    async run(context) {
      const { rounds } = efforts[context.level];
      const user = await context.scratch.user();
      for (let round = 0; round < rounds; round++) await userMembers(context, user.id, round);
      if (isOffered(context.profile, "updateUpgradeConfiguration")) {
        for (let round = 0; round < rounds; round++) await upgradeMembers(context, round);
      }
      if (isOffered(context.profile, "updateEventKinds")) {
        for (let round = 0; round < Math.ceil(rounds / 4); round++) await eventKinds(context, round);
      }
      if (isOffered(context.profile, "enableService")) {
        for (let round = 0; round < Math.ceil(rounds / 4); round++) await services(context, round);
      }
    },
  }),
];

async function userMembers(
  { gateway: { admin }, verify }: CaseContext,
  id: number,
  round: number,
): Promise<void> {
  const email = `round${round}@example.org`;
  const expiredAfter = `2093-03-04T05:06:${String(round % 60).padStart(2, "0")}Z`;
  const path = { id };
  const answers = await Promise.all([
    admin.call("updateUser", { path, json: { email } }),
    admin.call("updateUser", { path, json: { expiredAfter } }),
  ]);
  for (const answer of answers) answer.body();
  const seen = await admin.call("getUser", { path });
  const user = seen.data();
  verify("CORE-CONC-02").that(user.email === email && isSameInstant(user.expiredAfter, expiredAfter), {
    what: "`email` and `expiredAfter` of a user after simultaneous changes by two clients",
    expected: `${email} and ${expiredAfter}`,
    observed: `${user.email} and ${user.expiredAfter}`,
    evidence: seen,
  });
}

async function upgradeMembers({ gateway: { admin }, verify }: CaseContext, round: number): Promise<void> {
  const retryCount = 1 + (round % 50);
  const retryInterval = 100 + round;
  const answers = await Promise.all([
    admin.call("updateUpgradeConfiguration", { json: { retryCount } }),
    admin.call("updateUpgradeConfiguration", { json: { retryInterval } }),
  ]);
  for (const answer of answers) answer.body();
  const seen = await admin.call("getUpgradeConfiguration");
  const found = seen.data();
  verify("CORE-CONC-02").equal(
    { retryCount: found.retryCount, retryInterval: found.retryInterval },
    { retryCount, retryInterval },
    "`retryCount` and `retryInterval` after simultaneous changes by two clients",
    seen,
  );
}

async function eventKinds({ gateway: { admin }, verify }: CaseContext, round: number): Promise<void> {
  const kinds = (await admin.call("getEventCatalogue")).data().events.slice(0, 8);
  const wanted = kinds.map(({ id }, index) => ({ id, enable: (index + round) % 2 === 0 }));
  const answers = await Promise.all(
    wanted.map((kind) => admin.call("updateEventKinds", { json: { events: [kind] } })),
  );
  for (const answer of answers) answer.body();
  const seen = await admin.call("getEventCatalogue");
  const enabled = new Map(seen.data().events.map(({ id, enable }) => [id, enable]));
  verify("CORE-CONC-02").equal(
    wanted.map(({ id }) => ({ id, enable: enabled.get(id) })),
    wanted,
    "`enable` of event kinds after simultaneous changes, one client per kind",
    seen,
  );
}

async function services(context: CaseContext, round: number): Promise<void> {
  const { gateway, profile, scratch, verify } = context;
  const { admin } = gateway;
  const before = allServices((await admin.call("listServices")).data());
  const mine = before.filter(({ id, available }) => available && profile.switchableServices.includes(id));
  if (mine.length < 2) return;
  const turn = (id: string, enable: boolean): Promise<unknown> =>
    admin.call(enable ? "enableService" : "disableService", { path: { id: id as "ntp" } });
  if (round === 0) {
    scratch.undo("services", async () => {
      for (const { id, enable } of mine) await turn(id, enable);
    });
  }
  const wanted = mine.map(({ id }, index) => ({ id, enable: (index + round) % 2 === 0 }));
  await Promise.all(wanted.map(({ id, enable }) => turn(id, enable)));
  const seen = await admin.call("listServices");
  const enabled = new Map(allServices(seen.data()).map(({ id, enable }) => [id, enable]));
  verify("CORE-CONC-02").equal(
    wanted.map(({ id }) => ({ id, enable: enabled.get(id) })),
    wanted,
    "`enable` of services after simultaneous changes, one client per service",
    seen,
  );
}
