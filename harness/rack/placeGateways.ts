// Entries of a rack file that stand for places of labgrid: each place with the tags becomes a gateway with these labels.
import { listPlaces } from "../../rigs/index.ts";
import { messageOf, UsageError } from "../../record/index.ts";
import type { RackGateway, RemoteRackGateway } from "./rackFile.ts";

/** The same gateways with those of the places; a gateway that the file names itself is not replaced. */
export async function withPlaces(gateways: readonly RackGateway[], file: string): Promise<RackGateway[]> {
  const named = gateways.filter((one) => tagsOf(one) === undefined);
  const names = new Set(named.map(({ name }) => name));
  const found: RackGateway[] = [];
  for (const entry of gateways) {
    if (entry.kind !== "remote") continue;
    for (const one of await gatewaysOf(entry, file)) {
      if (names.has(one.name)) continue;
      names.add(one.name);
      found.push(one);
    }
  }
  return [...named, ...found];
}

function tagsOf(gateway: RackGateway): Readonly<Record<string, string>> | undefined {
  return gateway.kind === "remote" ? gateway.labgrid?.tags : undefined;
}

async function gatewaysOf(entry: RemoteRackGateway, file: string): Promise<RemoteRackGateway[]> {
  const { labgrid } = entry;
  if (labgrid?.tags === undefined) return [];
  const { tags: wanted, ...rest } = labgrid;
  const places = await listPlaces(labgrid.coordinator, wanted).catch((thrown: unknown) => {
    throw new UsageError("LABGRID_PLACE", `rack ${file}: ${entry.name}: ${messageOf(thrown)}`);
  });
  return places.map(({ name, tags, address }) => {
    const words = { ...tags, place: name, ...(address === undefined ? {} : { address }) };
    const url = filled(entry.url, words, `rack ${file}: ${entry.name}: place ${name} of labgrid`);
    return { ...entry, name, url, labels: { ...tags, ...entry.labels }, labgrid: { ...rest, place: name } };
  });
}

/** The text with a word for each `{NAME}`. */
function filled(text: string, words: Readonly<Record<string, string>>, what: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const word = words[name];
    if (word !== undefined) return word;
    const expected = name === "address" ? "a NetworkService" : `a tag ${name}`;
    throw new UsageError("LABGRID_PLACE", `${what}: expected ${expected} for {${name}}, found none`);
  });
}
