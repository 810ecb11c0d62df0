// Options of commands that work on a fleet.
import { Option } from "commander";
import { priorities } from "../../workflows/fleet/priorities.ts";
import { integer, positive } from "./options.ts";

export const databaseOption = (): Option =>
  new Option(
    "--database <url>",
    "use this database of a fleet; RACKPROOF_DATABASE hides the password from other users of the machine (default: RACKPROOF_DATABASE)",
  );

export const labelsOption = (description: string): Option => new Option("--labels <list>", description);

export const ownerOption = (description: string): Option => new Option("--owner <name>", description);

export const priorityOption = (): Option =>
  new Option(
    "--priority <name>",
    "be served before those of lower priority (default: ci where CI is set, else person)",
  ).choices([...priorities]);

export const waitOption = (description: string, minutes: number): Option =>
  new Option("--wait-min <n>", description).argParser(integer("--wait-min")).default(minutes);

export const limitOption = (description: string, minutes: number): Option =>
  new Option("--limit-min <n>", description).argParser(positive("--limit-min")).default(minutes);
