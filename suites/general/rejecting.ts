import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { unusedId } from "../users/accounts.ts";

const requirement = "CORE-GENERAL-10";

/** Something that an operation updates, with a body of other values and wrong values for its members. */
interface Updatable {
  readonly what: string;
  readonly operation: OperationId;
  readonly path?: { readonly id: number };
  readonly body: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
  readonly read: () => Promise<unknown>;
}

const noText = { wrong: 1 };

async function role({ gateway: { admin }, scratch }: CaseContext): Promise<Updatable> {
  const { id } = await scratch.role([]);
  return {
    what: "role",
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
    what: "user",
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
    what: "virtual tag",
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
    requirements: [requirement],
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

/** Sends each wrong value beside right ones, first and last; returns the number of rejected updates. */
async function rejectedUpdates(
  { gateway: { admin }, verify }: CaseContext,
  { what, operation, path, body, wrong, read }: Updatable,
): Promise<number> {
  let before = await read();
  let rejected = 0;
  for (const [member, values] of Object.entries(wrong)) {
    const { [member]: _right, ...rest } = body;
    for (const value of values)
      for (const json of [
        { ...rest, [member]: value },
        { [member]: value, ...rest },
      ]) {
        const request = { json, ...(path === undefined ? {} : { path }) };
        const answer: Answer = await admin.callInvalid(operation, request);
        const after = await read();
        if (answer.status >= 400 && answer.status < 500) {
          rejected += 1;
          verify(requirement).equal(
            after,
            before,
            `the ${what} after the rejected body ${JSON.stringify(json)}`,
            answer,
          );
        }
        before = after;
      }
  }
  return rejected;
}
