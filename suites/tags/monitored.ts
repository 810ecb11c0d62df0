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
