import type { Tag } from "../../interface/resources/tags.ts";
import type { Clock, GatewayUnderTest } from "../../harness/index.ts";
import type { Findings } from "./findings.ts";

const maxSources = 20;
const maxTags = 3;
const readings = 5;
const betweenReadingsMs = 400;

interface Source {
  readonly provider: string;
  readonly source: string;
}

/** Reads the values of each source several times and answers the source whose tags change most without a request. */
export async function findLiveTags(
  gateway: GatewayUnderTest,
  tags: readonly Tag[],
  clock: Clock,
): Promise<Findings["liveTags"]> {
  const sources = new Map<string, Source>(
    tags.map(({ prvdName, srcName }) => [`${prvdName}/${srcName}`, { provider: prvdName, source: srcName }]),
  );
  const watched = [...sources.values()]
    .slice(0, maxSources)
    .map((path) => ({ path, last: new Map<string, number | bigint>(), changes: new Map<string, number>() }));
  for (let reading = 0; reading < readings; reading++) {
    if (reading > 0) await clock.delay(betweenReadingsMs);
    await Promise.all(
      watched.map(async ({ path, last, changes }) => {
        for (const [name, value] of await valuesOf(gateway, path)) {
          if (last.has(name) && last.get(name) !== value) changes.set(name, (changes.get(name) ?? 0) + 1);
          last.set(name, value);
        }
      }),
    );
  }
  const best = watched
    .map(({ path, changes }) => ({ path, most: Math.max(0, ...changes.values()), changes }))
    .toSorted((a, b) => b.most - a.most)[0];
  if (best === undefined || best.most === 0) return undefined;
  const liveliest = [...best.changes].filter(([, count]) => count === best.most).map(([name]) => name);
  return { ...best.path, tags: liveliest.slice(0, maxTags) };
}

/** Numbers only: the suite calculates with them. */
async function valuesOf(
  gateway: GatewayUnderTest,
  path: Source,
): Promise<ReadonlyMap<string, number | bigint>> {
  try {
    const data = (await gateway.admin.call("monitorTags", { path: { ...path } })).data();
    const values = Array.isArray(data) ? data : [data];
    return new Map(
      values.flatMap(({ tagName, dataValue }) =>
        typeof dataValue === "number" || typeof dataValue === "bigint" ? [[tagName, dataValue] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
