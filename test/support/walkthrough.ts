// The commands of a page of docs/, run one after the other as a new user would, with what stands in for their devices.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const launcher = fileURLToPath(new URL("../../bin/rackproof.mjs", import.meta.url));

export interface Walk {
  /** Texts of the page and what stands in for each: an address, a name, a value that a user fills in. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Words that make a command of minutes one of seconds, by how the command begins. */
  readonly shortened?: Readonly<Record<string, string>>;
  /** Commands that are not run, by how they begin, with the reason. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Exit codes other than 0 that are right, by how the command begins. */
  readonly exitCodes?: Readonly<Record<string, number>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One line of a `sh` block: variables that it sets, and its words. */
interface Command {
  readonly line: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** The commands in the `sh` blocks of a page. */
export async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = ""]) => block.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Commands of the command line that a page names, in blocks and in running text, with their options. */
export async function namedCommands(
  page: string,
): Promise<{ line: string; command: string[]; options: string[] }[]> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "")),
  );
  const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`]+)`/g)].map(
    ([, code = ""]) => code,
  );
  return [...blocks, ...inline].flatMap((line) => {
    const [, words = ""] =
      /(?:^|\s)rackproof ([a-z][a-z-]*(?:\s.*)?)$/.exec(line.replaceAll("\n", " ")) ?? [];
    const [first = "", second = "", ...rest] = words.split(/\s+/);
    if (first === "") return [];
    const command = withSubcommands.has(first) && second !== "" ? [first, second] : [first];
    const options = [second, ...rest]
      .filter((word) => /^--[a-z]/.test(word))
      .map((word) => word.replace(/=.*/, ""));
    return [{ line, command, options }];
  });
}

const withSubcommands: ReadonlySet<string> = new Set([
  "contract",
  "dispute",
  "fleet",
  "key",
  "profile",
  "registry",
  "rig",
]);

/** Runs what is to be run; answers for each command its exit code and what it said, where that was not as expected. */
export async function walk(
  page: string,
  folder: string,
  how: Walk,
): Promise<{ ran: string[]; wrong: object[] }> {
  const ran: string[] = [];
  const wrong: object[] = [];
  for (const line of await commandsOf(page)) {
    if (startOf(line, how.leftOut) !== undefined) continue;
    const command = parse(filledIn(line, how));
    const [program, ...words] = command.words;
    if (program !== "npx" || words[0] !== "rackproof")
      throw new Error(`${page}: ${line}: only npx rackproof is run here; name the reason to leave it out`);
    const { exitCode, stdout, stderr } = await execa(process.execPath, [launcher, ...words.slice(1)], {
      cwd: folder,
      reject: false,
      timeout: 120_000,
      env: { ...how.environment, ...command.environment },
    });
    ran.push(line);
    const expected = startOf(line, how.exitCodes) ?? 0;
    if (exitCode !== expected) wrong.push({ line, exitCode, said: `${stdout}\n${stderr}`.slice(-1500) });
  }
  return { ran, wrong };
}

function startOf<T>(line: string, by: Readonly<Record<string, T>> | undefined): T | undefined {
  return Object.entries(by ?? {}).find(([start]) => line.includes(start))?.[1];
}

function filledIn(line: string, { replaced, shortened }: Walk): string {
  const more = startOf(line, shortened);
  const whole = more === undefined ? line : `${line} ${more}`;
  return Object.entries(replaced ?? {}).reduce((text, [from, to]) => text.replaceAll(from, to), whole);
}

/** Variables before the program, then words; double and single quotes hold words together. */
function parse(line: string): Command {
  const words = [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/["']/g, ""),
  );
  const environment: Record<string, string> = {};
  while (/^[A-Z_]+=/.test(words[0] ?? "")) {
    const [name = "", value = ""] = (words.shift() ?? "").split(/=(.*)/);
    environment[name] = value;
  }
  return { line, environment, words };
}
