import {
  type Answer,
  type CaseContext,
  type ScratchRole,
  type ScratchUser,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { farFuture, permissionsFor, removeLater } from "../users/accounts.ts";
import { efforts, sideBySide } from "./effort.ts";
import { settledPage } from "../events/support.ts";
import { wish } from "../support/virtualTag.ts";
import { ownTags } from "./ownTags.ts";

const shared = {
  group: "general",
  effect: "reversible",
  capabilities: ["auth", "users", "roles"],
  load: true,
  deadlineMs: 900_000,
} as const;

export const togetherCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "concurrency/made-together",
    title: "Users, roles, tags and log entries created together each exist once",
    requirements: [
      "CORE-CONC-03",
      "CORE-ROLE-16",
      "CORE-ROLE-20",
      "CORE-TAG-27",
      "CORE-TAG-48",
      "CORE-USER-16",
      "CORE-USER-23",
    ],
    touches: ["accounts", "virtual-tags", "event-log"],
    tags: ["smoke"],
    async run(context) {
      await rolesAndUsers(context);
      if (isOffered(context.profile, "createVirtualTag")) {
        await tagsOfNewSource(context);
        await tags(context);
      } else
        for (const requirement of ["CORE-TAG-27", "CORE-TAG-48"])
          context.verify(requirement).notApplicable("tags", "the profile declares no virtual tags");
      if (isOffered(context.profile, "createEvent")) await logEntries(context);
    },
  }),

  testCase({
    ...shared,
    id: "concurrency/each-to-their-own",
    title: "Each client reads back its own writes while others write to their resources",
    requirements: [
      "CORE-USER-35",
      "CORE-USER-39",
      "CORE-ROLE-27",
      "CORE-ROLE-29",
      "CORE-TAG-28",
      "CORE-TAG-29",
    ],
    touches: ["accounts", "virtual-tags"],
    tags: ["smoke"],
    async run(context) {
      const {
        gateway: { admin },
        level,
        scratch,
        verify,
      } = context;
      const { clients } = efforts[level];
      // Occasional losses need many writes to appear.
      const rounds = efforts[level].rounds * 2;
      const mine: { user: ScratchUser; role: ScratchRole }[] = [];
      for (let client = 0; client < clients; client++)
        mine.push({ user: await scratch.user(), role: await scratch.role([]) });
      await sideBySide(clients, rounds, async (client, round) => {
        const own = mine[client];
        if (own === undefined) return;
        const { user, role } = own;
        const email = `client${client}.round${round}@example.org`;
        const changed = await admin.call("updateUser", { path: { id: user.id }, json: { email } });
        if (!verify("CORE-USER-35").accepted(changed)) return;
        const seenUser = await admin.call("getUser", { path: { id: user.id } });
        verify("CORE-USER-35").equal(
          seenUser.data().email,
          email,
          "`email` of a user changed by one client only",
          seenUser,
        );
        const description = `client ${client}, round ${round}`;
        const json = { name: role.name, description, permissions: [...role.permissions] };
        if (!verify("CORE-ROLE-27").accepted(await admin.call("updateRole", { path: { id: role.id }, json })))
          return;
        const seenRole = await admin.call("getRole", { path: { id: role.id } });
        verify("CORE-ROLE-27").equal(
          seenRole.data().description,
          description,
          "`description` of a role changed by one client only",
          seenRole,
        );
      });
      const last = rounds - 1;
      const users = await admin.call("listUsers");
      const emails = new Map(users.data().map(({ id, email }) => [id, email]));
      verify("CORE-USER-39").equal(
        mine.map(({ user }) => emails.get(user.id)),
        mine.map((_, client) => `client${client}.round${last}@example.org`),
        "`email` of each user after all changes, one client per user",
        users,
      );
      const roles = await admin.call("listRoles");
      const descriptions = new Map(roles.data().map(({ id, description }) => [id, description]));
      verify("CORE-ROLE-29").equal(
        mine.map(({ role }) => descriptions.get(role.id)),
        mine.map((_, client) => `client ${client}, round ${last}`),
        "`description` of each role after all changes, one client per role",
        roles,
      );
      await ownTags(context);
    },
  }),

  testCase({
    ...shared,
    id: "concurrency/signed-in-together",
    title: "Users who sign in at the same time receive distinct tokens",
    requirements: ["CORE-AUTH-09", "CORE-AUTH-11"],
    touches: ["accounts"],
    tags: ["smoke"],
    async run({ gateway, level, profile, scratch, verify }) {
      const { clients } = efforts[level];
      const permissions = permissionsFor(profile, "getCurrentUser");
      const users: ScratchUser[] = [];
      for (let client = 0; client < clients; client++) users.push(await scratch.user({ permissions }));
      const sessions = await Promise.all(users.map((user) => user.signIn()));
      const tokens = sessions.map(({ token = "" }) => token);
      verify("CORE-AUTH-11").equal(
        new Set(tokens).size,
        users.length,
        "number of distinct tokens of users who signed in at the same time",
      );
      const answers = await Promise.all(
        tokens.map((token, index) =>
          gateway.withToken(token, users[index]?.name ?? "").call("getCurrentUser"),
        ),
      );
      for (const [index, first] of answers.entries()) {
        // A gateway may hold few sign-ins at a time.
        const again = first.rejected ? await users[index]?.signIn() : undefined;
        const answer = again === undefined ? first : await again.call("getCurrentUser");
        if (!verify("CORE-AUTH-11").accepted(answer)) continue;
        verify("CORE-AUTH-11").equal(
          answer.data().id,
          users[index]?.id,
          "id of the user identified by the token",
          answer,
        );
      }
      // Of the same name, and with the password of another user who signs in now.
      for (const [index, { name, password }] of users.entries()) {
        const { password: wrong = "" } = users[index - 1] ?? users.at(-1) ?? {};
        const trials = [password, index % 2 === 0 ? wrong : `${password}x`];
        const [, rejected] = await Promise.all(
          trials.map((one) => gateway.anonymous.call("signIn", { json: { name, password: one } })),
        );
        // So many failures may lock: any rejection counts.
        if (rejected !== undefined) verify("CORE-AUTH-09").refused(rejected);
      }
    },
  }),
];

