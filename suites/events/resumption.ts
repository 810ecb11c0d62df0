// Resumption of a stream of numbered events.
import type { CaseContext, EventStream } from "../../harness/index.ts";
import type { EventRecord } from "../../interface/resources/events.ts";
import { verifyReceived } from "../support/onStream.ts";
import type { page } from "./support.ts";

/** Resumes after a record of the stream, which has received all that was sent. */
export async function verifyResumption(
  { gateway, profile, verify }: CaseContext,
  {
    stream,
    filter: { query },
  }: {
    readonly stream: EventStream;
    readonly filter: { readonly query: Parameters<typeof page>[1] };
  },
  sent: readonly string[],
  place: number,
): Promise<void> {
  const later = sent.slice(place + 1);
  const id = stream.received[place]?.id;
  const what = `numbers of ${later.length} events on a stream opened with the \`Last-Event-ID\` before them`;
  if (id === undefined || id === "")
    return verify("CORE-EVENT-74").notApplicable(what, "the stream before shows no id");
  await using resumed = await gateway.admin.openEventStream(query, id);
  if (resumed.status !== 200)
    return verify("CORE-EVENT-74").notApplicable(what, `it was answered with status ${resumed.status}`);
  const isLast = ({ record }: { record: EventRecord }): boolean => numberOf(record) === sent.at(-1);
  await resumed.next("the last event", isLast, profile.patience.settleMs).catch(() => undefined);
  const shown = resumed.received.map(({ record, receivedMs }) => ({ shown: numberOf(record), receivedMs }));
  verifyReceived(verify("CORE-EVENT-74"), resumed, shown, later, what);
}

/** Number of a record of the case, which its message begins with. */
export function numberOf({ message }: { readonly message: string }): string {
  return /^number (\d+) /.exec(message)?.[1] ?? message;
}
