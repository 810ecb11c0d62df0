// List tags with a provider: all tags of this one, and no other.
import type { CaseContext } from "../../harness/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import { keyOf, listed } from "../support/virtualTag.ts";

const mostProviders = 6;
const mostShown = 5;

/** Checks the lists of the named providers, of some others, and of one that does not exist. */
export async function verifyProviders(context: CaseContext, first: readonly string[]): Promise<void> {
  const { gateway, verify, scratch } = context;
  const list = (provider: string) => gateway.admin.call("listTags", { query: { provider } });
  const before = await listed(gateway);
  // A comma may separate providers.
  const all = [...first, ...[...before.values()].map(({ prvdName }) => prvdName)];
  const providers = [...new Set(all)].filter((name) => name !== "" && !name.includes(","));
  const lists = [];
  for (const provider of providers.slice(0, mostProviders))
    lists.push({ provider, answer: await list(provider) });
  // Other clients may create and delete tags meanwhile.
  const after = await listed(gateway);
  const staying = [...before.values()].filter((tag) => after.has(keyOf(tag)));
  for (const { provider, answer } of lists) {
    if (!verify("CORE-TAG-61").accepted(answer)) continue;
    const seen = new Set(answer.data().map(keyOf));
    const isMissing = (tag: Tag): boolean => tag.prvdName === provider && !seen.has(keyOf(tag));
    verify("CORE-TAG-61").equal(
      {
        missing: staying.filter(isMissing).map(keyOf).slice(0, mostShown),
        others: answer
          .data()
          .filter(({ prvdName }) => prvdName !== provider)
          .slice(0, mostShown),
      },
      { missing: [], others: [] },
      `tags that List tags with \`provider\` ${provider} omits, and tags of other providers`,
      answer,
    );
  }
  const none = await list(scratch.name("provider"));
  // Whether an unknown provider is rejected is not stated.
  if (none.accepted)
    verify("CORE-TAG-61").equal(
      (none.json as { data?: unknown } | undefined)?.data,
      [],
      "`data` of List tags with a provider that does not exist",
      none,
    );
}
