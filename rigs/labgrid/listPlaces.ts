// The places of a labgrid coordinator, as somebody sees them who acquires none.
import { hostname } from "node:os";
import { connect } from "./acquire.ts";
import { addressOf } from "./resources.ts";

export interface ListedPlace {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Of the NetworkService that belongs to the place. */
  readonly address: string | undefined;
}

/** Places with all of the tags, by name. Throws an Error that names the coordinator. */
export async function listPlaces(
  coordinator: string,
  wanted: Readonly<Record<string, string>>,
): Promise<ListedPlace[]> {
  await using session = await connect({ coordinator, holder: `${hostname()}/rackproof` });
  const resources = [...session.resources.values()];
  return [...session.places.values()]
    .filter(({ tags }) => Object.entries(wanted).every(([name, value]) => tags[name] === value))
    .map((place) => ({ name: place.name, tags: place.tags, address: addressOf(place, resources) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
