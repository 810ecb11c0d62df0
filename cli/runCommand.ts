// `rackproof run` with its options, on this machine and in a fleet.
import type { Command } from "commander";
import type { run } from "./run.ts";
import type { RunFleetOptions } from "./runFleet.ts";
import {
  databaseOption,
  labelsOption,
  limitOption,
  ownerOption,
  priorityOption,
  waitOption,
} from "./support/fleetOptions.ts";
import {
  archOption,
  faultOption,
  integer,
  levelOption,
  lineOption,
  selectOption,
  variationOption,
  watchOption,
  withoutOption,
} from "./support/options.ts";

type LocalOrFleetRun = Parameters<typeof run>[1] & RunFleetOptions & { readonly fleet?: boolean };

/** Adds it to the program; `exit` receives its exit code. */
export function addRunCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("run")
    .description("Run one campaign against one gateway; write its record and reports")
    .argument(
      "[gateway]",
      "process, container, qemu, a URL, a name of the rack file, or LAB/GATEWAY of the fleet (default: process)",
    )
    .option("--profile <file>", "use this profile; required for a URL (default: that of the rack or kind)")
    .option("--rack <file>", "look the gateway up in this rack file (default: none)")
    .addOption(
      selectOption(
        "run only these case ids, requirement ids, groups or tags; commas and repetition join, ! excludes, * matches any characters",
      ).default("", "all"),
    )
    .addOption(levelOption())
    .option("--seed <n>", "seed every random choice (default: random)", integer("--seed"))
    .option("--out <folder>", "write record and reports here (default: runs/<time>-<gateway>)")
    .option("--key <file>", "sign the record with this key of the lab (default: a key for this run only)")
    .option(
      "--parallel <n>",
      "run this many gateways at a time; embedded kinds only (default: process 4, container 3, qemu 2, rack 1)",
      integer("--parallel"),
    )
    .addOption(archOption())
    .addOption(faultOption())
    .addOption(variationOption())
    .addOption(lineOption())
    .option("--time-server", "let the gateway process follow a time server that the cases set")
    .addOption(withoutOption())
    .option(
      "--challenge <file>",
      "answer this challenge of a certifier, which gives the seed (default: none)",
    )
    .option("--expected-failures <file>", "accept the known failures in this list (default: none)")
    .addOption(watchOption())
    .option("--fleet", "run it on the host of the gateway, which the fleet names LAB/GATEWAY")
    .addOption(labelsOption("run on any gateway of the fleet with all these labels, such as model=X,site=Y"))
    .addOption(ownerOption("in the fleet: reserve the gateway for this owner (default: user@host)"))
    .addOption(priorityOption())
    .addOption(waitOption("in the fleet: wait this many minutes for a gateway", 60))
    .addOption(limitOption("in the fleet: hold the gateway for at most this many minutes", 480))
    .addOption(databaseOption())
    .option("--explain-time", "print which cases determined the duration, and what each waited for")
    .option("--json", "print the summary as JSON on standard output, everything else on standard error")
    .action(async (gateway: string | undefined, { fleet, ...options }: LocalOrFleetRun) => {
      const isOfFleet = fleet === true || options.labels !== undefined;
      exit(
        await (isOfFleet
          ? (await import("./runFleet.ts")).runFleet(gateway, options)
          : (await import("./run.ts")).run(gateway ?? "process", options)),
      );
    });
}
