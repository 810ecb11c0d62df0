import type { CaseContext } from "../../harness/index.ts";
import type { OwnTag } from "./ownTag.ts";

/** Values of query parameters that the interface does not list, or of a wrong type. */
const wrongQueries: readonly object[] = [
  { ms: "soon" },
  { streamInterval: "often" },
  { onChanged: true, compute: "no-such-method" },
];

/** Checks that monitoring rejects such values. Each is sent as a stream would be, because an accepted one may be endless. */
export async function verifyRejectedQueries(
  { gateway, verify }: CaseContext,
  { path: { provider, source }, tagName }: OwnTag,
): Promise<void> {
  for (const query of wrongQueries) {
    await using stream = await gateway.admin.openTagStream({ provider, source }, { tags: tagName, ...query });
    verify("CORE-GENERAL-09").that(stream.status >= 400 && stream.status < 500, {
      what: `status of monitoring with ${JSON.stringify(query)}`,
      expected: "4xx",
      observed: stream.status,
      evidence: stream,
    });
  }
}
