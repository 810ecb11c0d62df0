// A person at the bench who pulls the plug or presses the button when asked.
// Tried with: a person's part played over streams in manual.test.ts, and over a pseudo-terminal of socat.
import Type, { type Static } from "typebox";
import { type BenchAccess, type DrivenSwitch, NobodyActed, strict } from "./driver.ts";

export const ManualSettings = Type.Object(
  {
    driver: Type.Literal("manual"),
    /** The thing to be switched or pressed, as the person finds it at the bench. */
    what: Type.String({ minLength: 1 }),
    /** How long to wait for the person; default 120. */
    withinSec: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  },
  strict,
);

const defaultWithinSec = 120;

export function manualSwitch(
  { what, withinSec = defaultWithinSec }: Static<typeof ManualSettings>,
  { terminal }: Pick<BenchAccess, "terminal">,
): DrivenSwitch {
  /** Nobody could be asked to switch it off: it is still on. */
  let isUntouched = false;
  const ask = async (act: string): Promise<void> => {
    if (!terminal.isPresent)
      throw new NobodyActed("this run has no terminal at which a person could be asked");
    const answer = await terminal.ask(
      `rackproof: At the bench: ${act}, then press Enter (within ${withinSec} s; n and Enter if it cannot be done)`,
      withinSec * 1000,
    );
    if (answer === undefined) throw new NobodyActed(`nobody pressed Enter within ${withinSec} s`);
    if (/^\s*n/i.test(answer)) throw new Error("the person at the bench could not do it");
  };
  return {
    name: `${what} (by hand)`,
    wire: `by hand ${what}`,
    set: async (isOn) => {
      if (isOn && isUntouched) return;
      isUntouched = !isOn && !terminal.isPresent;
      await ask(`switch ${isOn ? "on" : "off"} ${what}`);
    },
    press: () => ask(`press ${what} briefly`),
    check: () =>
      Promise.resolve(
        terminal.isPresent
          ? "a person is asked at this terminal; not asked by this check"
          : "cases that need it are inconclusive: no terminal at which a person could be asked",
      ),
  };
}
