// A gateway of a rack while a command uses it: the lease of this machine, and its place of labgrid where it has one.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { HeldLease, RackGateway } from "../../harness/index.ts";
import { HeldPlace, PlaceInUse, recordLeftover, removeLeftovers } from "../../rigs/index.ts";
import { messageOf } from "../../record/index.ts";
import { Lease, LeasedElsewhere, LeaseLost, type LeaseOptions } from "./lease.ts";

/** A command that a night starts finds here the name under which the night has acquired the place. */
const holderVariable = "RACKPROOF_LABGRID_HOLDER";
const msPerMin = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

export class HeldGateway implements HeldLease, AsyncDisposable {
  readonly place: HeldPlace | undefined;
  /** Aborted with a LeaseLost. */
  readonly lost: AbortSignal;
  readonly #lease: Lease;
  readonly #end: AsyncDisposableStack;

  private constructor(lease: Lease, place: HeldPlace | undefined, end: AsyncDisposableStack) {
    this.#lease = lease;
    this.place = place;
    this.#end = end;
    this.lost = place === undefined ? lease.lost : AbortSignal.any([lease.lost, lossOf(place)]);
  }

  /** Takes lease and place. Throws LeasedElsewhere when another run or another client of labgrid has one of them. */
  static take(gateway: RackGateway, options: LeaseOptions): Promise<HeldGateway> {
    return HeldGateway.#hold(gateway, Lease.take(options), {});
  }

  /** For a command: uses lease and place that the environment names, which the starter of the command releases. */
  static takeOrAdopt(
    gateway: RackGateway,
    options: LeaseOptions,
    environment: Environment = process.env,
  ): Promise<HeldGateway> {
    return HeldGateway.#hold(gateway, Lease.takeOrAdopt(options, environment), environment);
  }

  static async #hold(gateway: RackGateway, lease: Lease, environment: Environment): Promise<HeldGateway> {
    await using stack = new AsyncDisposableStack();
    stack.use(lease);
    const place = gateway.kind === "remote" ? await holdPlace(gateway, environment, stack) : undefined;
    return new HeldGateway(lease, place, stack.move());
  }

  /** Environment of a command that uses lease and place. */
  get environment(): Readonly<Record<string, string>> {
    const { environment } = this.#lease;
    return this.place === undefined
      ? environment
      : { ...environment, [holderVariable]: this.place.wish.holder };
  }

  check(act: string): void {
    this.#lease.check(act);
    this.place?.check();
    if (this.place?.lost.aborted === true)
      throw new LeaseLost(`${messageOf(this.place.lost.reason)}; cannot ${act}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end.disposeAsync();
  }
}

function lossOf({ lost }: HeldPlace): AbortSignal {
  const controller = new AbortController();
  const lose = (): void => controller.abort(new LeaseLost(messageOf(lost.reason)));
  lost.addEventListener("abort", lose, { once: true });
  if (lost.aborted) lose();
  return controller.signal;
}

async function holdPlace(
  { name, labgrid }: RackGateway & { readonly kind: "remote" },
  environment: Environment,
  stack: AsyncDisposableStack,
): Promise<HeldPlace | undefined> {
  if (labgrid?.place === undefined) return undefined;
  const { coordinator, place, waitMin = 0 } = labgrid;
  const given = environment[holderVariable];
  const isAdopted = given !== undefined;
  // A run that was killed has left its place acquired.
  if (!isAdopted) await removeLeftovers();
  const holder = given ?? newHolder();
  const leftover = isAdopted
    ? undefined
    : await recordLeftover({ kind: "place", coordinator, place, holder });
  try {
    const held = await HeldPlace.take({ coordinator, place, holder, isAdopted, waitMs: waitMin * msPerMin });
    stack.defer(async () => {
      // From a coordinator that is away the next command releases it.
      if (await held.release()) await leftover?.settle();
    });
    return held;
  } catch (thrown) {
    await leftover?.settle();
    const code = thrown instanceof PlaceInUse ? "GATEWAY_HELD" : "LABGRID_PLACE";
    throw new LeasedElsewhere(name, messageOf(thrown), code);
  }
}

/** A name of its own for each use, in the form of labgrid: an old process never passes for the present one. */
function newHolder(): string {
  return `${process.env["LG_HOSTNAME"] ?? hostname()}/rackproof-${process.pid}-${randomBytes(3).toString("hex")}`;
}
