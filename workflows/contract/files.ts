// The contract's files, one for each part of the interface, as they come with the package.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checker } from "../../interface/schema/validate.ts";
import type { Profile } from "../../harness/index.ts";
import { contract } from "./interactions.ts";
import type { ContractPart, Interaction } from "./interaction.ts";
import { bindPact, PactDocument } from "./pact.ts";

/** Where the files lie in the source and in the package. */
export const contractFolder = fileURLToPath(new URL("../../contract/", import.meta.url));

export interface ContractFile {
  readonly name: ContractPart;
  readonly document: PactDocument;
}

/** The contract as a gateway with this profile has to keep it. Throws an Error for a file that is none. */
export async function readContract(profile: Profile): Promise<ContractFile[]> {
  const files: ContractFile[] = [];
  for (const [name, interactions] of Object.entries(contract) as [ContractPart, readonly Interaction[]][]) {
    const file = join(contractFolder, `${name}.json`);
    const document: unknown = JSON.parse(await readFile(file, "utf8"));
    const problem = checker(PactDocument)(document)[0];
    if (problem !== undefined)
      throw new Error(`${file}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
    const bound = bindPact(document as PactDocument, interactions, profile);
    if (bound.interactions.length > 0) files.push({ name, document: bound });
  }
  return files;
}

/** Writes the files into the folder; answers their paths. */
export async function writeContract(folder: string, files: readonly ContractFile[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { name, document } of files) {
    const path = join(folder, `${name}.json`);
    await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
    paths.push(path);
  }
  return paths;
}
