import { around, type EventStream, sameValue, type TagStream, type Verify } from "../../harness/index.ts";

/** What was received on a stream and is compared. */
interface Received {
  readonly shown: unknown;
  readonly receivedMs: number;
}

/** Checks what a stream delivered, in order. The first difference is shown with the lines around it. */
export function verifyReceived(
  verify: Verify,
  stream: TagStream | EventStream,
  received: readonly Received[],
  expected: readonly unknown[],
  what: string,
): boolean {
  const differs = received.find(({ shown }, index) => !sameValue(shown, expected[index]));
  return verify.equal(
    received.map(({ shown }) => shown),
    expected,
    what,
    around(stream, differs?.receivedMs),
  );
}

/** Values of a tag stream, in order; of one tag where a name is given. */
export function valuesOn({ received }: TagStream, tagName?: string): Received[] {
  const wanted = tagName === undefined ? received : received.filter(({ value }) => value.tagName === tagName);
  return wanted.map(({ value, receivedMs }) => ({ shown: value.dataValue as unknown, receivedMs }));
}
