// Categories of log entries: whether a gateway takes others than those of its catalogue is not stated.
import type { CaseContext } from "../../harness/index.ts";
import { runFacts } from "./runFacts.ts";

/** Whether the gateway takes entries with any category, as far as one entry tells; found once in a run. */
export async function takesAnyCategory(context: CaseContext): Promise<boolean> {
  const facts = runFacts(context);
  if (facts.takesAnyCategory !== undefined) return facts.takesAnyCategory;
  const { gateway, random } = context;
  const { admin } = gateway;
  const own = `rp${random.word(10)}`;
  const entry = { category: own, event: own, origin: own, message: own };
  const first = await admin.call("createEvent", { json: entry });
  if (first.accepted) facts.takesAnyCategory = true;
  if (!first.rejected) return true;
  const [category = own] = (await admin.call("getEventCatalogue")).data().categories;
  const isForCategory = (await admin.call("createEvent", { json: { ...entry, category } })).accepted;
  if (isForCategory) facts.takesAnyCategory = false;
  return !isForCategory;
}

/** Ends the case as not applicable where the gateway takes entries only with a category of its catalogue. */
export async function requireAnyCategory(context: CaseContext): Promise<void> {
  if (!(await takesAnyCategory(context)))
    context.notApplicable("the gateway takes entries only with a category of its catalogue");
}
