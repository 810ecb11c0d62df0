import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { rejectedRequirement, rejectedUpdates, type Updatable } from "../support/rejectedUpdates.ts";
import { unusedId } from "../users/accounts.ts";

const noText = { wrong: 1 };

async function role({ gateway: { admin }, scratch }: CaseContext): Promise<Updatable> {
  const { id } = await scratch.role([]);
  return {
    what: "the role",
    operation: "updateRole",
    path: { id },
    body: { name: scratch.name("role"), description: "of a rejected update", permissions: [] },
    wrong: { name: [noText], description: [noText], permissions: ["none", [7]] },
    read: async () => (await admin.call("getRole", { path: { id } })).listedData(),
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
    body: {
      email: "rejected@example.org",
      expiredAfter: "2091-02-03T04:05:06Z",
      isActive: false,
      roles: [other.id, roleId],
    },
    wrong: {
      email: [noText],
      expiredAfter: ["next year", "2091-02-30T99:00:00Z"],
      isActive: ["maybe"],
      roles: ["all", [unusedId(roles)], [other.id, unusedId(roles)]],
    },
    read: async () => (await admin.call("getUser", { path: { id } })).listedData(),
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

const makers = { updateRole: role, updateUser: user, updateVirtualTag: virtualTag } as const;

export const rejectingCases: readonly TestCase[] = [
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
      for (const [operation, make] of Object.entries(makers))
        if (isOffered(profile, operation as keyof typeof makers))
          rejected += await rejectedUpdates(context, await make(context));
      if (rejected === 0) notApplicable("the gateway rejected no update with a wrong value");
    },
  }),
];
