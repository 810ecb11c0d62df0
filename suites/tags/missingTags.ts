// Update and deletion of a virtual tag that does not exist.
import type { CaseContext } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { keyOf, listed, membersOf, type Name, wish } from "../support/virtualTag.ts";

/**
 * Checks that both are rejected. That a deletion of nothing succeeds, and that an update creates the tag, is not stated and
 * not excluded: such an answer has to be true.
 */
export async function verifyMissing(
  context: CaseContext,
  gone: Name,
  others: readonly Name[],
): Promise<void> {
  const { gateway, verify } = context;
  const deleted = await gateway.admin.call("deleteVirtualTag", { json: gone });
  if (deleted.accepted) {
    const remaining = new Set(deleted.data().map(keyOf));
    accepts(context, "deletion of a virtual tag that does not exist", {
      observed: [gone, ...others].map((one) => remaining.has(keyOf(one))),
      expected: [false, ...others.map(() => true)],
    });
  } else verify("CORE-TAG-58").refused(deleted);
  const fresh = wish(context);
  context.scratch.removeTagLater(fresh);
  const updated = await gateway.admin.call("updateVirtualTag", { json: fresh });
  if (!updated.accepted) {
    verify("CORE-TAG-58").refused(updated);
    return;
  }
  const shown: Partial<Tag> = membersOf((await listed(gateway)).get(keyOf(fresh))) ?? {};
  accepts(context, "update of a virtual tag that does not exist", {
    observed: [shown.tagName, shown.dataType, shown.access],
    expected: [fresh.tagName, fresh.dataType, fresh.access],
  });
}

function accepts(
  { verify }: CaseContext,
  what: string,
  { observed, expected }: { readonly observed: unknown; readonly expected: unknown },
): void {
  if (JSON.stringify(observed) === JSON.stringify(expected))
    verify("CORE-TAG-58").notApplicable(what, "the gateway accepts it, and its answer is true");
  else verify("CORE-TAG-58").equal(observed, expected, `tags after an accepted ${what}`);
}
