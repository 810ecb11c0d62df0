// Records the contract's example answers: makes every call against a gateway and keeps what it answers.
import { operation } from "../../interface/operations/index.ts";
import { contract } from "./interactions.ts";
import { type Interaction, inputsOf } from "./interaction.ts";
import type { Stage } from "./stage.ts";

/** Answers by description. Throws an Error when the gateway does not answer as an interaction states. */
export async function recordAnswers(stage: Stage): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const interaction of Object.values(contract).flat())
    answers.set(interaction.description, await answerTo(stage, interaction));
  return answers;
}

async function answerTo(stage: Stage, interaction: Interaction): Promise<unknown> {
  const { operation: id, description, isAnonymous, status } = interaction;
  const values: Record<string, string | number> = {};
  for (const state of interaction.states) Object.assign(values, await stage.setUp(state));
  const session = isAnonymous === true ? stage.gateway.anonymous : stage.gateway.admin;
  const answer = await session.callInvalid(id, inputsOf(interaction, values));
  await stage.takeDown();
  const isExpected =
    status === "success"
      ? answer.accepted
      : status === "refusal"
        ? answer.status >= 400 && answer.status < 500
        : answer.status === status;
  if (!isExpected) throw new Error(`${description} (${id}): expected ${status}, found ${answer.summary()}`);
  const problem = answer.accepted ? answer.problems()[0] : undefined;
  if (problem !== undefined)
    throw new Error(
      `${description} (${id}) at ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return operation(id).answer === undefined ? undefined : steady(answer.json);
}

const secret = /token|password/i;

/** Values that differ between two recordings are replaced by constants, secrets by the member's name. */
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
