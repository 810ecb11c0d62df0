// Commands of a fleet: many hosts, one database.
import { type Command, Option } from "commander";
import type { AgentOptions } from "./agent.ts";
import type { FleetLimitsOptions } from "./fleetLimits.ts";
import type { FleetPageOptions } from "./fleetPage.ts";
import type { FleetPruneOptions } from "./fleetPrune.ts";
import type { FleetServeOptions } from "./fleetServe.ts";
import type { NightlyOptions } from "./nightly.ts";
import type { NightlyFleetOptions } from "./nightlyFleet.ts";
import type { NotifyOptions } from "./notify.ts";
import type { ReleaseOptions, ReserveOptions } from "./reserve.ts";
import type { FleetOptions } from "./support/fleetAccess.ts";
import {
  databaseOption,
  labelsOption,
  ownerOption,
  priorityOption,
  waitOption,
} from "./support/fleetOptions.ts";
import { integer, levelOption, positive, selectOption, watchOption } from "./support/options.ts";
import { defaultNights, defaultStaleHours } from "../workflows/fleet/fleetHistory.ts";
import { UsageError } from "../record/index.ts";

const jsonOption = (): Option => new Option("--json", "print the result as JSON");
const nightsOption = (): Option =>
  new Option("--nights <n>", "show this many nights").argParser(positive("--nights")).default(defaultNights);
const staleOption = (): Option =>
  new Option("--stale-hours <n>", "mark a gateway without a result for this many hours as stale")
    .argParser(positive("--stale-hours"))
    .default(defaultStaleHours);

/** Adds them to the program; `exit` receives their exit codes. */
export function addFleetCommands(program: Command, exit: (code: number) => void): void {
  addNightly(program, exit);
  addNotify(program, exit);
  const fleet = program.command("fleet").description("Set up, show or check the database of a fleet of labs");
  fleet
    .command("init")
    .description("Create or update the tables of the fleet; safe to repeat")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetOptions) => exit(await (await import("./fleet.ts")).fleetInit(options)));
  fleet
    .command("status")
    .description("List labs, gateways and running nights")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetOptions) => exit(await (await import("./fleet.ts")).fleetStatus(options)));
  fleet
    .command("doctor")
    .description("Check database, tables and labs, and name the remedy")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetOptions) => exit(await (await import("./fleet.ts")).fleetDoctor(options)));
  fleet
    .command("limits")
    .description("Show or set the limits of reservations and runs of one owner")
    .option("--gateways <n>", "allow each owner this many gateways at a time", positive("--gateways"))
    .option("--minutes <n>", "allow reservations and runs of this many minutes", positive("--minutes"))
    .option("--none", "remove all limits")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetLimitsOptions) =>
      exit(await (await import("./fleetLimits.ts")).fleetLimits(options)),
    );
  fleet
    .command("prune")
    .description("Remove nights, runs and reservations that ended long ago; evidence remains on the hosts")
    .requiredOption("--days <n>", "keep what ended in the last days", positive("--days"))
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetPruneOptions) =>
      exit(await (await import("./fleetPrune.ts")).fleetPrune(options)),
    );
  fleet
    .command("page")
    .description("Write the page of the fleet: what fails since when, and every requirement by night")
    .option("--out <folder>", "write index.html to this folder", "fleet")
    .addOption(nightsOption())
    .addOption(staleOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetPageOptions) =>
      exit(await (await import("./fleetPage.ts")).fleetPageCommand(options)),
    );
  fleet
    .command("serve")
    .description("Serve the page of the fleet, read-only, and update it when the database changes")
    .option("--port <n>", "serve it on this port; 0 takes a free one", integer("--port"), 8090)
    .option("--host <address>", "serve it on this address, without a password", "127.0.0.1")
    .addOption(nightsOption())
    .addOption(staleOption())
    .addOption(databaseOption())
    .action(async (options: FleetServeOptions) =>
      exit(await (await import("./fleetServe.ts")).fleetServe(options)),
    );

  program
    .command("agent")
    .description("List the gateways of a rack in the fleet and run their turns, until it is stopped")
    .requiredOption("--rack <file>", "serve the gateways of this rack file")
    .requiredOption("--lab <name>", "speak for this lab, which no other machine may do meanwhile")
    .addOption(labelsOption("add these labels to every gateway, such as site=berlin (default: none)"))
    .option("--out <folder>", "store runs and results that wait here (default: agent-<lab>)")
    .option(
      "--parallel <n>",
      "run this many gateways at a time (default: the processor cores)",
      positive("--parallel"),
    )
    .option(
      "--hold-sec <n>",
      "continue a turn for this many seconds without the database",
      positive("--hold-sec"),
      120,
    )
    .addOption(databaseOption())
    .action(async (options: AgentOptions) => exit(await (await import("./agent.ts")).agent(options)));

  program
    .command("reserve")
    .description("Reserve one gateway of the fleet by its name or its labels")
    .argument("[gateway]", "name in the fleet, LAB/GATEWAY (default: any with the labels)")
    .addOption(labelsOption("reserve a gateway with all these labels, such as model=X,site=Y"))
    .option(
      "--minutes <n>",
      "reserve it for this many minutes (default: 30, or the limit of the fleet)",
      positive("--minutes"),
    )
    .addOption(ownerOption("reserve it for this owner (default: user@host)"))
    .option("--purpose <text>", "show this purpose to others", "")
    .addOption(priorityOption())
    .addOption(waitOption("wait this many minutes for a gateway", 0))
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (gateway: string | undefined, options: ReserveOptions) =>
      exit(await (await import("./reserve.ts")).reserve(gateway, options)),
    );
  program
    .command("release")
    .description("Release a gateway of the fleet before its time")
    .argument("<gateway>", "name in the fleet, LAB/GATEWAY")
    .addOption(ownerOption("release what this owner has reserved (default: user@host)"))
    .option("--force", "release it whoever uses it; a turn that runs on it is ended first")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (gateway: string, options: ReleaseOptions) =>
      exit(await (await import("./reserve.ts")).release(gateway, options)),
    );
  program
    .command("who")
    .description("List who uses which gateway of the fleet, since when and until when")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (options: FleetOptions) => exit(await (await import("./reserve.ts")).who(options)));
}

