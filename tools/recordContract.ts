// Records the contract into contract/: the answers come from a reference gateway on this machine, the files from Pact.
import { embeddedProfile, makeAdminPassword } from "../cli/support/referenceProfile.ts";
import { monotonicClock } from "../harness/clock.ts";
import { contractFolder, writeContract } from "../workflows/contract/files.ts";
import { recordAnswers } from "../workflows/contract/record.ts";
import { Stage } from "../workflows/contract/stage.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = makeAdminPassword();
await using gateway = await startProcessGateway({ adminPassword });
const profile = await embeddedProfile(adminPassword, undefined, []);
const note = (text: string): void => void process.stderr.write(`contract: ${text}\n`);
await using stage = new Stage(gateway.baseUrl, profile, monotonicClock, note);
const answers = await recordAnswers(stage);
for (const { path } of await writeContract(process.argv[2] ?? contractFolder, profile, answers))
  process.stdout.write(`${path}\n`);
