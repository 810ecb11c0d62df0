// How an emulated gateway's reboots are seen: against the emulator's own time stamps, and how fast it comes up.
import { randomBytes } from "node:crypto";
import { monotonicClock } from "../harness/clock.ts";
import { watchForRestart } from "../harness/measurement/restartWatch.ts";
import { isProgram } from "../rigs/host/boundChild.ts";
import type { RunningGateway } from "../rigs/gateway/gateway.ts";
import { architectureOf } from "../rigs/qemu/architecture.ts";
import { qemuImage } from "../rigs/qemu/image.ts";
import { startQemuGateway } from "../rigs/qemu/qemuGateway.ts";
import { type BenchRow, median, notMeasured, outcomeOf } from "./table.ts";

/** A reboot takes as long as a boot: a hundred of them take a quarter of an hour. */
const trials = Number(process.env["BENCH_RESETS"] ?? 10);
const longestUpMs = 400;

const titles = {
  ready: "emulated gateway, from start to the interface answering",
  inside: "reboots of an emulated gateway: intervals that hold the emulator's stamp",
  width: "width of the interval, 99 of 100",
  ahead: "first sign on the network before the emulator's stamp",
};

interface Trial {
  readonly isInside: boolean;
  readonly widthMs: number;
  /** From the first sign on the network to the emulator's stamp. */
  readonly aheadMs: number;
}

export async function benchQemuReset(): Promise<BenchRow[]> {
  const { emulator, emulatorPackage } = architectureOf();
  if (!isProgram(emulator)) return Object.values(titles).map((what) => notMeasured(what, emulatorPackage));
  // Made beforehand: the image is not what is timed.
  await qemuImage(architectureOf());
  const adminPassword = `Bench-${randomBytes(6).toString("hex")}`;
  const startedMs = performance.now();
  await using gateway = await startQemuGateway({ adminPassword, bootDeadlineMs: 120_000 });
  const readySec = (performance.now() - startedMs) / 1000;
  const results: Trial[] = [];
  for (let number = 0; number < trials; number++) results.push(await trial(gateway, adminPassword, number));
  const inside = results.filter(({ isInside }) => isInside).length;
  const widths = results.map(({ widthMs }) => widthMs).toSorted((a, b) => a - b);
  const widest = widths[Math.ceil(widths.length * 0.99) - 1] ?? Number.NaN;
  const ahead = results.map(({ aheadMs }) => aheadMs).toSorted((a, b) => a - b);
  const none = { peer: "-", ratio: "-" };
  return [
    {
      ...none,
      what: titles.ready,
      measured: `${readySec.toFixed(1)} s`,
      limit: "at most 8 s",
      outcome: outcomeOf(readySec <= 8),
    },
    {
      ...none,
      what: titles.inside,
      measured: `${inside} of ${trials}`,
      limit: `${trials}`,
      outcome: outcomeOf(inside === trials),
    },
    {
      ...none,
      what: titles.width,
      measured: `${widest.toFixed(1)} ms (median ${median(widths).toFixed(1)})`,
      limit: "at most 60 ms",
      outcome: outcomeOf(widest <= 60),
    },
    {
      ...none,
      what: titles.ahead,
      measured: `${ahead[0]?.toFixed(1) ?? "-"} to ${ahead.at(-1)?.toFixed(1) ?? "-"} ms`,
      limit: "-",
      outcome: "no limit",
    },
  ];
}

async function trial(gateway: RunningGateway, password: string, number: number): Promise<Trial> {
  const { baseUrl, sightings = [] } = gateway;
  const token = await signIn(baseUrl, password);
  const url = (): URL => new URL(`${baseUrl}/api/v1/system/reboot`);
  const common = { clock: monotonicClock, url, everyMs: 10, probeDeadlineMs: 1000 };
  const signal = new AbortController().signal;
  await using watch = watchForRestart({ ...common, signal, sightings });
  await monotonicClock.delay(100 + ((number * 37) % longestUpMs));
  const known = sightings.length;
  await fetch(url(), {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ now: true }),
  }).catch(() => undefined);
  const down = await watch.wentDown(10_000);
  const stamp = sightings.slice(known).find(({ what }) => what === "reset");
  await watch.restarted({ downWithinMs: 1000, upWithinMs: 60_000 });
  if (down === undefined || stamp === undefined)
    return { isInside: false, widthMs: Number.POSITIVE_INFINITY, aheadMs: Number.NaN };
  return {
    isInside: down.low <= stamp.at.high && stamp.at.high <= down.high,
    widthMs: down.high - down.low,
    aheadMs: stamp.at.high - Math.min(...down.seenBy.filter(isNetwork).map(({ high }) => high)),
  };
}

const isNetwork = ({ observer }: { readonly observer: string }): boolean => observer !== "emulator";

async function signIn(baseUrl: string, password: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/auth`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "admin", password, acceptEULA: true }),
  });
  const body = (await answer.json()) as { data?: { token?: unknown } };
  const token = body.data?.token;
  if (typeof token !== "string") throw new Error(`signing in was answered ${answer.status}`);
  return token;
}
