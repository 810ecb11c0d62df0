// The lines of a stream around a check that did not pass: its evidence, like the exchange of a request.
import Type, { type Static } from "typebox";

const Milliseconds = Type.Number();

export const Transcript = Type.Object({
  /** The moment that the check is about, in milliseconds after the stream was opened, like the other times here. */
  checkedAtMs: Milliseconds,
  /** When the gateway ended the stream; absent while it was open. */
  endedAtMs: Type.Optional(Milliseconds),
  /** Non-empty lines before and after that moment, as received; long ones are cut. */
  lines: Type.Array(Type.Object({ atMs: Milliseconds, line: Type.String() })),
});
export type Transcript = Static<typeof Transcript>;