/** Checks the list: what was accepted must be listed, however many were created at the same time. */
function listedOnce(
  { verify }: CaseContext,
  requirement: string,
  names: readonly string[],
  answers: readonly Answer[],
  shown: readonly { readonly name: string }[],
  kind: string,
): void {
  const entriesOf = (name: string): number => shown.filter((one) => one.name === name).length;
  const accepted = names.filter((_, index) => answers[index]?.accepted);
  for (const [of, wanted] of [
    ["CORE-CONC-03", names],
    [requirement, accepted],
  ] as const)
    verify(of).equal(
      wanted.map(entriesOf),
      wanted.map(() => 1),
      `number of list entries of each ${kind} created at the same time`,
    );
}

async function rolesAndUsers(context: CaseContext): Promise<void> {
  const { gateway, level, profile, random, scratch, verify } = context;
  const { admin } = gateway;
  const { clients } = efforts[level];
  const permissions = profile.permissions.slice(0, 1);
  const roleNames = Array.from({ length: clients }, () => scratch.name("role"));
  const roles = await Promise.all(
    roleNames.map((name) => admin.call("createRole", { json: { name, description: "", permissions } })),
  );
  for (const answer of roles) removeLater(context, answer, "deleteRole", "role");
  for (const answer of roles) verify("CORE-CONC-03").accepted(answer);
  const roleIds = roles.filter(({ accepted }) => accepted).map((answer) => answer.data().id);
  verify("CORE-ROLE-20").equal(
    new Set(roleIds).size,
    roleIds.length,
    "number of distinct ids of roles created at the same time",
  );
  const listedRoles = await admin.call("listRoles");
  listedOnce(context, "CORE-ROLE-16", roleNames, roles, listedRoles.data(), "role");
  const userNames = roleNames.map(() => scratch.name("user"));
  const users = await Promise.all(
    userNames.map((name, index) =>
      admin.call("addUser", {
        json: {
          name,
          password: `Pw-${random.word(12)}1!`,
          isActive: false,
          expiredAfter: farFuture,
          roles: roleIds.slice(index, index + 1),
        },
      }),
    ),
  );
  for (const answer of users) removeLater(context, answer, "deleteUser", "user");
  for (const answer of users) verify("CORE-CONC-03").accepted(answer);
  const userIds = users.filter(({ accepted }) => accepted).map((answer) => answer.data().id);
  verify("CORE-USER-23").equal(
    new Set(userIds).size,
    userIds.length,
    "number of distinct ids of users added at the same time",
  );
  const listedUsers = await admin.call("listUsers");
  listedOnce(context, "CORE-USER-16", userNames, users, listedUsers.data(), "user");
}

