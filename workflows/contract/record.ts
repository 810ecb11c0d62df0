// Makes the contract: plays every interaction against a gateway and keeps what it answered as examples.
import { operation } from "../../interface/operations/index.ts";
import type { InvalidInputs, Profile } from "../../harness/index.ts";
import { contract } from "./interactions.ts";
import { type ContractPart, type Interaction, Provided } from "./interaction.ts";
import type { ContractFile } from "./files.ts";
import { pactFile } from "./pact.ts";
import type { Stage } from "./stage.ts";
import type { StateValues } from "./states.ts";

/** The contract's files by their part. Throws an Error when the gateway answers an interaction otherwise. */
export async function recordContract(
  stage: Stage,
  profile: Profile,
  suiteVersion: string,
): Promise<ContractFile[]> {
  const files: ContractFile[] = [];
  for (const [part, interactions] of Object.entries(contract) as [ContractPart, readonly Interaction[]][]) {
    const bodies = new Map<Interaction, unknown>();
    for (const interaction of interactions) bodies.set(interaction, await play(stage, interaction));
    files.push({
      name: part,
      document: pactFile(part, interactions, profile, (one) => bodies.get(one), suiteVersion),
    });
  }
  return files;
}

async function play(stage: Stage, interaction: Interaction): Promise<unknown> {
  const { operation: id, description, path, query, json, isAnonymous, status } = interaction;
  const values: Record<string, string | number> = {};
  for (const state of interaction.states) Object.assign(values, await stage.setUp(state));
  const session = isAnonymous === true ? stage.gateway.anonymous : stage.gateway.admin;
  const inputs: InvalidInputs = {
    ...(path === undefined ? {} : { path: filled(path, values) as Record<string, string | number> }),
    ...(query === undefined ? {} : { query }),
    ...(json === undefined ? {} : { json: filled(json, values) }),
  };
  const answer = await session.callInvalid(id, inputs);
  await stage.takeDown();
  const holds =
    status === "success"
      ? answer.accepted
      : status === "refusal"
        ? isRefusal(answer.status)
        : answer.status === status;
  if (!holds)
    throw new Error(`${description} (${id}): expected ${status}, the gateway answered ${answer.summary()}`);
  const problem = answer.accepted ? answer.problems()[0] : undefined;
  if (problem !== undefined)
    throw new Error(
      `${description} (${id}) at ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return operation(id).answer === undefined ? undefined : steady(answer.json);
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function filled(value: unknown, values: StateValues): unknown {
  if (value instanceof Provided) return values[value.name] ?? value.example;
  if (Array.isArray(value)) return value.map((inner) => filled(inner, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, values)]));
}

const secret = /token|password/i;

/** What differs from one recording to the next gives way to something that stays, and secrets to a word. */
function steady(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((inner) => steady(inner, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, steady(inner, key)]));
  if (typeof value === "number" || typeof value === "bigint") return Number(value) > 1 ? 1 : Number(value);
  if (typeof value !== "string") return value;
  if (secret.test(name)) return name;
  if (name === "timestamp") return "1768478400000";
  return value.replaceAll(/\brp-([a-z]+)-[0-9a-f]{10}\b/g, "rp-$1-0000000000");
}
