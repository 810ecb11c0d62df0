import { type Answer, type CaseContext, sameValue, type TestCase, testCase } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { allServices, isSetting } from "../support/serviceList.ts";
import { isSameInstant } from "../users/accounts.ts";
import { efforts } from "./effort.ts";

/** Requirements that an accepted change is stored; they hold whatever other clients change at the same time. */
const stored = {
  user: ["CORE-USER-35", "CORE-USER-36"],
  roles: ["CORE-USER-38"],
  upgrades: ["CORE-UPGRADE-15", "CORE-UPGRADE-16"],
  kinds: ["CORE-EVENT-69"],
  services: ["CORE-SERVICE-14", "CORE-SERVICE-16"],
} as const;
const storing = Object.values(stored).flat();

/** Members of one resource changed at the same time by different clients: no change may undo another. */
export const memberCases: readonly TestCase[] = [
  testCase({
    id: "concurrency/members-of-one-thing",
    title: "Simultaneous changes of different members of one resource are all stored",
    group: "general",
    requirements: ["CORE-CONC-02", ...storing],
    effect: "reversible",
    touches: ["accounts", "upgrade-configuration", "event-catalogue", "services"],
    capabilities: ["auth", "users", "roles"],
    load: true,
    deadlineMs: 900_000,
    async run(context) {
      const { rounds } = efforts[context.level];
      // Before the user: a role that is in use may not be removable.
      const other = await context.scratch.role([]);
      const user = await context.scratch.user();
      const few = Math.ceil(rounds / 4);
      if (await keepsEmail(context, user.id))
        for (let round = 0; round < rounds; round++) await userMembers(context, user.id, round);
      else
        for (const requirement of [...stored.user, "CORE-CONC-02"])
          context
            .verify(requirement)
            .notApplicable("two members of a user", "an update without `email` empties it");
      const roles = [user.roleId, other.id] as const;
      for (let round = 0; round < few; round++) await userRoles(context, user.id, roles);
      for (const { operation, count, change, decides } of [
        {
          operation: "updateUpgradeConfiguration",
          count: rounds,
          change: upgradeMembers,
          decides: stored.upgrades,
        },
        { operation: "updateEventKinds", count: few, change: eventKinds, decides: stored.kinds },
        { operation: "enableService", count: few, change: services, decides: stored.services },
      ] as const) {
        const isChanged =
          isOffered(context.profile, operation) && (await repeat(count, (round) => change(context, round)));
        if (!isChanged)
          for (const requirement of decides)
            context
              .verify(requirement)
              .notApplicable("simultaneous changes", "the profile does not offer two members to change");
      }
    },
  }),
];

/** Returns false when a round had less than two members to change. */
async function repeat(count: number, change: (round: number) => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < count; round++) if (!(await change(round))) return false;
  return true;
}

/** Whether an update without the address of a user leaves it; it need not. */
async function keepsEmail({ gateway: { admin } }: CaseContext, id: number): Promise<boolean> {
  const path = { id };
  (await admin.call("updateUser", { path, json: { email: "first@example.org" } })).body();
  const without = { expiredAfter: "2093-03-04T05:06:00Z" };
  (await admin.call("updateUser", { path, json: without })).body();
  return Boolean((await admin.call("getUser", { path })).data().email);
}

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
  const [emailId, expiryId] = stored.user;
  const together = { email: user.email === email, expiry: isSameInstant(user.expiredAfter, expiredAfter) };
  const holds = {
    [emailId]: together.email,
    [expiryId]: together.expiry,
    "CORE-CONC-02": together.email && together.expiry,
  };
  for (const [requirement, isStored] of Object.entries(holds))
    verify(requirement).that(isStored, {
      what: "`email` and `expiredAfter` of a user after simultaneous changes by two clients",
      expected: `${email} and ${expiredAfter}`,
      observed: `${user.email} and ${user.expiredAfter}`,
      evidence: seen,
    });
}

