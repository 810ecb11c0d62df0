// Which room may import which, and whether the code keeps to it. Imports of types count as well.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize, relative, sep } from "node:path";

/** The rooms and what each may import besides itself. Rigs start the reference gateway by its path; nobody imports it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  interface: [],
  "reference-impl": ["interface"],
  rigs: ["interface"],
  "harness/cli": ["harness", "suites", "reports", "rigs", "interface"],
  harness: ["rigs", "interface"],
  suites: ["harness", "rigs", "interface"],
  reports: ["harness/record", "interface"],
};
const rooms = Object.keys(mayImport);

export interface ImportReport {
  readonly filesRead: number;
  readonly importsSeen: number;
  /** One line each: file, what it imports, and what it may import instead. */
  readonly violations: readonly string[];
}

// The formatter keeps one specifier in double quotes after `from`, `import` or `import(`.
const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\n]+)"/g;

/** Reads every TypeScript file of the rooms below the folder. */
export async function checkImports(root: string): Promise<ImportReport> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    devDependencies?: object;
  };
  const developmentOnly = Object.keys(manifest.devDependencies ?? {});
  const violations: string[] = [];
  let filesRead = 0;
  let importsSeen = 0;
  for (const file of await sourceFiles(root)) {
    const text = await readFile(join(root, file), "utf8");
    filesRead += 1;
    for (const [, specifier = ""] of text.matchAll(specifiers)) {
      importsSeen += 1;
      const problem = specifier.startsWith(".")
        ? wrongRoom(
            file,
            normalize(join(dirname(file), specifier))
              .split(sep)
              .join("/"),
          )
        : wrongPackage(file, specifier, developmentOnly);
      if (problem !== undefined) violations.push(problem);
    }
  }
  return { filesRead, importsSeen, violations };
}

async function sourceFiles(root: string): Promise<string[]> {
  const tops = [...new Set(rooms.map((room) => room.split("/")[0] ?? room))];
  const lists = await Promise.all(
    tops.map((top) => readdir(join(root, top), { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  return lists
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function wrongRoom(file: string, target: string): string | undefined {
  const room = roomOf(file);
  if (room === undefined || isTest(file)) return undefined;
  const allowed = [room, ...(mayImport[room] ?? [])];
  const isAllowed = allowed.some((place) => target.startsWith(`${place}/`));
  // `harness` may be imported by others, its command line by nobody.
  const isCommandLine = target.startsWith("harness/cli/") && room !== "harness/cli";
  if (isTest(target)) return `${file} imports the test ${target}`;
  return isAllowed && !isCommandLine
    ? undefined
    : `${file} imports ${target}; ${room} may import only ${allowed.join(", ")}`;
}

function wrongPackage(
  file: string,
  specifier: string,
  developmentOnly: readonly string[],
): string | undefined {
  if (isTest(file)) return undefined;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return developmentOnly.includes(name)
    ? `${file} imports ${name}, which only developers install`
    : undefined;
}

function roomOf(file: string): string | undefined {
  return rooms.filter((room) => file.startsWith(`${room}/`)).toSorted((a, b) => b.length - a.length)[0];
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}
