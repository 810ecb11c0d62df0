// The command line: what users type and scripts depend on.
import { Command, CommanderError, Option } from "commander";
import { campaignLevels, defaultCampaignLevel } from "../interface/vocabulary/levels.ts";
import { UsageError, messageOf } from "../harness/index.ts";
import { certify, type CertifyOptions } from "./certify.ts";
import { clean } from "./clean.ts";
import { compare } from "./compare.ts";
import { contractStates, contractVerify, contractWrite, type ContractOptions } from "./contract.ts";
import { doctor } from "./doctor.ts";
import { gateRuns, type GateOptions } from "./gate.ts";
import { judge } from "./judge.ts";
import { newKey } from "./keyNew.ts";
import { nightly, type NightlyOptions } from "./nightly.ts";
import { profileCheck } from "./profileCheck.ts";
import { profilePrint } from "./profilePrint.ts";
import { profileInit, type ProfileInitOptions } from "./profileInit.ts";
import { list, listTopics } from "./list.ts";
import { report } from "./report.ts";
import { rackDoctor } from "./rackDoctor.ts";
import { repro } from "./repro.ts";
import { behaviourNames, rigModbusRtu, rigModbusTcp, rigOpcua, type RigOptions } from "./rig.ts";
import { rigConsole } from "./rigConsole.ts";
import { powerActions, rigPower } from "./rigPower.ts";
import { run } from "./run.ts";
import { selfTest } from "./selfTest.ts";
import { serve } from "./serve.ts";
import { verify, type VerifyOptions } from "./verify.ts";
import { suiteVersion } from "./support/version.ts";
import { watch, watchDefault } from "./watch.ts";

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

const positive = (name: string) => (text: string) => {
  const count = integer(name)(text);
  if (count === 0) throw new UsageError("OPTION_NUMBER", `${name} 0: expected at least 1`);
  return count;
};

const watchOption = (): Option =>
  new Option("--watch [host:port]", "show what happens on a page of this machine meanwhile").preset(
    watchDefault,
  );

const interrupted = 130;
const patienceAfterInterruptMs = 3000;

const exit = (code: number): void => {
  process.exitCode = code;
  // What was abandoned amid its work may still wait for an answer; whoever pressed Ctrl-C does not.
  if (code === interrupted) setTimeout(() => process.exit(), patienceAfterInterruptMs).unref();
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
      .choices(campaignLevels)
      .default(defaultCampaignLevel),
  )
  .option("--seed <n>", "seed of every random choice", integer("--seed"))
  .option("--out <folder>", "folder for record and report (default runs/<time>-<gateway>)")
  .option("--parallel <n>", "gateways side by side, embedded kinds only (default 3)", integer("--parallel"))
  .option("--fault <id>", "a misbehaviour that the reference gateway is told to have")
  .option("--variation <ids>", "legitimate differences that the reference gateway shows (list variations)")
  .option(
    "--without <parts>",
    "parts of the rack's wiring to do without: console, power, reset, field NAME; commas join",
    (text: string) => text.split(",").map((part) => part.trim()),
  )
  .option("--expected-failures <file>", "failures that are known and accepted for now")
  .addOption(watchOption())
  .option("--json", "the summary as one JSON object on standard output, all else on standard error")
  .action(async (gateway: string, options: Parameters<typeof run>[1]) => exit(await run(gateway, options)));

