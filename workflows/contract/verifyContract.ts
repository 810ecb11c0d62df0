// Verifies the contract against a gateway with Pact's own verifier, a native library that comes as an npm package.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerifierOptions } from "@pact-foundation/pact-core";
import { UsageError, messageOf } from "../../harness/index.ts";
import type { ContractFile } from "./files.ts";
import { serveStates } from "./stateServer.ts";
import type { Stage } from "./stage.ts";

interface ContractVerdict {
  readonly name: string;
  readonly holds: boolean;
  /** States that could not be set up. */
  readonly stateFailures: readonly string[];
}

/** Verifies each file; the states are set up on the stage. Throws a UsageError where the verifier is not installed. */
export async function verifyContract(
  url: string,
  files: readonly ContractFile[],
  stage: Stage,
): Promise<ContractVerdict[]> {
  const verifyPacts = await loadVerifier();
  await using states = await serveStates(stage);
  const folder = await mkdtemp(join(tmpdir(), "rackproof-contract-"));
  const verdicts: ContractVerdict[] = [];
  try {
    for (const { name, document } of files) {
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(document));
      const before = states.failures.length;
      const holds = await verifyPacts({
        providerBaseUrl: url,
        pactUrls: [file],
        providerStatesSetupUrl: states.url,
        providerStatesSetupTeardown: true,
        providerStatesSetupBody: true,
        disableSslVerification: true,
        logLevel: "error",
      }).then(
        () => true,
        // The verifier has printed by then what does not hold.
        () => false,
      );
      verdicts.push({ name, holds, stateFailures: states.failures.slice(before) });
    }
    return verdicts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The library is native, and there is no build of it for some platforms: only this command needs it. */
async function loadVerifier(): Promise<(options: VerifierOptions) => Promise<string>> {
  const loaded = await import("@pact-foundation/pact-core").catch((thrown: unknown) => {
    throw new UsageError(
      "CONTRACT_VERIFIER_MISSING",
      `the package @pact-foundation/pact-core cannot be loaded (${messageOf(thrown)}); ` +
        "install it with npm install @pact-foundation/pact-core, or verify the files of contract/ with another Pact library",
    );
  });
  // The package is a CommonJS module, whose default is found under the default of the module.
  const pact = loaded.default.default;
  return (options) => pact.verifyPacts(options);
}
