// Things that were created before a reboot, as they are after it.
import type { CaseContext } from "../../harness/index.ts";
import { type CreatedKind, type CreatedThing, createThings, laterReading } from "../support/createdThings.ts";
import { ifMet } from "../support/ifMet.ts";
import { notDeclared } from "../support/persisted.ts";

/** The requirement that each created thing decides after the reboot. */
export const createdRequirement: Readonly<Partial<Record<CreatedKind, string>>> = {
  role: "CORE-ROLE-18",
  "updated role": "CORE-ROLE-27",
  user: "CORE-USER-20",
  "user with two roles": "CORE-ROLE-11",
  "signed-in user": "CORE-USER-09",
  "virtual tag": "CORE-TAG-27",
  "updated virtual tag": "CORE-TAG-28",
  "virtual tag created again": "CORE-TAG-27",
  event: "CORE-EVENT-33",
  "upgrade job": "CORE-UPGRADE-66",
  // Last: what is written to the accounts after it could store it, too.
  "changed password": "CORE-USER-43",
};
export const createdKinds = Object.keys(createdRequirement) as CreatedKind[];
/** Of other reboots: each of them is the last of the accounts, or of the tags, that is written before its reboot. */
export const lastWrites = { "own password": "CORE-USER-53", "updated virtual tag": "CORE-TAG-28" } as const;
/** Checks the created things after the reboot. */
export async function verifyCreated(
  context: CaseContext,
  created: readonly CreatedThing[],
  requirements: Readonly<Partial<Record<CreatedKind, string>>>,
): Promise<void> {
  for (const [kind, requirement] of Object.entries(requirements)) {
    const thing = created.find((one) => one.kind === kind);
    const verify = context.verify(requirement);
    if (thing === undefined) verify.notApplicable(`a created ${kind} after the reboot`, notDeclared);
    else verify.equal(await laterReading(context, thing), thing.expected, `${thing.what} after the reboot`);
  }
}

/** Lists of which an entry that is made after the reboot may take the id of one that was made before it. */
const counted = [
  { operation: "listRoles", requirement: "CORE-ROLE-20", removal: "deleteRole" },
  { operation: "listUsers", requirement: "CORE-USER-23", removal: "deleteUser" },
] as const;

/** Reads the roles and users; answers how to check after a reboot that new ones replace none of them. */
export async function watchCounted(context: CaseContext): Promise<() => Promise<void>> {
  const { admin } = context.gateway;
  const read = (operation: (typeof counted)[number]["operation"]): Promise<Map<number, string> | undefined> =>
    ifMet(admin.call(operation).then((answer) => new Map(answer.data().map(({ id, name }) => [id, name]))));
  const before = new Map<string, Map<number, string> | undefined>();
  for (const { operation } of counted) before.set(operation, await read(operation));
  return async () => {
    await ifMet(createThings(context, ["role", "user"]));
    for (const { operation, requirement, removal } of counted) {
      const [former, now] = [before.get(operation), await read(operation)];
      const what = `ids and names of ${operation} before the reboot that are others after it, beside new ones`;
      const verify = context.verify(requirement);
      if (former === undefined || now === undefined) verify.notApplicable(what, notDeclared);
      else if (!context.profile.extensions.has(removal))
        verify.notApplicable(what, "what the gateway does not remove is used again under another name");
      else
        verify.equal(
          // Another client may have removed one.
          [...former].filter(([id, name]) => now.has(id) && now.get(id) !== name),
          [],
          what,
        );
    }
  };
}

/** A virtual tag that was created and deleted. */
export async function deletedTag(context: CaseContext): Promise<CreatedThing | undefined> {
  const [tag] = await createThings(context, ["virtual tag"]);
  if (tag?.delete === undefined) return undefined;
  await tag.delete();
  return { ...tag, what: "list entry of a deleted virtual tag", expected: "absent" };
}
