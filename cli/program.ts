// The commands of the command line with their options: what users type and scripts depend on.
import { Command, Option } from "commander";
import { addCertificateCommands } from "./certificateCommands.ts";
import type { compare } from "./compare.ts";
import type { ContractOptions } from "./contract.ts";
import { addFleetCommands } from "./fleetCommands.ts";
import type { GateOptions } from "./gate.ts";
import type { PreviewOptions } from "./preview.ts";
import type { ProfileInitOptions } from "./profileInit.ts";
import type { RigOptions } from "./rig.ts";
import { addRunCommand } from "./runCommand.ts";
import type { selfTest } from "./selfTest.ts";
import type { serve } from "./serve.ts";
import {
  faultOption,
  variationOption,
  withoutOption,
  amount,
  integer,
  levelOption,
  selectOption,
  watchDefault,
} from "./support/options.ts";
import type { FleetOptions } from "./support/fleetAccess.ts";
import { databaseOption } from "./support/fleetOptions.ts";
import { behaviourNames, listTopics, powerActions } from "./support/choices.ts";
import { suiteVersion } from "./support/version.ts";
import type { SoakCommandOptions } from "./soak.ts";

/** All commands. `exit`: called with the exit code when a command has ended. */
export function rackproofProgram(exit: (code: number) => void): Command {
  const program = new Command("rackproof")
    .description(
      "Conformance suite and hardware-in-the-loop harness for gateways with the management interface Core 2.3.0",
    )
    .version(suiteVersion)
    .exitOverride()
    .showHelpAfterError('("rackproof --help" lists all commands)');

  addRunCommand(program, exit);

  program
    .command("selftest")
    .description("Run the suite against gateways with one injected fault each and report which are detected")
    .addOption(
      selectOption(
        "inject only these fault ids, or faults that break these requirements; commas and repetition join, * matches any characters (default: all)",
      ),
    )
    .option("--derived", "inject the derived faults (default: the written ones)")
    .option(
      "--sample <n>",
      "inject a random sample of this size, a tenth of it derived faults (default: all)",
      integer("--sample"),
    )
    .option("--seed <n>", "seed the sample and every other random choice (default: 1)", integer("--seed"))
    .addOption(levelOption())
    .option(
      "--workers <n>",
      "run this many gateways at a time (default: twice the processor cores)",
      integer("--workers"),
    )
    .option("--facts", "run the fault-free gateway first and compare its checks with the baseline")
    .option("--accept", "run the fault-free gateway first and store its checks as the new baseline")
    .option("--out <folder>", "write the results here (default: runs/<time>-selftest)")
    .option("--json", "print the result as JSON on standard output, everything else on standard error")
    .action(async (options: Parameters<typeof selfTest>[0]) =>
      exit(await (await import("./selfTest.ts")).selfTest(options)),
    );

  program
    .command("soak")
    .description(
      "Run a mix of operations on one gateway for a long time and report what rises, is lost or restarts",
    )
    .argument("[gateway]", "process, container, qemu, a URL, or a name of the rack file", "process")
    .option("--hours <n>", "soak for this many hours (default: 72)", amount("--hours"))
    .option("--minutes <n>", "soak for this many minutes instead", amount("--minutes"))
    .option("--mix <file>", "use this mix of operations (default: the built-in mix)")
    .option("--seed <n>", "seed every random choice (default: random)", integer("--seed"))
    .option("--profile <file>", "use this profile; required for a URL (default: that of the rack or kind)")
    .option("--rack <file>", "look the gateway up in this rack file (default: none)")
    .option("--out <folder>", "write the results here (default: runs/<time>-soak)")
    .option("--resume <folder>", "continue an interrupted soak (default: begin a new one)")
    .addOption(faultOption())
    .addOption(variationOption())
    .addOption(withoutOption())
    .option("--json", "print the result as JSON on standard output, everything else on standard error")
    .action(async (gateway: string, options: SoakCommandOptions) =>
      exit(await (await import("./soak.ts")).soak(gateway, options)),
    );

  program
    .command("list")
    .description(
      "List cases, requirements, operations, faults, variations, points, reports, errors or coverage",
    )
    .addArgument(program.createArgument("<topic>", "what to list").choices([...listTopics]))
    .argument("[run]", "folder of a run: list which cells it observed (coverage)")
    .option("--json", "print one JSON array of objects instead of a table")
    .option("--rack <file>", "list the points of this rack file (default: the embedded rack)")
    .action(
      async (
        topic: (typeof listTopics)[number],
        run: string | undefined,
        options: { json?: boolean; rack?: string },
      ) =>
        exit(
          await (
            await import("./list.ts")
          ).list(topic, { ...options, ...(run === undefined ? {} : { run }) }),
        ),
    );

  program
    .command("serve")
    .description("Serve the reference gateway alone, as a target for client development")
    .option("--port <n>", "serve HTTP on this port; 0 takes a free one", integer("--port"), 8080)
    .option("--https-port <n>", "serve HTTPS on this port; 0 takes a free one", integer("--https-port"), 8443)
    .option(
      "--state <folder>",
      "store its state here (default: a temporary folder that is removed at the end)",
    )
    .option("--variation <ids>", "apply legitimate variations (default: none)")
    .action(async (options: Parameters<typeof serve>[0]) =>
      exit(await (await import("./serve.ts")).serve(options)),
    );

  program
    .command("repro")
    .description("Run one case of an earlier run again with the same seed, and print every exchange")
    .argument("<run>", "folder of the run")
    .argument("<case>", "id of the case")
    .option("--profile <file>", "use this profile; required when the run had one")
    .action(async (folder: string, caseId: string, options: { profile?: string }) =>
      exit(await (await import("./repro.ts")).repro(folder, caseId, options)),
    );

  program
    .command("compare")
    .description("Send the same steps to two gateways and report where their answers differ")
    .argument("<a>", "process, container, qemu, a URL, or a name of the rack file")
    .argument("<b>", "the second gateway")
    .option("--profile-a <file>", "use this profile for <a>; required for a URL (default: that of the kind)")
    .option("--profile-b <file>", "use this profile for <b>; required for a URL (default: that of the kind)")
    .option("--rack <file>", "look the gateways up in this rack file (default: none)")
    .addOption(levelOption("send 500, 5000 or 50000 steps"))
    .option("--steps <n>", "send this many steps (default: the level's number)", integer("--steps"))
    .option("--seed <n>", "seed every random choice (default: random)", integer("--seed"))
    .option("--replay <file>", "send the steps that an earlier comparison wrote (default: random steps)")
    .option("--out <folder>", "write the results here (default: runs/<time>-compare)")
    .option("--json", "print the result as JSON on standard output, everything else on standard error")
    .action(async (a: string, b: string, options: Parameters<typeof compare>[2]) =>
      exit(await (await import("./compare.ts")).compare(a, b, options)),
    );

  program
    .command("report")
    .description("Write the reports of a stored run again")
    .argument("<run>", "folder of the run")
    .option("--allure", "write allure-report.html too, with earlier runs; needs the package allure")
    .action(async (folder: string, options: { allure?: boolean }) =>
      exit(await (await import("./report.ts")).report(folder, options)),
    );

  program
    .command("judge")
    .description("Judge the stored record of a run again, without the gateway")
    .argument("<run>", "folder of the run")
    .option("--json", "print summary and differences as JSON")
    .action(async (folder: string, options: { json?: boolean }) =>
      exit(await (await import("./judge.ts")).judge(folder, options)),
    );

  program
    .command("preview")
    .description("Replay stored runs under this release and report which verdicts change, and why")
    .argument("<runs...>", "folders of runs")
    .option("--set <name>", "report only requirements of this frozen set (default: all)")
    .option("--out <folder>", "write preview.html and preview.json here", "preview")
    .option("--json", "print the result as JSON")
    .action(async (runs: string[], options: PreviewOptions) =>
      exit(await (await import("./preview.ts")).preview(runs, options)),
    );

  program
    .command("gate")
    .description("Decide whether a firmware may be released: one exit code and one page of reasons")
    .argument("<run...>", "folders of the candidate's runs; each run adds repetitions")
    .option("--baseline <run...>", "compare with these runs (default: no comparison)")
    .option("--policy <file>", "decide by this policy (default: the built-in policy)")
    .option("--expected-failures <file>", "accept the known failures in this list (default: none)")
    .option("--out <folder>", "write gate.html and gate.md here (default: the first run)")
    .option("--json", "print the result as JSON")
    .action(async (runs: string[], options: GateOptions) =>
      exit(await (await import("./gate.ts")).gateRuns(runs, options)),
    );

  addCertificateCommands(program, exit);

  const profile = program.command("profile").description("Write, check or print the profile of a gateway");
  profile
    .command("init")
    .description("Probe a gateway and write a commented profile; RACKPROOF_PASSWORD holds the password")
    .argument("<url>", "URL of the gateway")
    .option("--user <name>", "sign in as this administrator", "admin")
    .option("--out <file>", "write the profile here; must not exist yet", "profile.yaml")
    .option(
      "--try",
      "learn more by users that are removed again and a reset of the reboot schedule (default: reading calls only)",
    )
    .action(async (url: string, options: ProfileInitOptions) =>
      exit(await (await import("./profileInit.ts")).profileInit(url, options)),
    );
  profile
    .command("check")
    .description(
      "List every mistake of a profile with its line, and with --url its differences from a gateway",
    )
    .argument("<file>", "the profile")
    .option("--url <url>", "compare the profile with this gateway (default: no comparison)")
    .action(async (file: string, options: { url?: string }) =>
      exit(await (await import("./profileCheck.ts")).profileCheck(file, options)),
    );
  profile
    .command("print")
    .description("Print the completed ICS and IXIT form, ready to sign")
    .argument("<file>", "the profile")
    .option("--out <file>", "write Markdown, or HTML for .html (default: Markdown on standard output)")
    .action(async (file: string, options: { out?: string }) =>
      exit(await (await import("./profilePrint.ts")).profilePrint(file, options)),
    );

  const contract = program
    .command("contract")
    .description("Use the harness's requests to a gateway as Pact files");
  contract
    .command("verify")
    .description("Verify a gateway against the contract")
    .argument("<url>", "URL of the gateway")
    .requiredOption("--profile <file>", "use this profile")
    .action(async (url: string, options: ContractOptions) =>
      exit(await (await import("./contract.ts")).contractVerify(url, options)),
    );
  contract
    .command("states")
    .description("Serve a state change URL for another Pact library")
    .argument("<url>", "URL of the gateway")
    .requiredOption("--profile <file>", "use this profile")
    .option("--port <n>", "listen on this port of loopback; 0 takes a free one", integer("--port"), 9300)
    .action(async (url: string, options: ContractOptions & { port: number }) =>
      exit(await (await import("./contract.ts")).contractStates(url, options)),
    );
  contract
    .command("write")
    .description("Write the Pact files for the binding of a profile, for another Pact library")
    .argument("<folder>", "folder of the Pact files")
    .requiredOption("--profile <file>", "use this profile")
    .action(async (folder: string, options: ContractOptions) =>
      exit(await (await import("./contract.ts")).contractWrite(folder, options)),
    );

  addFleetCommands(program, exit);

  program
    .command("watch")
    .description("Show the progress of a run or a night as a read-only page on this machine")
    .argument("[folder]", "folder of the run or the night (default: the newest in runs and nights)")
    .option("--listen <host:port>", "serve the page here; port 0 takes a free one", watchDefault)
    .option("--fleet", "print the lines of the run on this gateway of the fleet, LAB/GATEWAY, until it ends")
    .addOption(databaseOption())
    .action(async (target: string | undefined, options: FleetOptions & { listen: string; fleet?: true }) =>
      exit(
        options.fleet === true
          ? await (await import("./watchFleet.ts")).watchFleet(target, options)
          : await (await import("./watch.ts")).watch(target, options),
      ),
    );

  program
    .command("doctor")
    .description("Check this machine for everything that rackproof needs, and name the remedy")
    .option("--rack <file>", "test every wire of this rack file instead (default: this machine)")
    .action(async ({ rack }: { rack?: string }) =>
      exit(
        rack === undefined
          ? await (await import("./doctor.ts")).doctor()
          : await (await import("./rackDoctor.ts")).rackDoctor(rack),
      ),
    );

  const rig = program.command("rig").description("Operate one piece of equipment alone, to test its wiring");
  const simulated = (command: Command): Command =>
    command
      .addOption(
        new Option("--behaviour <name>", "change the values by themselves (default: constant)").choices([
          ...behaviourNames,
        ]),
      )
      .option("--trace <file>", "replay this CSV of milliseconds and values; for --behaviour trace")
      .option("--fault <name>", "inject a fault into the device (default: none)");
  simulated(
    rig
      .command("modbus-tcp")
      .description("Serve Modbus TCP units")
      .option("--listen <host:port>", "serve them here (default: 127.0.0.1:1502)")
      .option("--units <list>", "serve these unit identifiers, joined by commas (default: 1)"),
  ).action(async (options: RigOptions) => exit(await (await import("./rig.ts")).rigModbusTcp(options)));
  simulated(
    rig
      .command("modbus-rtu")
      .description("Serve Modbus RTU units on a serial line")
      .option("--port <path>", "use this serial port, or pty for a pair of pseudo-terminals (default: pty)")
      .option("--baud <n>", "set the speed of the line (default: 115200)", integer("--baud"))
      .option("--units <list>", "serve these unit identifiers, joined by commas (default: 1)"),
  ).action(async (options: RigOptions) => exit(await (await import("./rig.ts")).rigModbusRtu(options)));
  simulated(
    rig
      .command("opcua")
      .description("Serve OPC UA nodes")
      .option("--listen <host:port>", "serve them here (default: 127.0.0.1:4840)")
      .addOption(
        new Option("--security <name>", "accept these channels (default: both)").choices([
          "none",
          "Basic256Sha256",
          "both",
        ]),
      ),
  ).action(async (options: RigOptions) => exit(await (await import("./rig.ts")).rigOpcua(options)));
  rig
    .command("console")
    .description("Print a gateway's console with times, and send typed input to it")
    .argument("<source>", "/dev/ttyUSB0@115200, unix:PATH, tcp:HOST:PORT or rfc2217:HOST:PORT@BAUD")
    .action(async (source: string) => exit(await (await import("./rigConsole.ts")).rigConsole(source)));
  rig
    .command("power")
    .description("Switch or read a gateway's power switch")
    .addArgument(program.createArgument("<action>", "what to do").choices([...powerActions]))
    .argument("<gateway>", "name of the gateway in the rack file")
    .requiredOption("--rack <file>", "look the gateway up in this rack file")
    .action(async (action: (typeof powerActions)[number], gateway: string, options: { rack: string }) =>
      exit(await (await import("./rigPower.ts")).rigPower(action, gateway, options)),
    );

  program
    .command("clean")
    .description("Remove processes, containers and folders that interrupted campaigns left")
    .action(async () => exit(await (await import("./clean.ts")).clean()));

  return program;
}
