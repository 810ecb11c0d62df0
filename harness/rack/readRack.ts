// The gateways of a rack: those that its file names, and places of labgrid.
import { readDocument } from "../document/document.ts";
import { withPlaces } from "./placeGateways.ts";
import { find, parseRack, type RackGateway } from "./rackFile.ts";

/** All gateways of a rack file; throws a UsageError with line and field, or with the coordinator that does not answer. */
export async function readRack(file: string): Promise<RackGateway[]> {
  return withPlaces(parseRack(await readDocument("rack", file), file), file);
}

/** Finds a gateway by its name; throws a UsageError with line and field, or with the known names. */
export async function findInRack(file: string, name: string): Promise<RackGateway> {
  return find(await readRack(file), file, name);
}
