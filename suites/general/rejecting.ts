import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { rejectedRequirement, rejectedUpdates, type Updatable } from "../support/rejectedUpdates.ts";
import {
  farFuture,
  listedUserFacts,
  permissionsFor,
  removeLater,
  roleReferences,
  signInAsSelf,
  unusedId,
} from "../users/accounts.ts";

const noText = { wrong: 1 };
const userBody = { email: "rejected@example.org", expiredAfter: "2091-02-03T04:05:06Z" };
const wrongOfUser = {
  email: [noText],
  expiredAfter: ["next year", "2091-02-30T99:00:00Z"],
  isActive: ["maybe"],
};

async function role({ gateway: { admin }, scratch }: CaseContext): Promise<Updatable> {
  const { id, permissions } = await scratch.role([]);
  const other = await scratch.role([]);
  return {
    what: "the role",
    operation: "updateRole",
    path: { id },
    body: { name: scratch.name("role"), description: "of a rejected update", permissions: [...permissions] },
    // Whether two roles may have one name is not stated.
    wrong: { name: [noText, other.name], description: [noText], permissions: ["none", [7]] },
    read: async () => (await admin.call("getRole", { path: { id } })).data(),
  };
}

async function user({ gateway: { admin }, scratch }: CaseContext): Promise<Updatable> {
  const { id, roleId } = await scratch.user();
  const other = await scratch.role([]);
  const roles = (await admin.call("listRoles")).data();
  return {
    what: "the user",
    operation: "updateUser",
    path: { id },
    body: { ...userBody, isActive: false, roles: [other.id, roleId] },
    wrong: { ...wrongOfUser, roles: ["all", [unusedId(roles)], [other.id, unusedId(roles)]] },
    read: async () => listedUserFacts((await admin.call("getUser", { path: { id } })).data()),
  };
}

async function currentUser(context: CaseContext): Promise<Updatable> {
  const { gateway, profile, scratch } = context;
  const permissions = permissionsFor(profile, "updateCurrentUser", "updateUser", "getCurrentUser");
  const own = await scratch.user({ permissions });
  const unused = unusedId((await gateway.admin.call("listRoles")).data());
  return {
    what: "the current user",
    operation: "updateCurrentUser",
    caller: await signInAsSelf(context, own),
    // Active, and of the same roles: the sign-in would end with them.
    body: { ...userBody, isActive: true },
    wrong: { ...wrongOfUser, roles: ["all", [unused], [own.roleId, unused]] },
    read: async () => listedUserFacts((await gateway.admin.call("getUser", { path: { id: own.id } })).data()),
  };
}

async function virtualTag({ gateway: { admin }, scratch }: CaseContext): Promise<Updatable> {
  const tag = await scratch.virtualTag({ dataType: "uint16", dataSize: 2, dataUnit: "bar", access: "rw" });
  const { prvdName, srcName, tagName } = tag;
  return {
    what: "the virtual tag",
    operation: "updateVirtualTag",
    body: { prvdName, srcName, tagName, dataType: "int32", access: "r", dataSize: 4, dataUnit: "mbar" },
    wrong: {
      dataType: ["int128", 7],
      access: ["none", noText],
      dataSize: ["many", -1, 2 ** 32],
      dataUnit: ["17 characters long", noText],
    },
    read: async () =>
      (await admin.call("listTags"))
        .data()
        .find((one) => one.prvdName === prvdName && one.srcName === srcName && one.tagName === tagName),
  };
}

/** Each operation that updates, what it is shown on, and the operations that it takes to make it. */
const makers = [
  { operation: "updateRole", make: role, needs: ["createRole"] },
  { operation: "updateUser", make: user, needs: ["addUser", "createRole"] },
  { operation: "updateCurrentUser", make: currentUser, needs: ["addUser", "createRole", "getCurrentUser"] },
  { operation: "updateVirtualTag", make: virtualTag, needs: ["createVirtualTag"] },
] as const;

/** Something that exists, and a creation of the same name with other members. */
interface Doubled {
  readonly requirement: string;
  readonly operation: "createRole" | "addUser" | "createVirtualTag";
  readonly json: object;
  readonly read: () => Promise<unknown>;
}

async function doubled(context: CaseContext): Promise<Doubled[]> {
  const { gateway, scratch, profile } = context;
  const { admin } = gateway;
  const own = await scratch.role([]);
  const one = await scratch.user();
  const tag = isOffered(profile, "createVirtualTag") ? await virtualTag(context) : undefined;
  return [
    {
      requirement: "CORE-ROLE-20",
      operation: "createRole",
      json: { name: own.name, description: "of another", permissions: profile.permissions.slice(0, 1) },
      read: async () => (await admin.call("getRole", { path: { id: own.id } })).data(),
    },
    {
      requirement: "CORE-USER-23",
      operation: "addUser",
      json: {
        name: one.name,
        password: `Other-${one.password}`,
        email: "another@example.org",
        isActive: false,
        expiredAfter: farFuture,
        roles: roleReferences(profile, [own.id]),
      },
      read: async () => (await admin.call("getUser", { path: { id: one.id } })).data(),
    },
    ...(tag === undefined
      ? []
      : [
          {
            requirement: "CORE-TAG-27",
            operation: "createVirtualTag",
            json: tag.body,
            read: tag.read,
          } as const,
        ]),
  ];
}

export const rejectingCases: readonly TestCase[] = [
  testCase({
    id: "general/rejected-creations-change-nothing",
    title: "A rejected creation changes nothing of what has the name already",
    group: "general",
    requirements: ["CORE-ROLE-20", "CORE-USER-23", "CORE-TAG-27"],
    effect: "reversible",
    touches: ["accounts", "virtual-tags"],
    capabilities: ["roles", "users"],
    async run(context) {
      const { gateway, verify } = context;
      const seen = await doubled(context);
      if (!seen.some(({ operation }) => operation === "createVirtualTag"))
        verify("CORE-TAG-27").notApplicable("a second tag of a name", "the profile declares no virtual tags");
      for (const { requirement, operation, json, read } of seen) {
        const before = await read();
        const answer = await gateway.admin.callInvalid(operation, { json });
        // Whether a name may be given twice is not stated.
        if (answer.status >= 400 && answer.status < 500)
          verify(requirement).equal(
            await read(),
            before,
            `what had the name before a rejected ${operation}`,
            answer,
          );
        else {
          if (operation === "createRole") removeLater(context, answer, "deleteRole", "role");
          if (operation === "addUser") removeLater(context, answer, "deleteUser", "user");
          verify(requirement).notApplicable(
            `a second creation by ${operation}`,
            "the gateway accepts a name twice",
          );
        }
      }
    },
  }),
  testCase({
    id: "general/rejected-updates-change-nothing",
    title: "A rejected update changes none of the members sent with it",
    group: "general",
    requirements: [rejectedRequirement],
    effect: "reversible",
    touches: ["accounts", "virtual-tags"],
    async run(context) {
      const { profile, notApplicable } = context;
      let rejected = 0;
      for (const { operation, make, needs } of makers)
        if ([operation, ...needs].every((one) => isOffered(profile, one)))
          rejected += await rejectedUpdates(context, await make(context));
      if (rejected === 0) notApplicable("the gateway rejected no update with a wrong value");
    },
  }),
];
