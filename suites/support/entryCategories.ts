// Categories of log entries: whether a gateway takes others than those of its catalogue is not stated.
import type { CaseContext } from "../../harness/index.ts";
import { type Categories, runFacts } from "./runFacts.ts";

interface Marked {
  readonly category: string;
  readonly origin: string;
}

/** What distinguishes the entries of a case from others. */
export interface EntryMarks {
  /** Whether an entry can have any category; otherwise one of the catalogue, which other entries have as well. */
  readonly areOwn: boolean;
  /** Whether the query below is by categories. */
  readonly isByCategory: boolean;
  /** The category for a text of the case: the text, or one of the catalogue, the same for the same text. */
  readonly category: (text: string) => string;
  /** What a query by category needs beside it, so that it lists no other entries. */
  readonly scope: (...entries: readonly Marked[]) => { readonly origins?: string[] };
  /** The query for entries with the categories of these or, where these do not tell them from others, with their origins. */
  readonly query: (...entries: readonly Marked[]) => {
    readonly categories?: string;
    readonly origins?: string[];
  };
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** How this gateway lets a case mark its entries, as far as one entry tells; found once in a run. */
export async function entryMarks(context: CaseContext): Promise<EntryMarks> {
  const facts = runFacts(context);
  const { fixed, isListed } = (facts.categories ??= await categoriesOf(context));
  const areOwn = fixed.length === 0;
  const given = new Map<string, string>();
  const origins = (entries: readonly Marked[]) => ({
    origins: distinct(entries.map(({ origin }) => origin)),
  });
  return {
    areOwn,
    isByCategory: isListed,
    category(text) {
      const known = given.get(text) ?? fixed[given.size % fixed.length] ?? text;
      given.set(text, known);
      return known;
    },
    scope: (...entries) => (areOwn ? {} : origins(entries)),
    query: (...entries) =>
      isListed
        ? { categories: distinct(entries.map(({ category }) => category)).join(",") }
        : origins(entries),
  };
}

async function categoriesOf(context: CaseContext): Promise<Categories> {
  const { gateway, profile, random, waitFor } = context;
  const { admin } = gateway;
  const own = `rp${random.word(10)}`;
  const entry = { category: own, event: own, origin: own, message: own };
  if (!(await admin.call("createEvent", { json: entry })).rejected) {
    const lists = async (query: { categories: string } | { origins: string[] }): Promise<boolean> =>
      (await admin.call("getEvents", { query })).body().total === 1;
    // An entry may be listed between two readings: one by origin shows that it is, before the one by category.
    const by = async (): Promise<"category" | "origin" | undefined> => {
      const isListed = await lists({ origins: [own] });
      return (await lists({ categories: own })) ? "category" : isListed ? "origin" : undefined;
    };
    const found = await waitFor("the created entry", by, { deadlineMs: profile.patience.settleMs }).catch(
      () => undefined,
    );
    return { fixed: [], isListed: found !== "origin" };
  }
  const { categories } = (await admin.call("getEventCatalogue")).data();
  const [category = own] = categories;
  const isForCategory = (await admin.call("createEvent", { json: { ...entry, category } })).accepted;
  return { fixed: isForCategory ? categories : [], isListed: !isForCategory };
}
