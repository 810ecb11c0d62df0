// Options that several commands share.
import { Option } from "commander";
import { campaignLevels, defaultCampaignLevel } from "../../interface/vocabulary/levels.ts";
import { architectureNames } from "../../interface/vocabulary/gatewayKinds.ts";
import { UsageError } from "../../record/index.ts";

/** By default a free port that only this machine can reach. */
export const watchDefault = "127.0.0.1:0";

export const integer =
  (name: string) =>
  (text: string): number => {
    if (!/^\d+$/.test(text))
      throw new UsageError("OPTION_NUMBER", `${name} ${text}: expected a whole number`);
    return Number(text);
  };

export const positive =
  (name: string) =>
  (text: string): number => {
    const count = integer(name)(text);
    if (count === 0) throw new UsageError("OPTION_NUMBER", `${name} 0: expected at least 1`);
    return count;
  };

/** A positive number, with decimals or without. */
export const amount =
  (name: string) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || number === 0)
      throw new UsageError("OPTION_NUMBER", `${name} ${text}: expected a number above 0`);
    return number;
  };

export const levelOption = (description = "set the number of repetitions and the durations"): Option =>
  new Option("--level <level>", description).choices([...campaignLevels]).default(defaultCampaignLevel);

export const watchOption = (): Option =>
  new Option(
    "--watch [host:port]",
    `serve a live view during the run (default address ${watchDefault}, a free port)`,
  ).preset(watchDefault);

/** Several selections are one: their words are joined by commas. */
export const selectOption = (description: string): Option =>
  new Option("--select <words>", description).argParser((words: string, before: string | undefined) =>
    before === undefined || before === "" ? words : `${before},${words}`,
  );

export const faultOption = (): Option =>
  new Option("--fault <id>", "inject a fault into the reference gateway (default: none)");

export const variationOption = (): Option =>
  new Option("--variation <ids>", "apply legitimate variations to the reference gateway (default: none)");

export const lineOption = (): Option =>
  new Option(
    "--line <impairment>",
    "reach the reference gateway by a line that is impaired: clean, or delay, jitter, loss, reorder, duplicate, rate, mtu; process and qemu only (default: loopback)",
  );

export const archOption = (): Option =>
  new Option(
    "--arch <name>",
    "emulate a machine with this processor; kind qemu only (default: that of this machine)",
  ).choices(architectureNames);

export const withoutOption = (): Option =>
  new Option(
    "--without <parts>",
    "ignore parts of the rack's wiring: console, power, reset, network, field NAME; commas join (default: none)",
  ).argParser((text) => text.split(",").map((part) => part.trim()));
