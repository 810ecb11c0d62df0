import type { CaseContext } from "../../harness/index.ts";
import type { MonitoredValue } from "../../interface/resources/tags.ts";
import type { OwnTag } from "./ownTag.ts";

/** `data` of a monitor answer is an array in the published schema and one object in its example; both are accepted. */
export async function monitored(
  { gateway }: CaseContext,
  tag: OwnTag,
  query: { tags?: string; ms?: number },
): Promise<MonitoredValue[]> {
  const { provider, source } = tag.path;
  const data = (await gateway.admin.call("monitorTags", { path: { provider, source }, query })).data();
  return Array.isArray(data) ? data : [data];
}

/** Values of the tag, in the order of the answer. */
export const valuesOf = (values: readonly MonitoredValue[], tag: OwnTag): unknown[] =>
  values.filter((value) => value.tagName === tag.tagName).map((value) => value.dataValue as unknown);

/** The answer of a search as soon as it has the values, at the latest after the settling time: how soon it has them is not stated. */
export async function monitoredPast(
  context: CaseContext,
  tag: OwnTag,
  query: { tags?: string; ms: number },
  values: () => readonly unknown[],
): Promise<MonitoredValue[]> {
  let seen = await monitored(context, tag, query);
  const hasAll = async (): Promise<true | undefined> => {
    const shown = valuesOf(seen, tag);
    if (values().every((value) => shown.includes(value))) return true;
    seen = await monitored(context, tag, query);
    return undefined;
  };
  const { settleMs } = context.profile.patience;
  await context
    .waitFor("written values in a search", hasAll, { deadlineMs: settleMs })
    .catch(() => undefined);
  return seen;
}
