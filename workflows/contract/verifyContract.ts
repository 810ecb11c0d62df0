// Verifies the contract against a gateway with Pact's verifier.
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Profile } from "../../harness/index.ts";
import { publishedAnswers, writeContract } from "./files.ts";
import type { ContractPart } from "./interaction.ts";
import { loadPact } from "./library.ts";
import type { Stage } from "./stage.ts";
import { type StateName, stateNames } from "./states.ts";
import { messageOf } from "../../record/index.ts";

interface ContractVerdict {
  readonly part: ContractPart;
  readonly passed: boolean;
  /** States that could not be set up, with the reason. */
  readonly stateFailures: readonly string[];
}

/** Verifies each part; states are set up on the stage. Throws a UsageError where Pact cannot be loaded. */
export async function verifyContract(
  url: string,
  profile: Profile,
  stage: Stage,
): Promise<ContractVerdict[]> {
  const { Verifier } = await loadPact();
  const stateFailures: string[] = [];
  const setUp = async (name: StateName) => {
    try {
      return { ...(await stage.setUp(name)) };
    } catch (thrown) {
      // Pact's verifier continues after a failed state; the part fails all the same.
      stateFailures.push(`${name}: ${messageOf(thrown)}`);
      return {};
    }
  };
  const takeDown = async () => {
    await stage.takeDown();
    return {};
  };
  const stateHandlers = Object.fromEntries(
    stateNames.map((name) => {
      const setup = () => setUp(name);
      // A function with members: Pact's types want both of the forms that a handler may have.
      return [name, Object.assign(() => setup(), { setup, teardown: takeDown })];
    }),
  );
  using _surroundings = verifierSurroundings();
  const folder = await mkdtemp(join(tmpdir(), "rackproof-contract-"));
  const verdicts: ContractVerdict[] = [];
  try {
    for (const { part, path } of await writeContract(folder, profile, await publishedAnswers())) {
      const before = stateFailures.length;
      const matches = await new Verifier({
        providerBaseUrl: url,
        pactUrls: [path],
        stateHandlers,
        requestFilter: declareEmptyBody,
        validateSSL: false,
        logLevel: "error",
      })
        .verifyProvider()
        .then(
          () => true,
          // The verifier has printed what does not match.
          () => false,
        );
      const failures = stateFailures.slice(before);
      verdicts.push({ part, passed: matches && failures.length === 0, stateFailures: failures });
    }
    return verdicts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pact's verifier forwards a request without a body as a stream; a gateway must see that it is empty. */
function declareEmptyBody({ headers }: IncomingMessage, _response: unknown, next: () => void): void {
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
    headers["content-length"] = "0";
  next();
}

/**
 * Pact's verifier would send every request through the machine's proxy, while gateways of a laboratory are reached
 * directly; and a package that it uses calls a deprecated function of Node.js, which is no news to a user.
 */
function verifierSurroundings(): Disposable {
  const names = ["HTTPS_PROXY", "HTTP_PROXY"];
  const before = names.map((name) => [name, process.env[name]] as const);
  const { noDeprecation } = process;
  for (const name of names) delete process.env[name];
  process.noDeprecation = true;
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
      if (noDeprecation === undefined) delete process.noDeprecation;
      else process.noDeprecation = noDeprecation;
    },
  };
}
