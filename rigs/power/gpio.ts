// A relay on a GPIO line of this machine, by the tools of libgpiod 1.x or 2.x.
// Tried with: a stand-in for both versions that keeps the state of lines in commandedSwitches.test.ts; gpioset, gpioget
// and gpioinfo 1.6.3 and 2.2.1 without a chip (they accept the words and reject the chip). No relay.
import { setTimeout as timer } from "node:timers/promises";
import { execa } from "execa";
import Type, { type Static } from "typebox";
import { boundToParent } from "../host/boundChild.ts";
import { answerWithinMs, type DrivenSwitch, strict } from "./driver.ts";
import { runTool } from "./tool.ts";

const Line = Type.Integer({ minimum: 0, maximum: 1023 });

export const GpioSettings = Type.Object(
  {
    driver: Type.Literal("gpio"),
    chip: Type.String({ pattern: "^(gpiochip)?\\d+$|^/dev/\\S+$" }),
    line: Line,
    /** The power is on while the line is low. */
    activeLow: Type.Optional(Type.Boolean()),
    /** Line of the same chip that a contact of the relay sets while the power is on. */
    feedback: Type.Optional(Line),
    /** The line keeps its state after the program that set it has ended; else one holds it. */
    persists: Type.Optional(Type.Boolean()),
  },
  strict,
);

const install = "apt-get install gpiod";
const lookEveryMs = 20;

/** The words that differ between the versions of the tools. */
interface Syntax {
  readonly set: (value: string, hold: boolean) => string[];
  readonly get: (line: number) => string[];
  readonly info: readonly string[];
  /** Whether an output is read without becoming an input. */
  readonly readsOutputs: boolean;
}

function syntaxOf(version: string, { chip, activeLow }: Static<typeof GpioSettings>): Syntax {
  const low = activeLow === true ? ["--active-low"] : [];
  if (/\bv?1\.\d/.test(version))
    return {
      set: (value, hold) => ["gpioset", `--mode=${hold ? "signal" : "exit"}`, ...low, chip, value],
      get: (line) => ["gpioget", chip, String(line)],
      info: ["gpioinfo", chip],
      readsOutputs: false,
    };
  return {
    set: (value, hold) => ["gpioset", ...(hold ? [] : ["--toggle", "0"]), ...low, "--chip", chip, value],
    get: (line) => ["gpioget", "--as-is", "--numeric", "--chip", chip, String(line)],
    info: ["gpioinfo", "--chip", chip],
    readsOutputs: true,
  };
}

export function gpioSwitch(settings: Static<typeof GpioSettings>): DrivenSwitch {
  const { chip, line, activeLow = false, feedback, persists = false } = settings;
  const name = `line ${line} of ${chip}`;
  let release: (() => Promise<void>) | undefined;
  let version: string | undefined;
  const syntax = async (): Promise<Syntax> => {
    version ??= await runTool(["gpioset", "--version"], install);
    return syntaxOf(version, settings);
  };
  const valueOf = async (words: readonly string[]): Promise<boolean> => {
    const text = (await runTool(words, install)).trim();
    if (text !== "0" && text !== "1") throw new Error(`${words.join(" ")}: expected 0 or 1, found ${text}`);
    return text === "1";
  };
  return {
    name,
    wire: `gpio ${chip} line ${line}`,
    async set(isOn) {
      const { set, info } = await syntax();
      await release?.();
      const words = set(`${line}=${isOn ? 1 : 0}`, !persists);
      if (persists) await runTool(words, install);
      else release = await hold(words, async () => isHeld(await runTool(info, install), line));
    },
    async read() {
      const { get, readsOutputs } = await syntax();
      if (feedback !== undefined) return valueOf(get(feedback));
      // Reading a line that is held fails; with the tools of libgpiod 1 it would become an input.
      if (!persists || !readsOutputs) return undefined;
      return (await valueOf(get(line))) !== activeLow;
    },
    async check() {
      const { info } = await syntax();
      const found = lineOf(await runTool(info, install), line);
      if (found === undefined) throw new Error(`${chip} has no line ${line}`);
      return found.replaceAll(/\s+/g, " ").trim();
    },
    ...(persists ? {} : { release: async () => release?.() }),
  };
}

/** The line's row of `gpioinfo`. */
function lineOf(text: string, line: number): string | undefined {
  return text.split("\n").find((row) => new RegExp(`^\\s*line\\s+${line}:`).test(row));
}

function isHeld(text: string, line: number): boolean {
  return /gpioset/.test(lineOf(text, line) ?? "");
}

/** Starts the program that holds the line, until the line is held. */
async function hold(
  [program = "", ...words]: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const [first, ...rest] = boundToParent([program, ...words]);
  if (await isReady()) throw new Error("another gpioset holds the line. Fix: end it");
  const child = execa(first, rest, { stdin: "ignore", stdout: "ignore", stderr: "pipe", reject: false });
  let ended: string | undefined;
  const end = child.then(({ stderr, exitCode }) => {
    ended = stderr.trim() === "" ? `exit code ${exitCode ?? "none"}` : stderr.trim();
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await end;
  };
  const startedMs = performance.now();
  while (!(await isReady())) {
    if (ended !== undefined) throw new Error(ended);
    if (performance.now() - startedMs > answerWithinMs) {
      await stop();
      throw new Error(`expected the line to be held within ${answerWithinMs} ms, found it free`);
    }
    await timer(lookEveryMs);
  }
  return stop;
}