program
  .command("selftest")
  .description(
    "the suite before gateways that have one fault each: what it notices, and by which requirement",
  )
  .option("--select <words>", "fault ids or requirements; commas join, * stands for anything")
  .option("--sample <n>", "only so many of them, chosen by the seed", integer("--sample"))
  .option("--seed <n>", "seed of the sample and of every other choice (default 1)", integer("--seed"))
  .addOption(
    new Option("--level <level>", "how many repetitions and how long")
      .choices(campaignLevels)
      .default(defaultCampaignLevel),
  )
  .option("--workers <n>", "how many gateways side by side (default twice the cores)", integer("--workers"))
  .option(
    "--facts",
    "look first at a gateway that is right, and compare what is checked with what was before",
  )
  .option("--accept", "as --facts, and keep what is checked now for the next comparison")
  .option("--out <folder>", "folder for what is found (default runs/<time>-selftest)")
  .option("--json", "one JSON object on standard output, all else on standard error")
  .action(async (options: Parameters<typeof selfTest>[0]) => exit(await selfTest(options)));

program
  .command("list")
  .description("what there is, as a table")
  .addArgument(program.createArgument("<topic>", "what to list").choices([...listTopics]))
  .option("--json", "one array of objects")
  .option("--rack <file>", "rack file, for the points of its gateways")
  .action(async (topic: (typeof listTopics)[number], options: { json?: boolean; rack?: string }) =>
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
  .option("--variation <ids>", "legitimate differences that it shows (list variations)")
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
  .command("compare")
  .description("two gateways side by side: the same steps to both, and where their answers differ")
  .argument("<a>", "process, container, qemu, the URL of a gateway, or its name in the rack file")
  .argument("<b>", "the other one")
  .option("--profile-a <file>", "what the first declares about itself (needed for a URL)")
  .option("--profile-b <file>", "what the second declares")
  .option("--rack <file>", "the lab's gateways by name")
  .addOption(
    new Option("--level <level>", "how many steps: 500, 5000, 50000")
      .choices(campaignLevels)
      .default(defaultCampaignLevel),
  )
  .option("--steps <n>", "how many steps, instead of the level's number", integer("--steps"))
  .option("--seed <n>", "seed of every random choice", integer("--seed"))
  .option("--replay <file>", "play this sequence, which an earlier comparison wrote")
  .option("--out <folder>", "folder for what is found (default runs/<time>-compare)")
  .option("--json", "the result as one JSON object on standard output, all else on standard error")
  .action(async (a: string, b: string, options: Parameters<typeof compare>[2]) =>
    exit(await compare(a, b, options)),
  );

program
  .command("report")
  .description("write the report of a run again")
  .argument("<run>", "folder of the run")
  .option(
    "--allure",
    "also allure-report.html, with the history of the runs beside it; needs the package allure",
  )
  .action(async (folder: string, options: { allure?: boolean }) => exit(await report(folder, options)));

program
  .command("judge")
  .description("judge the stored record of a run again, without the gateway")
  .argument("<run>", "folder of the run")
  .option("--json", "the summary and the differences as one JSON object")
  .action(async (folder: string, options: { json?: boolean }) => exit(await judge(folder, options)));

program
  .command("gate")
  .description("may this firmware be released: one exit code and one page of reasons")
  .argument("<run...>", "folders of the candidate's runs; more of them make more repetitions")
  .option("--baseline <run...>", "folders of the runs to compare with")
  .option("--policy <file>", "what may keep a release back, and how much of it")
  .option("--expected-failures <file>", "failures that are known and accepted for now")
  .option("--out <folder>", "where gate.html and gate.md are written (default: the first run)")
  .option("--json", "the result as one JSON object on standard output")
  .action(async (runs: string[], options: GateOptions) => exit(await gateRuns(runs, options)));

program
  .command("certify")
  .description("a signed certificate of a certification run, or every reason why there is none")
  .argument("<run>", "folder of the run")
  .requiredOption("--key <file>", "private Ed25519 key in PEM")
  .option("--waivers <file>", "known departures that someone answers for")
  .option("--draft-waivers <file>", "where to draft the waivers that would be needed")
  .option("--profile <file>", "the profile that the gateway must have been run with")
  .option("--set <name>", "frozen requirement set (default: the newest)")
  .option("--issuer <name>", "who signs, in words")
  .option("--valid-days <n>", "how long it is valid", integer("--valid-days"), 365)
  .option("--out <file>", "where it is written (default certificate.json in the folder of the run)")
  .action(async (folder: string, options: CertifyOptions) => exit(await certify(folder, options)));

program
  .command("verify")
  .description("whether a certificate is genuine, whole and valid; needs no network")
  .argument("<certificate>", "the signed file")
  .option("--public-key <file>", "public key of the certifier in PEM")
  .option("--firmware <version>", "firmware that it must be of")
  .option("--run <folder>", "run that it must have been made from")
  .option("--at <date>", "the instant for which it must be valid (default now)")
  .option("--json", "the result and the whole content as one JSON object")
  .action(async (file: string, options: VerifyOptions) => exit(await verify(file, options)));

program
  .command("key")
  .description("keys that sign certificates")
  .command("new")
  .description("an Ed25519 key pair: FILE and FILE.pub")
  .argument("<file>", "where the private key is written")
  .action(async (file: string) => exit(await newKey(file)));

const profile = program.command("profile").description("what a gateway declares about itself");
profile
  .command("init")
  .description("ask a gateway and write a commented profile; the password is in RACKPROOF_PASSWORD")
  .argument("<url>", "the gateway")
  .option("--user <name>", "an administrator", "admin")
  .option("--out <file>", "where it is written", "profile.yaml")
  .action(async (url: string, options: ProfileInitOptions) => exit(await profileInit(url, options)));

profile
  .command("check")
  .description("every mistake of a profile with its line; with a URL also what the gateway does otherwise")
  .argument("<file>", "the profile")
  .option("--url <url>", "the gateway that it is about")
  .action(async (file: string, options: { url?: string }) => exit(await profileCheck(file, options)));
profile
  .command("print")
  .description("the filled ICS and IXIT form, to be signed")
  .argument("<file>", "the profile")
  .option("--out <file>", "Markdown, or a page when it ends in .html (default: Markdown on standard output)")
  .action(async (file: string, options: { out?: string }) => exit(await profilePrint(file, options)));

const contract = program.command("contract").description("what the harness asks of a gateway, as Pact files");
contract
  .command("verify")
  .description("whether a gateway keeps the contract")
  .argument("<url>", "the gateway")
  .requiredOption("--profile <file>", "what the gateway declares about itself")
  .action(async (url: string, options: ContractOptions) => exit(await contractVerify(url, options)));
contract
  .command("states")
  .description("set up the contract's states for another Pact library: its state change URL")
  .argument("<url>", "the gateway")
  .requiredOption("--profile <file>", "what the gateway declares about itself")
  .option("--port <n>", "port on loopback; 0 takes a free one", integer("--port"), 9300)
  .action(async (url: string, options: ContractOptions & { port: number }) =>
    exit(await contractStates(url, options)),
  );
contract
  .command("write")
  .description("the Pact files for the binding of a profile, for another Pact library")
  .argument("<folder>", "where they are written")
  .requiredOption("--profile <file>", "what the gateway declares about itself")
  .action(async (folder: string, options: ContractOptions) => exit(await contractWrite(folder, options)));

program
  .command("nightly")
  .description("every gateway of a rack in turn: history of all nights, and what changed since the last one")
  .requiredOption("--rack <file>", "the rack")
  .option("--select <words>", "cases to run, as of run; default all", "")
  .addOption(
    new Option("--level <level>", "how many repetitions and how long")
      .choices(campaignLevels)
      .default(defaultCampaignLevel),
  )
  .option("--seed <n>", "seed of every random choice", integer("--seed"))
  .option("--out <folder>", "folder of all nights and their history", "nights")
  .option("--parallel <n>", "gateways at once (default: processor cores)", positive("--parallel"))
  .option("--retries <n>", "how often what did not pass is tried again", integer("--retries"), 1)
  .option("--keep <n>", "remove the folders of all but so many nights", positive("--keep"))
  .option("--limit-min <n>", "minutes for which a gateway may be held at all", positive("--limit-min"), 480)
  .option("--wait-min <n>", "minutes to wait for a gateway that somebody holds", integer("--wait-min"), 60)
  .addOption(watchOption())
  .option("--json", "the result as one JSON object on standard output, all else on standard error")
  .action(async (options: NightlyOptions) => exit(await nightly(options)));

program
  .command("watch")
  .description("what a run or a night does now, as a page on this machine; changes nothing")
  .argument("[folder]", "folder of the run or the night (default: the newest in runs and nights)")
  .option("--listen <host:port>", "where the page is served", watchDefault)
  .action(async (folder: string | undefined, options: { listen: string }) =>
    exit(await watch(folder, options)),
  );

program
  .command("doctor")
  .description("what this machine has and lacks, and the command that mends it")
  .option("--rack <file>", "try every wire of this rack instead")
  .action(async ({ rack }: { rack?: string }) =>
    exit(rack === undefined ? await doctor() : await rackDoctor(rack)),
  );

const rig = program.command("rig").description("one piece of equipment alone, to try the wiring");
const behaviour = (): Option =>
  new Option("--behaviour <name>", "what the values do by themselves").choices([...behaviourNames]);
rig
  .command("modbus-tcp")
  .description("Modbus TCP units")
  .option("--listen <host:port>", "where they answer (default 127.0.0.1:1502)")
  .option("--units <list>", "unit identifiers, joined by commas (default 1)")
  .addOption(behaviour())
  .option("--trace <file>", "recorded values for --behaviour trace: CSV of milliseconds and values")
  .option("--fault <name>", "a fault to show")
  .action(async (options: RigOptions) => exit(await rigModbusTcp(options)));
rig
  .command("modbus-rtu")
  .description("Modbus RTU units on a serial line")
  .option("--port <path>", "serial port, or pty for a pair of pseudo-terminals (default pty)")
  .option("--baud <n>", "speed of the line (default 115200)", integer("--baud"))
  .option("--units <list>", "unit identifiers, joined by commas (default 1)")
  .addOption(behaviour())
  .option("--trace <file>", "recorded values for --behaviour trace: CSV of milliseconds and values")
  .option("--fault <name>", "a fault to show")
  .action(async (options: RigOptions) => exit(await rigModbusRtu(options)));
rig
  .command("opcua")
  .description("an OPC UA server")
  .option("--listen <host:port>", "where it answers (default 127.0.0.1:4840)")
  .addOption(
    new Option("--security <name>", "channels that it takes").choices(["none", "Basic256Sha256", "both"]),
  )
  .addOption(behaviour())
  .option("--trace <file>", "recorded values for --behaviour trace: CSV of milliseconds and values")
  .option("--fault <name>", "a fault to show")
  .action(async (options: RigOptions) => exit(await rigOpcua(options)));
rig
  .command("console")
  .description("a gateway's console: its lines with their time, and what is typed goes to it")
  .argument("<source>", "/dev/ttyUSB0@115200, unix:PATH, tcp:HOST:PORT or rfc2217:HOST:PORT")
  .action(async (source: string) => exit(await rigConsole(source)));
rig
  .command("power")
  .description("a gateway's power switch")
  .addArgument(program.createArgument("<action>", "what to do").choices([...powerActions]))
  .argument("<gateway>", "its name in the rack file")
  .requiredOption("--rack <file>", "the rack file")
  .action(async (action: (typeof powerActions)[number], gateway: string, options: { rack: string }) =>
    exit(await rigPower(action, gateway, options)),
  );
program
  .command("clean")
  .description("remove what an interrupted campaign left")
  .action(async () => exit(await clean()));

// Whoever reads the output may have seen enough and gone, as head does.
process.stdout.on("error", (fault: NodeJS.ErrnoException) => process.exit(fault.code === "EPIPE" ? 0 : 3));

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
