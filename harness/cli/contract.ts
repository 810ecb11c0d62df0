// `rackproof contract`: the harness's own use of the interface as a contract that others can verify.
import { monotonicClock } from "../clock.ts";
import { UsageError } from "../errors.ts";
import { readContract, writeContract } from "../contract/files.ts";
import { Stage } from "../contract/stage.ts";
import { verifyContract } from "../contract/verifyContract.ts";
import { loadProfile } from "../profile/load.ts";
import { whyNotReady } from "../../rigs/remote/remoteGateway.ts";
import { requireUrl } from "./profileInit.ts";

export interface ContractOptions {
  readonly profile: string;
}

/** Verifies the contract against a gateway; answers 0 when it holds, 1 when it does not. */
export async function contractVerify(url: string, options: ContractOptions): Promise<number> {
  const profile = await loadProfile(options.profile, { environment: process.env });
  const baseUrl = requireUrl(url);
  const wrong = await whyNotReady(baseUrl);
  if (wrong !== undefined)
    throw new UsageError("GATEWAY_SILENT", `gateway ${url}: nothing answers: ${wrong}`);
  await using stage = new Stage(baseUrl, profile, monotonicClock, (text) => {
    process.stderr.write(`rackproof: ${text}\n`);
  });
  const verdicts = await verifyContract(baseUrl, await readContract(profile), stage);
  for (const { name, holds, stateFailures } of verdicts) {
    process.stdout.write(`${holds ? "holds" : "broken"}  ${name}\n`);
    for (const failure of stateFailures)
      process.stdout.write(`        a state could not be set up: ${failure}\n`);
  }
  return verdicts.every(({ holds }) => holds) ? 0 : 1;
}

/** Writes the contract's files for the profile's binding into a folder. */
export async function contractWrite(folder: string, options: ContractOptions): Promise<number> {
  const profile = await loadProfile(options.profile, { environment: process.env, isOnlyRead: true });
  for (const path of await writeContract(folder, await readContract(profile)))
    process.stdout.write(`${path}\n`);
  return 0;
}