/** Each of two clients gives one role: the user has that of the later one. */
async function userRoles(
  { gateway: { admin }, verify }: CaseContext,
  id: number,
  roles: readonly [number, number],
): Promise<void> {
  const path = { id };
  await Promise.all(roles.map((one) => admin.call("updateUser", { path, json: { roles: [one] } })));
  const seen = await admin.call("getUser", { path });
  const shown = seen.data().roles.map((role) => role.id);
  for (const requirement of stored.roles)
    verify(requirement).that(shown.length === 1, {
      what: "role ids of a user after simultaneous changes by two clients, each with one role",
      expected: `${roles.join(" or ")}`,
      observed: shown,
      evidence: seen,
    });
}

async function upgradeMembers({ gateway: { admin }, verify }: CaseContext, round: number): Promise<boolean> {
  const retryCount = 1 + (round % 9);
  const retryInterval = 100 + round;
  const answers = await Promise.all([
    admin.call("updateUpgradeConfiguration", { json: { retryCount } }),
    admin.call("updateUpgradeConfiguration", { json: { retryInterval } }),
  ]);
  for (const answer of answers) answer.body();
  const seen = await admin.call("getUpgradeConfiguration");
  const found = seen.data();
  for (const requirement of ["CORE-CONC-02", ...stored.upgrades])
    verify(requirement).equal(
      { retryCount: found.retryCount, retryInterval: found.retryInterval },
      { retryCount, retryInterval },
      "`retryCount` and `retryInterval` after simultaneous changes by two clients",
      seen,
    );
  return true;
}

async function eventKinds({ gateway: { admin }, verify }: CaseContext, round: number): Promise<boolean> {
  const kinds = (await admin.call("getEventCatalogue")).data().events.slice(0, 8);
  const wanted = kinds.map(({ id }, index) => ({ id, enable: (index + round) % 2 === 0 }));
  const answers = await Promise.all(
    wanted.map((kind) => admin.call("updateEventKinds", { json: { events: [kind] } })),
  );
  for (const answer of answers) answer.body();
  const seen = await admin.call("getEventCatalogue");
  const enabled = new Map(seen.data().events.map(({ id, enable }) => [id, enable]));
  for (const requirement of ["CORE-CONC-02", ...stored.kinds])
    verify(requirement).equal(
      wanted.map(({ id }) => ({ id, enable: enabled.get(id) })),
      wanted,
      "`enable` of event kinds after simultaneous changes, one client per kind",
      seen,
    );
  return true;
}

async function services(context: CaseContext, round: number): Promise<boolean> {
  const { gateway, profile, scratch, verify, waitFor } = context;
  const { admin } = gateway;
  const before = allServices((await admin.call("listServices")).data());
  const mine = before.filter(
    ({ id, available }) => available && profile.switchableServices.includes(id) && !isSetting(id),
  );
  if (mine.length < 2) return false;
  const turn = (id: string, enable: boolean): Promise<Answer> =>
    admin.call(enable ? "enableService" : "disableService", { path: { id: id as "ntp" } });
  if (round === 0) {
    scratch.undo("services", async () => {
      for (const { id, enable } of mine) await turn(id, enable);
    });
  }
  const wanted = mine.map(({ id }, index) => ({ id, enable: (index + round) % 2 === 0 }));
  const answers = await Promise.all(wanted.map(({ id, enable }) => turn(id, enable)));
  // Whether a gateway takes several at a time is not stated.
  const taken = wanted.filter((_one, index) => answers[index]?.accepted);
  let seen = await admin.call("listServices");
  const shown = (): typeof taken => {
    const enabled = new Map(allServices(seen.data()).map(({ id, enable }) => [id, enable]));
    return taken.map(({ id, enable }) => ({ id, enable: enabled.get(id) ?? !enable }));
  };
  const isListed = async (): Promise<true | undefined> => {
    if (sameValue(shown(), taken)) return true;
    seen = await admin.call("listServices");
    return undefined;
  };
  const { settleMs: deadlineMs } = profile.patience;
  await waitFor("the list to follow", isListed, { deadlineMs }).catch(() => undefined);
  for (const requirement of ["CORE-CONC-02", ...stored.services])
    verify(requirement).equal(
      shown(),
      taken,
      "`enable` of services after simultaneous changes, one client per service",
      seen,
    );
  return true;
}
