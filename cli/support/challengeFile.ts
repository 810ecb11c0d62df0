import { monotonicClock } from "../../harness/index.ts";
import { readChallenge } from "../../workflows/release/challenge.ts";
import { readText } from "./files.ts";
import { UsageError } from "../../record/index.ts";

/** The envelope of a challenge as the run writes it into its log, and the seed that it demands. */
export interface AcceptedChallenge {
  readonly envelope: unknown;
  readonly seed: number;
}

/** Reads a challenge that a run can still answer; throws a UsageError for another file or another seed. */
export async function acceptChallenge(file: string, seed: number | undefined): Promise<AcceptedChallenge> {
  const fail = (problem: string): never => {
    throw new UsageError("CHALLENGE_UNUSABLE", `--challenge ${file}: ${problem}`);
  };
  const text = await readText(file, "--challenge", "give the file that the certifier sent");
  const envelope = parse(text);
  const found = readChallenge(envelope) ?? fail("expected a challenge");
  if (Date.parse(found.answerBy) < monotonicClock.epochMs()) fail(`had to be answered by ${found.answerBy}`);
  if (seed !== undefined && seed !== found.seed) fail(`expected --seed ${found.seed}, found ${seed}`);
  return { envelope, seed: found.seed };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
