// Whether the gateway restarted, and whether anybody ordered it: by `lastBootAt` and by what the equipment observed.
import type { Answer, Clock, GatewayUnderTest } from "../../harness/index.ts";
import type { Sighting } from "../../rigs/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** A gateway that computes the time of its boot from its uptime moves it when its clock is set. */
const sameBootMs = 5000;
/** Signs of one restart arrive within this time. */
const oneRestartMs = 60_000;
const lookPatienceMs = 3000;

/** Reads the reboot schedule. */
export interface ScheduleReader {
  /** Undefined when the request could not be sent. */
  read(): Promise<Pick<Answer, "status" | "accepted" | "json"> | undefined>;
  signInsWereLost(): void;
}

export function scheduleReader(gateway: GatewayUnderTest): ScheduleReader {
  return {
    read: () => gateway.admin.callChecked("getReboot", { patienceMs: lookPatienceMs }).catch(() => undefined),
    signInsWereLost: () => gateway.signInsWereLost(),
  };
}

export interface RestartReports {
  ordered(text: string): void;
  unordered(text: string): void;
  note(text: string): void;
  /** The gateway has not answered for longer than its boot may take: for so many seconds until now. */
  unreachable(seconds: number): void;
}

export class Restarts {
  readonly counts = { ordered: 0, unordered: 0 };
  readonly #clock: Clock;
  readonly #reports: RestartReports;
  readonly #sightings: readonly Sighting[];
  #looked: number;
  #lastBootMs: number | undefined;
  #isOrdered = false;
  #countedMs = Number.NEGATIVE_INFINITY;
  /** When the gateway last gave a sign of an interruption: no answer, a connection or a stream that ended. */
  #interruptedMs = Number.NEGATIVE_INFINITY;
  #silentSinceMs: number | undefined;
  #isSilenceReported = false;
  readonly #bootMs: number;
  #boot: number;
  #bootedMs: number;

  /** `boot`: number of the present boot; `bootMs`: how long a boot may take. */
  constructor(
    clock: Clock,
    reports: RestartReports,
    sightings: readonly Sighting[],
    { boot, bootMs }: { readonly boot: number; readonly bootMs: number },
  ) {
    this.#clock = clock;
    this.#bootMs = bootMs;
    this.#reports = reports;
    this.#sightings = sightings;
    this.#looked = sightings.length;
    this.#boot = boot;
    this.#bootedMs = clock.nowMs();
  }

  get boot(): number {
    return this.#boot;
  }

  get bootSec(): number {
    return (this.#clock.nowMs() - this.#bootedMs) / 1000;
  }

  /** Whether the gateway was or is unavailable since the instant. */
  isDisturbedSince(sinceMs: number): boolean {
    return this.#isOrdered || this.#silentSinceMs !== undefined || this.#countedMs >= sinceMs;
  }

  get #silentForMs(): number {
    return this.#silentSinceMs === undefined ? 0 : this.#clock.nowMs() - this.#silentSinceMs;
  }

  interrupted(): void {
    this.#interruptedMs = this.#clock.nowMs();
  }

  /** The soak orders a restart now, until `arrived`. */
  order(): void {
    this.#isOrdered = true;
  }

  /** Whether the gateway has booted since `order` and answers the administrator. */
  async hasArrived(reader: ScheduleReader): Promise<boolean> {
    const answer = await reader.read();
    if (answer?.status === 401) reader.signInsWereLost();
    const bootMs = answer?.accepted === true ? lastBootOf(answer.json) : undefined;
    const before = this.#lastBootMs;
    if (bootMs === undefined || (before !== undefined && Math.abs(bootMs - before) < sameBootMs))
      return false;
    this.#lastBootMs = bootMs;
    this.#arrived();
    return true;
  }

  #arrived(): void {
    this.#isOrdered = false;
    this.#silentSinceMs = undefined;
    this.#looked = this.#sightings.length;
    this.counts.ordered += 1;
    this.#counted("ordered");
  }

  /** Reads the sightings of the equipment and asks the gateway; answers whether it answered. */
  async look(reader: ScheduleReader): Promise<boolean> {
    if (this.#isOrdered) return false;
    this.#lookAtEquipment();
    const answer = await reader.read();
    if (this.#isOrdered) return false;
    if (answer === undefined || answer.status === 0 || answer.status >= 500) {
      this.#silentSinceMs ??= this.#clock.nowMs();
      this.interrupted();
      if (!this.#isSilenceReported && this.#silentForMs > this.#bootMs) {
        this.#isSilenceReported = true;
        this.#reports.unreachable(this.#silentForMs / 1000);
      }
      return false;
    }
    this.#silentSinceMs = undefined;
    this.#isSilenceReported = false;
    if (answer.status === 401) {
      reader.signInsWereLost();
      return true;
    }
    this.#compare(lastBootOf(answer.json));
    return true;
  }

  #lookAtEquipment(): void {
    for (; this.#looked < this.#sightings.length; this.#looked++) {
      const one = this.#sightings[this.#looked];
      if (one === undefined || (one.what !== "down" && one.what !== "reset" && one.what !== "power-off"))
        continue;
      this.#restart(`${one.observer}: ${one.detail}`);
    }
  }

  #compare(bootMs: number | undefined): void {
    if (bootMs === undefined) return;
    const before = this.#lastBootMs;
    this.#lastBootMs = bootMs;
    if (before === undefined || Math.abs(bootMs - before) < sameBootMs) return;
    if (this.#clock.nowMs() - this.#countedMs < oneRestartMs) return;
    const text = `lastBootAt changed from ${iso(before)} to ${iso(bootMs)}`;
    if (this.#clock.nowMs() - this.#interruptedMs < oneRestartMs) this.#restart(text);
    else this.#reports.note(`${text}, and no connection was interrupted`);
  }

  #restart(text: string): void {
    if (this.#clock.nowMs() - this.#countedMs < oneRestartMs) return;
    this.counts.unordered += 1;
    this.#counted("unordered", text);
  }

  #counted(kind: "ordered" | "unordered", text = "the gateway rebooted as ordered"): void {
    this.#countedMs = this.#clock.nowMs();
    this.#bootedMs = this.#countedMs;
    this.#boot += 1;
    this.#reports[kind](text);
  }
}

function lastBootOf(json: unknown): number | undefined {
  const data = (json as { data?: { lastBootAt?: unknown } } | undefined)?.data;
  const ms = typeof data?.lastBootAt === "string" ? epochMsOf(data.lastBootAt) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
