// Records the contract into contract/: plays it against a reference gateway of this machine and keeps the answers.
import { embeddedProfile, makeAdminPassword } from "../cli/support/referenceProfile.ts";
import { suiteVersion } from "../cli/support/version.ts";
import { monotonicClock } from "../harness/clock.ts";
import { contractFolder, writeContract } from "../workflows/contract/files.ts";
import { recordContract } from "../workflows/contract/record.ts";
import { Stage } from "../workflows/contract/stage.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = makeAdminPassword();
await using gateway = await startProcessGateway({ adminPassword });
const profile = await embeddedProfile(adminPassword, undefined, []);
const note = (text: string): void => void process.stderr.write(`contract: ${text}\n`);
await using stage = new Stage(gateway.baseUrl, profile, monotonicClock, note);
const files = await recordContract(stage, profile, suiteVersion);
for (const path of await writeContract(process.argv[2] ?? contractFolder, files))
  process.stdout.write(`${path}\n`);