function addNotify(program: Command, exit: (code: number) => void): void {
  program
    .command("notify")
    .description("Try the channels of a --notify file, or tell people about a night again")
    .argument("<file>", "file that says who is notified, and after how many nights")
    .option("--test", "send a test message to every channel")
    .option("--nights <folder>", "tell a night of a rack: the folder of all nights", "nights")
    .option("--fleet", "tell a night of the fleet")
    .option("--night <n>", "tell the night of this number (default: the last one)", positive("--night"))
    .addOption(databaseOption())
    .action(async (file: string, options: NotifyOptions) =>
      exit(await (await import("./notify.ts")).notify(file, options)),
    );
}

type NightOptions = Omit<NightlyOptions, "rack"> &
  NightlyFleetOptions & { readonly rack?: string; readonly fleet?: boolean };

function addNightly(program: Command, exit: (code: number) => void): void {
  program
    .command("nightly")
    .description("Run every gateway of a rack, store the history and report changes since the last night")
    .option("--rack <file>", "run the gateways of this rack file")
    .option(
      "--fleet",
      "run the gateways of all labs of the fleet; --out, --parallel, --keep, --watch are for a rack",
    )
    .addOption(labelsOption("with --fleet: run only gateways with all these labels (default: all)"))
    .addOption(selectOption("run only these cases, as in run").default("", "all"))
    .addOption(levelOption())
    .option("--seed <n>", "seed every random choice (default: random)", integer("--seed"))
    .option("--out <folder>", "store all nights and their history here", "nights")
    .option(
      "--parallel <n>",
      "run this many gateways at a time (default: the processor cores)",
      positive("--parallel"),
    )
    .option("--retries <n>", "repeat cases that did not pass this many times", integer("--retries"), 1)
    .option(
      "--keep <n>",
      "remove the folders of all but the newest nights (default: keep all)",
      positive("--keep"),
    )
    .option("--limit-min <n>", "hold a gateway for at most this many minutes", positive("--limit-min"), 480)
    .option("--wait-min <n>", "wait this many minutes for a held gateway", integer("--wait-min"), 60)
    .option(
      "--silent-min <n>",
      "with --fleet: set a lab aside after this many minutes without a sign of life",
      integer("--silent-min"),
      3,
    )
    .option(
      "--cause-min <n>",
      "with --fleet: search the cause of new failures by more turns for at most this many minutes; 0 disables it",
      integer("--cause-min"),
      30,
    )
    .option(
      "--expected-failures <file>",
      "run and show, but disregard the requirements of this list (default: none)",
    )
    .option("--notify <file>", "tell people about failures that last, as this file says (default: nobody)")
    .addOption(databaseOption())
    .addOption(watchOption())
    .option("--json", "print the result as JSON on standard output, everything else on standard error")
    .action(async ({ rack, fleet, ...options }: NightOptions) => {
      if ((rack === undefined) === (fleet !== true))
        throw new UsageError("FLEET_NIGHT_TARGET", "nightly: expected one of --rack FILE and --fleet");
      exit(
        await (rack === undefined
          ? (await import("./nightlyFleet.ts")).nightlyFleet(options)
          : (await import("./nightly.ts")).nightly({ ...options, rack })),
      );
    });
}
