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
  "signed-in user": "CORE-USER-09",
  "virtual tag": "CORE-TAG-27",
  "updated virtual tag": "CORE-TAG-28",
  event: "CORE-EVENT-33",
  "upgrade job": "CORE-UPGRADE-66",
  // Last: what is written to the accounts after it could store it, too.
  "changed password": "CORE-USER-43",
};
export const createdKinds = Object.keys(createdRequirement) as CreatedKind[];
/** Of other reboots: each of them is the last of the accounts, or of the tags, that is written before its reboot. */
export const lastWrites = { "own password": "CORE-USER-53", "updated virtual tag": "CORE-TAG-28" } as const;
/** Kinds of which one that is made after the reboot may take the id or the place of one that was made before it. */
const countedKinds = ["role", "user", "virtual tag", "upgrade job"] as const;

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

/** Creates more after the reboot, where the gateway has room, and checks that it replaces nothing. */
export async function verifyBesideNew(context: CaseContext, created: readonly CreatedThing[]): Promise<void> {
  await ifMet(createThings(context, countedKinds));
  const decided = countedKinds.map((kind) => [kind, createdRequirement[kind]]);
  await verifyCreated(context, created, Object.fromEntries(decided));
}

/** A virtual tag that was created and deleted. */
export async function deletedTag(context: CaseContext): Promise<CreatedThing | undefined> {
  const [tag] = await createThings(context, ["virtual tag"]);
  if (tag?.delete === undefined) return undefined;
  await tag.delete();
  return { ...tag, what: "list entry of a deleted virtual tag", expected: "absent" };
}
