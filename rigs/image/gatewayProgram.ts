// The reference gateway as a few plain files that need nothing but Node and its libraries: for images of all kinds.
import { createHash, type Hash } from "node:crypto";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["reference-impl", "alterations", "interface"];
/** TypeScript in a checkout, JavaScript in the published package. */
const suffix = extname(import.meta.filename);
const standardNodes = "nodesets/Opc.Ua.NodeSet2.xml";

const Manifest = Type.Object({ name: Type.String(), version: Type.String() });

/** Path of the bundle's folder inside an image, so that caches made while building fit. */
export const programFolder = "/app";
/** The program with faults and variations inside an image. */
export const alteredInside = `${programFolder}/dist/altered.js`;

/** Node for an image: the program, and the libraries that it is linked with. */
export interface NodeFiles {
  readonly program: string;
  /** Processor, as Node names it. */
  readonly arch: string;
  /** File of each library by its path in an image. */
  readonly libraries: () => Promise<ReadonlyMap<string, string>>;
}

/** The one that runs this program. */
export const ownNode: NodeFiles = {
  program: process.execPath,
  arch: process.arch,
  libraries: async () => {
    const { stdout } = await execa("ldd", [process.execPath]);
    const files = stdout.split("\n").flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
    return new Map(files.map((file) => [file, file]));
  },
};

/** Feeds everything that the program is made from into the hash. */
async function hashProgram(hash: Hash, { program, arch }: NodeFiles): Promise<void> {
  for (const folder of sources) {
    for (const file of (await readdir(join(projectFolder, folder), { recursive: true })).toSorted()) {
      if (!file.endsWith(suffix) || file.endsWith(`.test${suffix}`)) continue;
      hash.update(file).update(await readFile(join(projectFolder, folder, file)));
    }
  }
  const { size } = await stat(program);
  hash.update(`${process.version} ${arch} ${size}`);
  hash.update(await readFile(join(projectFolder, "package.json")));
}

/** A short hash of what the image is made of, besides Node and the program the parts given. */
export async function contentHash(node: NodeFiles, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const hash = createHash("sha256");
  await hashProgram(hash, node);
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 16);
}

/** Writes the bundled gateway into `root` of an image: `/app/dist/main.js` and what it needs beside it. */
export async function writeProgram(
  root: string,
  { arch }: NodeFiles,
  form: "small" | "readable" = "small",
): Promise<void> {
  const folder = join(root, programFolder);
  await mkdir(folder, { recursive: true });
  await bundle(join(folder, "dist"), form === "small");
  const manifest: unknown = JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8"));
  if (checker(Manifest)(manifest).length > 0) throw new Error("package.json has no name and version");
  const { name, version } = manifest as { name: string; version: string };
  await writeFile(join(folder, "package.json"), JSON.stringify({ name, version, type: "module" }));
  const prebuilds = `linux-${arch}`;
  const bindings = join(folderOf("serialport", "@serialport/bindings-cpp"), "prebuilds", prebuilds);
  await cp(bindings, join(folder, "prebuilds", prebuilds), { recursive: true });
  // The OPC UA library reads the standard's own nodes from a file that it looks for beside its code.
  await mkdir(join(folder, "nodesets"));
  const nodes = join(folderOf("node-opcua", "node-opcua-nodesets"), standardNodes);
  await cp(nodes, join(folder, "nodesets", basename(nodes)));
}

/** Where the package lies that another one, which this project depends on, needs. */
function folderOf(dependency: string, name: string): string {
  const own = createRequire(import.meta.url);
  return dirname(createRequire(own.resolve(dependency)).resolve(`${name}/package.json`));
}

/** Writes Node and the libraries it is linked with into `root`, under the paths where the loader looks for them. */
export async function writeNode(root: string, { program, libraries }: NodeFiles): Promise<void> {
  await mkdir(join(root, "bin"), { recursive: true });
  await cp(program, join(root, "bin/node"), { dereference: true });
  // Debug symbols are a sixth of it; without the tool, or for another processor, they stay.
  await execa("strip", [join(root, "bin/node")], { reject: false });
  for (const [path, file] of await libraries()) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    await cp(file, place, { dereference: true });
  }
}

async function bundle(folder: string, isSmall: boolean): Promise<void> {
  // Only who builds an image needs the bundler.
  const { rolldown } = await import("rolldown");
  await using bundled = await rolldown({
    input: {
      main: join(projectFolder, `reference-impl/main${suffix}`),
      altered: join(projectFolder, `alterations/main${suffix}`),
      supervisor: join(projectFolder, `reference-impl/board/supervisor${suffix}`),
      makeSelfSigned: join(projectFolder, `reference-impl/tls/makeSelfSigned${suffix}`),
    },
    cwd: projectFolder,
    platform: "node",
    // Optional dependencies that are not installed are looked for only when they are used, which is never.
    logLevel: "silent",
    plugins: [{ name: "bundled-programs", transform: namesOfBundledPrograms }],
  });
  const { output } = await bundled.write({
    dir: folder,
    format: "esm",
    // Names stay: the OPC UA library asks objects for the names of their classes.
    minify: isSmall && { compress: true, mangle: false, codegen: true },
    keepNames: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // What was CommonJS asks where it lies.
    banner: "const __filename = import.meta.filename, __dirname = import.meta.dirname;",
  });
  if (!output.some(({ fileName }) => basename(fileName) === "main.js"))
    throw new Error("the bundler made no main.js of the reference gateway");
}

/** Programs that the gateway starts lie beside it in the bundle, and are JavaScript there. */
function namesOfBundledPrograms(code: string, id: string): string | undefined {
  if (!id.startsWith(join(projectFolder, "reference-impl"))) return undefined;
  return code.replaceAll(
    /new URL\("(?:[^"]*\/)?(\w+)\.[tj]s", import\.meta\.url\)/g,
    'new URL("$1.js", import.meta.url)',
  );
}