/** Tags of a source that has none before. What the gateway accepts there, and how many at a time, is not stated. */
async function tagsOfNewSource(context: CaseContext): Promise<void> {
  const { gateway, level, scratch, verify } = context;
  const { admin } = gateway;
  const srcName = scratch.name("source");
  const wanted = Array.from({ length: efforts[level].clients * 2 }, () => wish(context, { srcName }));
  const made = await Promise.all(
    wanted.map((json) => {
      scratch.removeTagLater(json);
      return admin.call("createVirtualTag", { json });
    }),
  );
  const accepted = wanted.filter((_, index) => made[index]?.accepted);
  const what = "number of list entries of each virtual tag created at the same time in a new source";
  if (accepted.length === 0)
    return verify("CORE-TAG-27").notApplicable(what, "the gateway takes no source of that name");
  const listed = await admin.call("listTags");
  const shown = Map.groupBy(listed.data(), ({ tagName }) => tagName);
  verify("CORE-TAG-27").equal(
    accepted.map(({ tagName }) => shown.get(tagName)?.length ?? 0),
    accepted.map(() => 1),
    what,
    listed,
  );
}

async function tags(context: CaseContext): Promise<void> {
  const { gateway, level, profile, scratch, verify } = context;
  const { admin } = gateway;
  const { provider, source } = profile.virtualTags;
  // Creations into a source that exists already.
  await scratch.virtualTag({ dataType: "uint8" });
  const names = Array.from({ length: efforts[level].clients * 2 }, () => scratch.name("tag"));
  const made = await Promise.all(
    names.map((tagName) => {
      const tag = { prvdName: provider, srcName: source, tagName };
      scratch.removeTagLater(tag);
      return admin.call("createVirtualTag", { json: { ...tag, dataType: "uint8", access: "rw" } });
    }),
  );
  for (const answer of made) verify("CORE-CONC-03").accepted(answer);
  const listed = await admin.call("listTags");
  const shown = listed.data().map(({ tagName }) => ({ name: tagName }));
  listedOnce(context, "CORE-TAG-27", names, made, shown, "virtual tag");
  const path = (tag: string): { provider: string; source: string; tag: string } => ({
    provider,
    source,
    tag,
  });
  const written = await Promise.all(
    names.map((name, index) =>
      admin.call("writeTag", { path: path(name), json: { dataType: "uint8", dataValue: index + 1 } }),
    ),
  );
  const query = { tags: names.join(",") };
  const monitored = await admin.call("monitorTags", { path: { provider, source }, query });
  const values = new Map([monitored.data()].flat().map(({ tagName, dataValue }) => [tagName, dataValue]));
  const wanted = names.flatMap((name, index) =>
    written[index]?.accepted ? [[name, index + 1] as const] : [],
  );
  verify("CORE-TAG-48").equal(
    wanted.map(([name]) => values.get(name)),
    wanted.map(([, value]) => value),
    "monitored values of virtual tags that were written at the same time",
    monitored,
  );
}

async function logEntries(context: CaseContext): Promise<void> {
  const {
    gateway: { admin },
    level,
    scratch,
    verify,
  } = context;
  const { clients, rounds } = efforts[level];
  const origin = scratch.name("origin");
  const wanted: string[] = [];
  await sideBySide(clients, rounds, async (client, round) => {
    const message = `client ${client}, round ${round}`;
    const json = { category: "system", event: "made together", origin, message } as const;
    if ((await admin.call("createEvent", { json })).accepted) wanted.push(message);
  });
  await settledPage(context, { origins: [origin] }, wanted.length);
  const listed = await admin.call("getEvents", { query: { origins: [origin], limit: wanted.length + 10 } });
  const entries = listed.data();
  verify("CORE-CONC-03").equal(
    entries.map(({ message }) => message).toSorted((a, b) => a.localeCompare(b)),
    wanted.toSorted((a, b) => a.localeCompare(b)),
    "messages of log entries created at the same time",
    listed,
  );
  verify("CORE-CONC-03").equal(
    new Set(entries.map(({ id }) => id)).size,
    entries.length,
    "number of distinct ids of log entries created at the same time",
    listed,
  );
}
