// `rackproof challenge`: seed and nonce for a run that a certifier witnesses.
import { stat } from "node:fs/promises";
import { monotonicClock } from "../harness/index.ts";
import { UsageError, writeWhole } from "../record/index.ts";
import { issueChallenge } from "../workflows/release/challenge.ts";
import { thumbprintOf } from "../workflows/release/signature.ts";
import { readKeyPair } from "./support/files.ts";

export interface ChallengeOptions {
  readonly key: string;
  readonly validMin: number;
  readonly out: string;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function challenge(options: ChallengeOptions): Promise<number> {
  const { privatePem, publicPem } = await readKeyPair(options.key);
  const isPresent = await stat(options.out).then(
    () => true,
    () => false,
  );
  // A challenge that is under way would be lost.
  if (isPresent)
    throw new UsageError("CHALLENGE_NOT_WRITTEN", `--out ${options.out}: the file exists already`);
  const { challenge: issued, envelope } = issueChallenge(privatePem, {
    keyId: await thumbprintOf(publicPem),
    nowMs: monotonicClock.epochMs(),
    validMin: options.validMin,
  });
  await writeWhole(options.out, `${JSON.stringify(envelope, null, 1)}\n`);
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ file: options.out, ...issued })}\n`
      : `challenge  ${options.out}\nseed       ${issued.seed}\nanswer by  ${issued.answerBy}\n`,
  );
  return 0;
}
