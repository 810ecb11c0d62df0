// A virtual tag that was created before a reboot, in use after it: a list can have a tag that nothing else serves.
import type { CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { ifMet } from "../support/ifMet.ts";
import { notDeclared } from "../support/persisted.ts";
import { tagViews, verifyViews } from "../support/tagViews.ts";
import { keyOf, listed, nameOf } from "../support/virtualTag.ts";

export const tagInUseRequirements = [...Object.values(tagViews), "CORE-TAG-28", "CORE-TAG-29"];

/** Creates a tag; answers how to check after a reboot that it is written, read, monitored, updated and deleted. */
export async function tagInUse(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, profile, scratch, verify } = context;
  const { admin } = gateway;
  const canCreate = isOffered(profile, "createVirtualTag");
  const tag = canCreate ? await ifMet(scratch.virtualTag({ dataType: "int32" })) : undefined;
  return async () => {
    const isListed = tag !== undefined && (await listed(gateway)).has(keyOf(tag));
    if (!isListed) {
      const reason = tag === undefined ? notDeclared : "List tags does not contain it";
      for (const requirement of tagInUseRequirements)
        verify(requirement).notApplicable("a virtual tag of before the reboot", reason);
      return;
    }
    const what = "value of a virtual tag after the reboot and a write";
    await verifyViews(context, tag, what, { isStreamOwed: true });
    if (!isOffered(profile, "updateVirtualTag") || !isOffered(profile, "deleteVirtualTag")) {
      for (const requirement of ["CORE-TAG-28", "CORE-TAG-29"])
        verify(requirement).notApplicable("an update and a deletion after the reboot", notDeclared);
      return;
    }
    const updated = { ...nameOf(tag), dataType: "int32", access: "rw", dataUnit: "m/s" } as const;
    const update = await admin.call("updateVirtualTag", { json: updated });
    if (verify("CORE-TAG-28").accepted(update))
      verify("CORE-TAG-28").equal(
        (await listed(gateway)).get(keyOf(tag))?.dataUnit,
        updated.dataUnit,
        "listed `dataUnit` of a virtual tag of before the reboot, updated after it",
        update,
      );
    const deletion = await admin.call("deleteVirtualTag", { json: nameOf(tag) });
    if (verify("CORE-TAG-29").accepted(deletion))
      verify("CORE-TAG-29").equal(
        (await listed(gateway)).has(keyOf(tag)),
        false,
        "presence in the list of a virtual tag of before the reboot, deleted after it",
        deletion,
      );
  };
}
