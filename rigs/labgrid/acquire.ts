// Acquires a place of labgrid: at once, or in the coordinator's queue as a reservation.
import { setTimeout as timer } from "node:timers/promises";
import type { Coordinator } from "./coordinator.ts";
import type { Place } from "./messages.ts";
import { unmatched } from "./resources.ts";

export interface PlaceWish {
  /** HOST:PORT */
  readonly coordinator: string;
  readonly place: string;
  /** HOST/USER of this run: another one for each, so that nobody takes its place for theirs. */
  readonly holder: string;
  /** Time in the coordinator's queue; default none. */
  readonly waitMs?: number;
}

/** Another client of the coordinator has the place. */
export class PlaceInUse extends Error {
  override readonly name = "PlaceInUse";
}

const lookEveryMs = 500;
const settledWithinMs = 20_000;

/** Loads the client of the coordinator when it is needed. */
export async function connect({
  coordinator,
  holder,
}: Pick<PlaceWish, "coordinator" | "holder">): Promise<Coordinator> {
  const { Coordinator: client } = await import("./coordinator.ts");
  return client.connect(coordinator, holder);
}

/** Throws PlaceInUse, or an Error that names what is missing. */
export async function acquire(coordinator: Coordinator, wish: PlaceWish): Promise<void> {
  const { place, waitMs = 0 } = wish;
  if (isFree(completePlace(coordinator, wish))) return settled(coordinator, wish);
  if (waitMs <= 0) throw inUse(coordinator, wish);
  const untilMs = performance.now() + waitMs;
  let reservation = await coordinator.reserve({ name: place });
  try {
    while (reservation.state !== "allocated") {
      if (performance.now() > untilMs) throw inUse(coordinator, wish);
      await timer(lookEveryMs);
      reservation = await coordinator.reservation(reservation.token);
    }
    await settled(coordinator, wish);
  } finally {
    // Else the place is reserved for another minute after its release.
    await coordinator.cancel(reservation.token).catch(() => undefined);
  }
}

/**
 * Acquires the place. For up to 15 s after a client has disappeared amid its request, resources belong to a free place; then
 * the coordinator releases them.
 */
async function settled(coordinator: Coordinator, wish: PlaceWish): Promise<void> {
  const untilMs = performance.now() + settledWithinMs;
  for (;;) {
    // The coordinator also gives out a place whose exporter is away.
    completePlace(coordinator, wish);
    try {
      return await coordinator.acquire(wish.place);
    } catch (thrown) {
      await coordinator.sync();
      const place = coordinator.places.get(wish.place);
      if (place?.acquired !== "") throw inUse(coordinator, wish);
      if (performance.now() > untilMs) throw thrown;
    }
    await timer(lookEveryMs);
  }
}

function isFree({ acquired, reservation }: Place): boolean {
  return acquired === "" && reservation === "";
}

/** The place with all its resources. */
function completePlace({ places, resources, address }: Coordinator, { place: name }: PlaceWish): Place {
  const place = places.get(name);
  if (place === undefined) {
    const known = [...places.keys()].toSorted().join(", ") || "none";
    throw new Error(`labgrid coordinator ${address}: no place ${name}; found ${known}`);
  }
  const missing = unmatched(place, resources.values());
  if (missing.length > 0)
    throw new Error(
      `place ${name} of labgrid: no exporter offers ${missing.join(", ")}. Fix: start the exporter, or correct the match`,
    );
  return place;
}

export function inUse({ places, address }: Coordinator, { place: name }: PlaceWish): PlaceInUse {
  const place = places.get(name);
  const state =
    place === undefined
      ? "was deleted"
      : place.acquired !== ""
        ? `is in use by ${place.acquired}`
        : place.reservation === ""
          ? "was released by another client"
          : "is reserved for another client";
  return new PlaceInUse(`place ${name} of labgrid ${address} ${state}`);
}
