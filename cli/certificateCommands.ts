// Commands from a record to a published certificate.
import { type Command, Option } from "commander";
import { certificateClasses } from "../record/index.ts";
import type { CertifyOptions } from "./certify.ts";
import type { ChallengeOptions } from "./challenge.ts";
import type { DisputeNewOptions } from "./disputeNew.ts";
import type { RedactOptions } from "./redact.ts";
import type { RegistryAddOptions, RegistryBuildOptions, RegistryRevokeOptions } from "./registry.ts";
import { integer, positive } from "./support/options.ts";
import type { VerifyOptions } from "./verify.ts";
import type { VerifyRecordOptions } from "./verifyRecord.ts";

/** Adds them to the program; `exit` receives their exit codes. */
export function addCertificateCommands(program: Command, exit: (code: number) => void): void {
  program
    .command("certify")
    .description("Issue a signed certificate of a certification run, or list every reason against it")
    .argument("<run>", "folder of the run")
    .requiredOption("--key <file>", "sign with this private Ed25519 key in PEM")
    .option("--waivers <file>", "accept the departures that these waivers name (default: none)")
    .option("--draft-waivers <file>", "write a draft of the waivers that are needed (default: no draft)")
    .option("--profile <file>", "require that the run used this profile (default: any)")
    .option("--set <name>", "certify by this frozen requirement set (default: the newest)")
    .addOption(
      new Option("--class <name>", "certify this class, if the evidence bears it")
        .choices([...certificateClasses])
        .default("self-declared"),
    )
    .option("--trust <file>", "trust the labs of this file, for the class lab (default: none)")
    .option("--issuer <name>", "name the issuer in the certificate (default: no name)")
    .option("--valid-days <n>", "limit the validity to this many days", integer("--valid-days"), 365)
    .option("--out <file>", "write the certificate here (default: certificate.json in the folder of the run)")
    .action(async (folder: string, options: CertifyOptions) =>
      exit(await (await import("./certify.ts")).certify(folder, options)),
    );

  program
    .command("challenge")
    .description("Issue a challenge for a run that you witness: a seed and a nonce, to be answered in time")
    .requiredOption("--key <file>", "sign with this private Ed25519 key in PEM, which also certifies")
    .option("--valid-min <n>", "demand the answer within this many minutes", positive("--valid-min"), 240)
    .option("--out <file>", "write the challenge here; must not exist yet", "challenge.json")
    .option("--json", "print the result as JSON")
    .action(async (options: ChallengeOptions) =>
      exit(await (await import("./challenge.ts")).challenge(options)),
    );

  program
    .command("verify")
    .description(
      "Check that a certificate is genuine, complete and valid; needs no network but for a registry",
    )
    .argument("<certificate>", "the signed file")
    .option("--public-key <file>", "verify with this public key in PEM (default: the certificate's own)")
    .option("--firmware <version>", "require this firmware version (default: any)")
    .addOption(
      new Option("--class <name>", "require that the evidence bears this class (default: any)").choices([
        ...certificateClasses,
      ]),
    )
    .option("--run <folder>", "require that the certificate was made from this run (default: any)")
    .option("--at <date>", "require validity at this date (default: now)")
    .option(
      "--registry <place>",
      "require that this registry, a folder or an address, contains it (default: no)",
    )
    .option("--registry-key <file>", "verify the registry with this key in PEM (default: the registry's own)")
    .option(
      "--checkpoint <file>",
      "require that the registry continues this earlier checkpoint (default: no)",
    )
    .option("--json", "print the result and the whole content as JSON")
    .action(async (file: string, options: VerifyOptions) =>
      exit(await (await import("./verify.ts")).verify(file, options)),
    );

  program
    .command("verify-record")
    .description("Check that a run's record is unchanged since the run wrote it")
    .argument("<run>", "folder of the run")
    .option("--public-key <file>", "require this key of the lab (default: the key that the record names)")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, options: VerifyRecordOptions) =>
      exit(await (await import("./verifyRecord.ts")).verifyRecord(folder, options)),
    );

  program
    .command("key")
    .description("Manage keys that sign records and certificates")
    .command("new")
    .description("Create an Ed25519 key pair: FILE and FILE.pub")
    .argument("<file>", "path of the private key; must not exist yet")
    .action(async (file: string) => exit(await (await import("./keyNew.ts")).newKey(file)));

  program
    .command("redact")
    .description("Copy a run without the bodies that its profile marks; the log of the copy still verifies")
    .argument("<run>", "folder of the run")
    .requiredOption("--profile <file>", "remove what this profile of the run marks")
    .option("--out <folder>", "write the copy here; must not exist yet (default: RUN-redacted)")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, options: RedactOptions) =>
      exit(await (await import("./redact.ts")).redact(folder, options)),
    );

  program
    .command("dispute")
    .description("Dispute a check that fails a conforming gateway")
    .command("new")
    .description("Draft a dispute about a case of a run, with its evidence")
    .argument("<run>", "folder of the run")
    .argument("<case>", "id of the case")
    .option("--requirement <id>", "dispute this requirement (default: the first that failed in the case)")
    .option("--out <file>", "write the draft here; must not exist yet (default: CASE-REQUIREMENT.md)")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, caseId: string, options: DisputeNewOptions) =>
      exit(await (await import("./disputeNew.ts")).disputeNew(folder, caseId, options)),
    );

  addRegistryCommands(program, exit);
}

function addRegistryCommands(program: Command, exit: (code: number) => void): void {
  const registry = program
    .command("registry")
    .description("Publish certificates and revocations as files that any web server can serve");
  registry
    .command("add")
    .description("Add certificates that are valid now to the log of a registry")
    .argument("<folder>", "folder of the registry; created when missing")
    .argument("<certificate...>", "signed files; formats beside them are copied")
    .option("--public-key <file>", "accept only certificates of this signer (default: any)")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, files: string[], options: RegistryAddOptions) =>
      exit(await (await import("./registry.ts")).registryAdd(folder, files, options)),
    );
  registry
    .command("revoke")
    .description("Revoke a registered certificate; its entry remains in the log")
    .argument("<folder>", "folder of the registry")
    .argument("<certificate>", "the signed file, or its SHA-256")
    .requiredOption("--reason <text>", "publish this reason")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, certificate: string, options: RegistryRevokeOptions) =>
      exit(await (await import("./registry.ts")).registryRevoke(folder, certificate, options)),
    );
  registry
    .command("build")
    .description("Sign the log and write proofs, pages, badges and index")
    .argument("<folder>", "folder of the registry")
    .requiredOption("--key <file>", "sign with this private Ed25519 key in PEM")
    .option("--origin <name>", "name the registry (default: the last name, or rackproof-registry)")
    .option("--json", "print the result as JSON")
    .action(async (folder: string, options: RegistryBuildOptions) =>
      exit(await (await import("./registry.ts")).registryBuild(folder, options)),
    );
}
