// `rackproof contract`: the harness's own use of the interface as a contract that other tools can verify.
import { type Profile, loadProfile, monotonicClock } from "../harness/index.ts";
import { publishedAnswers, writeContract } from "../workflows/contract/files.ts";
import { serveStates } from "../workflows/contract/stateServer.ts";
import { Stage } from "../workflows/contract/stage.ts";
import { verifyContract } from "../workflows/contract/verifyContract.ts";
import { whyNotReady } from "../rigs/index.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { requireUrl } from "./support/url.ts";
import { UsageError, messageOf } from "../record/index.ts";

export interface ContractOptions {
  readonly profile: string;
}

/** Verifies the contract against a gateway; answers 0 when every part passed, else 1. */
export async function contractVerify(url: string, options: ContractOptions): Promise<number> {
  const { baseUrl, profile } = await gatewayAt(url, options);
  await using stage = stageOf(baseUrl, profile);
  const verdicts = await verifyContract(baseUrl, profile, stage);
  for (const { part, passed, stateFailures } of verdicts) {
    process.stdout.write(`${passed ? "passed" : "failed"}  ${part}\n`);
    for (const failure of stateFailures)
      process.stdout.write(`        set-up of a state failed: ${failure}\n`);
  }
  return verdicts.every(({ passed }) => passed) ? 0 : 1;
}

/** Serves the contract's states to another Pact library until it is interrupted. */
export async function contractStates(
  url: string,
  options: ContractOptions & { readonly port: number },
): Promise<number> {
  const { baseUrl, profile } = await gatewayAt(url, options);
  using interrupted = onInterrupt();
  await using stage = stageOf(baseUrl, profile);
  await using states = await serveStates(stage, options.port).catch((thrown: unknown) => {
    throw new UsageError("PORT_TAKEN", `--port ${options.port}: cannot listen on it: ${messageOf(thrown)}`);
  });
  process.stdout.write(`State change URL for ${url}: ${states.url}\nPress Ctrl-C to stop.\n`);
  await new Promise<void>((resolve) =>
    interrupted.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  return 0;
}

async function gatewayAt(
  url: string,
  options: ContractOptions,
): Promise<{ baseUrl: string; profile: Profile }> {
  const profile = await loadProfile(options.profile, { environment: process.env });
  const baseUrl = requireUrl(url);
  const wrong = await whyNotReady(baseUrl);
  if (wrong !== undefined) throw new UsageError("GATEWAY_SILENT", `gateway ${url}: no answer: ${wrong}`);
  return { baseUrl, profile };
}

function stageOf(baseUrl: string, profile: Profile): Stage {
  return new Stage(
    baseUrl,
    profile,
    monotonicClock,
    (text) => void process.stderr.write(`rackproof: ${text}\n`),
  );
}

/** Writes the contract's files for the profile's binding into a folder. */
export async function contractWrite(folder: string, options: ContractOptions): Promise<number> {
  const profile = await loadProfile(options.profile, { environment: process.env, isOnlyRead: true });
  for (const { path } of await writeContract(folder, profile, await publishedAnswers()))
    process.stdout.write(`${path}\n`);
  return 0;
}
