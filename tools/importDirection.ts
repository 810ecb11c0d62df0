// Which room may import which, by which door, and whether the code keeps to it. Imports of types count as well.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize, relative, sep } from "node:path";

/** The rooms, lowest first, and what each may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  interface: [],
  record: ["interface"],
  observation: ["record", "interface"],
  rigs: ["interface"],
  "reference-impl": ["interface"],
  alterations: ["interface", "reference-impl"],
  harness: ["observation", "record", "rigs", "interface"],
  suites: ["harness", "record", "rigs", "interface"],
  workflows: ["harness", "record", "rigs", "alterations", "interface"],
  reports: ["record", "interface"],
  cli: [
    "workflows",
    "suites",
    "reports",
    "harness",
    "alterations",
    "reference-impl",
    "rigs",
    "record",
    "interface",
  ],
};
/** Rooms that others enter only through their `index.ts`. */
const faces: ReadonlySet<string> = new Set(["record", "rigs", "harness"]);
export const rooms = Object.keys(mayImport);

export interface ImportReport {
  readonly filesRead: number;
  readonly importsSeen: number;
  /** One line each: file, what it imports, and what it may import instead. */
  readonly violations: readonly string[];
}

interface Import {
  readonly file: string;
  readonly target: string;
}

// The formatter keeps one specifier in double quotes after `from`, `import` or `import(`.
const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\n]+)"/g;

/** Reads every TypeScript file of the rooms below the folder. */
export async function checkImports(root: string): Promise<ImportReport> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    devDependencies?: object;
    peerDependencies?: object;
  };
  // A peer is installed by the users of the part that needs it.
  const peers = Object.keys(manifest.peerDependencies ?? {});
  const developmentOnly = Object.keys(manifest.devDependencies ?? {}).filter((name) => !peers.includes(name));
  const violations: string[] = [];
  const inside: Import[] = [];
  let filesRead = 0;
  let importsSeen = 0;
  for (const file of await sourceFiles(root)) {
    const text = await readFile(join(root, file), "utf8");
    filesRead += 1;
    for (const [, specifier = ""] of text.matchAll(specifiers)) {
      importsSeen += 1;
      if (isTest(file)) continue;
      const one = { file, target: targetOf(file, specifier) };
      const problem = specifier.startsWith(".")
        ? wrongRoom(one)
        : wrongPackage(file, specifier, developmentOnly);
      if (problem !== undefined) violations.push(problem);
      // A room's face stands above all of its folders, so that it closes no circle.
      if (specifier.startsWith(".") && roomOf(file) === roomOf(one.target) && !isFace(file)) inside.push(one);
    }
  }
  return { filesRead, importsSeen, violations: [...violations, ...circles(inside)] };
}

async function sourceFiles(root: string): Promise<string[]> {
  const lists = await Promise.all(
    rooms.map((room) => readdir(join(root, room), { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  return lists
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function targetOf(file: string, specifier: string): string {
  return normalize(join(dirname(file), specifier))
    .split(sep)
    .join("/");
}

function wrongRoom({ file, target }: Import): string | undefined {
  const room = roomOf(file);
  const entered = roomOf(target);
  if (isTest(target)) return `${file} imports the test ${target}`;
  if (room === entered) {
    return isFace(target) ? `${file} imports the face of its own room, ${target}` : undefined;
  }
  const allowed = mayImport[room] ?? [];
  if (!allowed.includes(entered)) {
    return `${file} imports ${target}; ${room} may import only ${[room, ...allowed].join(", ")}`;
  }
  return faces.has(entered) && !isFace(target)
    ? `${file} imports ${target}; other rooms import only ${entered}/index.ts`
    : undefined;
}

function wrongPackage(
  file: string,
  specifier: string,
  developmentOnly: readonly string[],
): string | undefined {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return developmentOnly.includes(name)
    ? `${file} imports ${name}, which only developers install`
    : undefined;
}

/** Folders of one room that import each other, directly or by way of others: one line for each import that closes a circle. */
function circles(imports: readonly Import[]): string[] {
  const reached = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [dirname(file), dirname(target)];
    if (from === to) continue;
    reached.set(from, (reached.get(from) ?? new Set()).add(to));
  }
  const canReach = (from: string, wanted: string, seen = new Set<string>()): boolean => {
    if (from === wanted) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(reached.get(from) ?? [])].some((next) => canReach(next, wanted, seen));
  };
  return imports
    .filter(
      ({ file, target }) => dirname(file) !== dirname(target) && canReach(dirname(target), dirname(file)),
    )
    .map(
      ({ file, target }) =>
        `${file} imports ${target}; ${dirname(target)} already depends on ${dirname(file)}: a circle between folders`,
    );
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function isFace(file: string): boolean {
  const room = roomOf(file);
  return faces.has(room) && file === `${room}/index.ts`;
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}
