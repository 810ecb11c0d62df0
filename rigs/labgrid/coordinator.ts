// A client of a labgrid coordinator: one stream that reports places and resources, and requests on the same connection,
// by which the coordinator recognises the client.
import { setTimeout as timer } from "node:timers/promises";
import { Client, credentials, type ClientDuplexStream } from "@grpc/grpc-js";
import type { Static } from "typebox";
import {
  decoder,
  encoder,
  type Place,
  ReservationAnswer,
  reservationStates,
  type Resource,
  Update,
} from "./messages.ts";

export interface Reservation {
  readonly token: string;
  readonly state: (typeof reservationStates)[number] | "unknown";
  /** The place that it was given. */
  readonly place: string | undefined;
}

const connectWithinMs = 5000;
const answerWithinMs = 15_000;
/** Intervals that the coordinator permits; a silent connection is found lost within 18 s. */
const channelOptions = {
  "grpc.keepalive_time_ms": 7500,
  "grpc.keepalive_timeout_ms": 10_000,
  // The coordinator identifies a client by its connection: two clients of one process must not share one.
  "grpc.use_local_subchannel_pool": 1,
};
/** Labgrid prints it only. */
const clientVersion = "rackproof";

type InMessage = Record<string, unknown>;

export class Coordinator implements AsyncDisposable {
  readonly places = new Map<string, Place>();
  readonly resources = new Map<string, Resource>();
  readonly address: string;
  readonly #client: Client;
  readonly #stream: ClientDuplexStream<object, Static<typeof Update>>;
  readonly #lost = new AbortController();
  #synced = Promise.withResolvers<void>();
  #syncs = 0;

  private constructor(address: string, client: Client) {
    this.address = address;
    this.#client = client;
    this.#stream = client.makeBidiStreamRequest(
      "/labgrid.Coordinator/ClientStream",
      encoder("ClientInMessage"),
      decoder("ClientOutMessage", Update),
    );
    const end = (why: string): void => {
      this.#lost.abort(new Error(`labgrid coordinator ${address}: ${why}`));
      this.#synced.reject(this.#lost.signal.reason);
    };
    this.#synced.promise.catch(() => undefined);
    this.#stream.on("data", (update: Static<typeof Update>) => this.#take(update));
    this.#stream.on("error", (thrown: Error) => end(thrown.message));
    this.#stream.on("end", () => end("it ended the connection"));
  }

  /**
   * Signs in under the name HOST/USER and reads all places and resources.
   * Throws an Error that names the address.
   */
  static async connect(address: string, name: string): Promise<Coordinator> {
    const client = new Client(address, credentials.createInsecure(), channelOptions);
    try {
      await new Promise<void>((resolve, reject) =>
        client.waitForReady(Date.now() + connectWithinMs, (thrown) =>
          thrown === undefined ? resolve() : reject(thrown),
        ),
      );
    } catch {
      client.close();
      throw new Error(`labgrid coordinator ${address}: no connection within ${connectWithinMs / 1000} s`);
    }
    const coordinator = new Coordinator(address, client);
    try {
      coordinator.#send({ startup: { version: clientVersion, name } });
      coordinator.#send({ subscribe: { all_places: true } });
      coordinator.#send({ subscribe: { all_resources: true } });
      await coordinator.sync();
      return coordinator;
    } catch (thrown) {
      await coordinator[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Aborted when the coordinator ended the connection or does not answer. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Waits until everything that the coordinator reported until now has arrived. */
  async sync(): Promise<void> {
    this.#syncs += 1;
    this.#synced = Promise.withResolvers();
    this.#synced.promise.catch(() => undefined);
    this.#lost.signal.throwIfAborted();
    this.#send({ sync: { id: this.#syncs } });
    const late = timer(answerWithinMs, undefined, { ref: false }).then(() => {
      throw new Error(`labgrid coordinator ${this.address}: no answer within ${answerWithinMs / 1000} s`);
    });
    late.catch(() => undefined);
    await Promise.race([this.#synced.promise, late]);
  }

  /** Resources of the place, while somebody has acquired it. */
  resourcesOf(place: Place): Resource[] {
    return place.acquired_resources.flatMap((path) => {
      const [exporter = "", group = "", , name = ""] = path.split("/");
      return this.resources.get(keyOf(exporter, group, name)) ?? [];
    });
  }

  async acquire(placename: string): Promise<void> {
    await this.#request("AcquirePlace", "PlaceRequest", { placename });
    await this.sync();
  }

  /** Without effect when somebody else has the place. */
  async release(placename: string, fromuser: string): Promise<void> {
    await this.#request("ReleasePlace", "PlaceRequest", { placename, fromuser });
  }

  /** Waits in the coordinator's queue for a place with these tags; `name` is the name of a place. */
  async reserve(tags: Readonly<Record<string, string>>): Promise<Reservation> {
    const filters = { main: { filter: tags } };
    return this.#reservation("CreateReservation", "ReservationRequest", { filters, prio: 0 });
  }

  /** The present state; without this call the reservation expires after a minute. */
  async reservation(token: string): Promise<Reservation> {
    return this.#reservation("PollReservation", "TokenRequest", { token });
  }

  async cancel(token: string): Promise<void> {
    await this.#request("CancelReservation", "TokenRequest", { token });
  }

  async #reservation(method: string, message: string, value: InMessage): Promise<Reservation> {
    const read = decoder("ReservationResponse", ReservationAnswer);
    const { reservation } = read(await this.#request(method, message, value));
    const { token, state, allocations } = reservation;
    return { token, state: reservationStates[state] ?? "unknown", place: allocations["main"] };
  }

  async #request(method: string, message: string, value: InMessage): Promise<Buffer> {
    this.#lost.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#client.makeUnaryRequest(
      `/labgrid.Coordinator/${method}`,
      encoder(message),
      (bytes) => bytes,
      value,
      { deadline: Date.now() + answerWithinMs },
      (failure, answer) => {
        if (failure !== null) reject(new Error(`labgrid coordinator ${this.address}: ${failure.details}`));
        else resolve(answer ?? Buffer.alloc(0));
      },
    );
    return promise;
  }

  #send(message: InMessage): void {
    this.#stream.write(message);
  }

  #take({ updates, sync }: Static<typeof Update>): void {
    for (const { place, del_place, resource, del_resource } of updates) {
      if (place !== undefined) this.places.set(place.name, place);
      if (del_place !== undefined) this.places.delete(del_place);
      if (resource !== undefined) this.resources.set(pathKey(resource.path), resource);
      if (del_resource !== undefined) this.resources.delete(pathKey(del_resource));
    }
    if (sync?.id === this.#syncs) this.#synced.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stream.cancel();
    this.#client.close();
    return Promise.resolve();
  }
}

function pathKey({ exporter_name, group_name, resource_name }: Resource["path"]): string {
  return keyOf(exporter_name, group_name, resource_name);
}

function keyOf(exporter: string, group: string, name: string): string {
  return `${exporter}/${group}/${name}`;
}
