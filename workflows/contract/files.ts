// The contract's files, one for each part of the interface.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operation } from "../../interface/operations/index.ts";
import type { Profile } from "../../harness/index.ts";
import { contract } from "./interactions.ts";
import type { ContractPart, Interaction } from "./interaction.ts";
import { loadPact } from "./library.ts";
import { pactDocument } from "./pact.ts";
import { readPactFile } from "./pactDocument.ts";
import { stateNeeds } from "./states.ts";

/** Where the published files are, in the source and in the package. */
export const contractFolder = fileURLToPath(new URL("../../contract/", import.meta.url));

const parts = Object.entries(contract) as [ContractPart, readonly Interaction[]][];

export interface ContractFile {
  readonly part: ContractPart;
  readonly path: string;
}

/** The answers in the published files, by the description of the interaction. */
export async function publishedAnswers(): Promise<Map<string, unknown>> {
  const documents = await Promise.all(
    parts.map(([part]) => readPactFile(join(contractFolder, `${part}.json`))),
  );
  return new Map(
    documents.flatMap(({ interactions }) =>
      interactions.map(({ description, response }) => [description, response.body?.content]),
    ),
  );
}

/** Writes the contract for a gateway with this profile, without what the profile does not offer. */
export async function writeContract(
  folder: string,
  profile: Profile,
  answers: ReadonlyMap<string, unknown>,
): Promise<ContractFile[]> {
  const library = await loadPact();
  await mkdir(folder, { recursive: true });
  const files: ContractFile[] = [];
  for (const [part, all] of parts) {
    const interactions = all.filter((interaction) => isOffered(interaction, profile));
    if (interactions.length === 0) continue;
    const path = join(folder, `${part}.json`);
    const document = await pactDocument(library, part, interactions, profile, answers);
    await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
    files.push({ part, path });
  }
  return files;
}

function isOffered({ operation: id, states, needs }: Interaction, profile: Profile): boolean {
  const capabilities = [needs ?? operation(id).group, ...states.flatMap((state) => stateNeeds[state] ?? [])];
  return (
    profile.binding.get(id)?.served === true && capabilities.every((one) => profile.capabilities.has(one))
  );
}
