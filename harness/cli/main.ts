// The command line: what users type and scripts depend on.
import { Command, CommanderError, Option } from "commander";
import { messageOf, UsageError } from "../errors.ts";
import { clean } from "./clean.ts";
import { doctor } from "./doctor.ts";
import { list, listTopics } from "./list.ts";
import { report } from "./report.ts";
import { repro } from "./repro.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { suiteVersion } from "./version.ts";

const program = new Command("rackproof")
  .description(
    "Conformance suite and hardware-in-the-loop harness for gateways with the management interface Core 2.3.0",
  )
  .version(suiteVersion)
  .exitOverride()
  .showHelpAfterError('("rackproof --help" shows the commands)');

const integer = (name: string) => (text: string) => {
  if (!/^\d+$/.test(text)) throw new UsageError("OPTION_NUMBER", `${name} ${text}: expected a whole number`);
  return Number(text);
};

const exit = (code: number): void => {
  process.exitCode = code;
};

program
  .command("run")
  .description("one campaign over one gateway; leaves a record and a report")
  .argument("[gateway]", "process, the URL of a gateway, or its name in the rack file", "process")
  .option("--profile <file>", "what the gateway declares about itself (needed for a URL)")
  .option("--rack <file>", "the lab's gateways by name")
  .option(
    "--select <words>",
    "case ids, requirement ids, groups, tags; commas join, ! leaves out, * stands for anything",
    "",
  )
  .addOption(
    new Option("--level <level>", "how many repetitions and how long")
      .choices(["smoke", "nightly", "certification"])
      .default("nightly"),
  )
  .option("--seed <n>", "seed of every random choice", integer("--seed"))
  .option("--out <folder>", "folder for record and report (default runs/<time>-<gateway>)")
  .option("--parallel <n>", "gateways side by side, embedded kinds only (default 3)", integer("--parallel"))
  .option("--expected-failures <file>", "failures that are known and accepted for now")
  .option("--json", "the summary as one JSON object on standard output, all else on standard error")
  .action(async (gateway: string, options: Parameters<typeof run>[1]) => exit(await run(gateway, options)));

program
  .command("list")
  .description("what there is, as a table")
  .addArgument(program.createArgument("<topic>", "what to list").choices([...listTopics]))
  .option("--json", "one array of objects")
  .action(async (topic: (typeof listTopics)[number], options: { json?: boolean }) =>
    exit(await list(topic, options)),
  );

program
  .command("serve")
  .description("the reference gateway alone, to develop a client against")
  .option("--port <n>", "HTTP port; 0 takes a free one", integer("--port"), 8080)
  .option("--https-port <n>", "HTTPS port; 0 takes a free one", integer("--https-port"), 8443)
  .option(
    "--state <folder>",
    "where its state is kept; without it a temporary folder that is removed at the end",
  )
  .action(async (options: Parameters<typeof serve>[0]) => exit(await serve(options)));

program
  .command("repro")
  .description("one case of an earlier run again: same gateway, same seed, verbose")
  .argument("<run>", "folder of the run")
  .argument("<case>", "id of the case")
  .option("--profile <file>", "profile, when the run had one")
  .action(async (folder: string, caseId: string, options: { profile?: string }) =>
    exit(await repro(folder, caseId, options)),
  );

program
  .command("report")
  .description("write the report of a run again")
  .argument("<run>", "folder of the run")
  .action(async (folder: string) => exit(await report(folder)));

program
  .command("doctor")
  .description("what this machine has and lacks, and the command that mends it")
  .action(async () => exit(await doctor()));
program
  .command("clean")
  .description("remove what an interrupted campaign left")
  .action(async () => exit(await clean()));

try {
  await program.parseAsync();
} catch (thrown) {
  exit(explain(thrown));
}

function explain(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  if (thrown instanceof UsageError) {
    process.stderr.write(`rackproof: ${thrown.message} [${thrown.code}]\n`);
    return 2;
  }
  process.stderr.write(`rackproof: ${messageOf(thrown)}\n`);
  if (process.env["RACKPROOF_DEBUG"] !== undefined && thrown instanceof Error)
    process.stderr.write(`${thrown.stack ?? ""}\n`);
  return 3;
}
