// A fleet as processes: agents with their own racks and leases, one PostgreSQL, and failures in mid-night.
// RACKPROOF_GATEWAYS sets the gateways of each lab in the night with all failures.
import { glob } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { expect, test, vi } from "vitest";
import { readCampaign, readExchanges } from "../../record/index.ts";
import { readLive } from "../../workflows/live/readLive.ts";
import { processesOf } from "../support/commandLine.ts";
import { Labs, outcomes } from "../support/labs.ts";
import { lacksPostgres } from "../support/postgres.ts";

const oneCase = "services/listed-once";
const gateways = Number(process.env["RACKPROOF_GATEWAYS"] ?? 3);
/** Tests that wait most of the time. */
const atTheSameTime = { concurrent: true, timeout: 300_000 };

test.skipIf(lacksPostgres())(
  "a run of a suspended agent stops acting when its hold expires, and the gateway is free then",
  async () => {
    await using labs = await Labs.make({ d: 1 });
    await labs.start("d", ["--hold-sec", "9"]);
    const [result, fence] = await Promise.all([
      labs.night("services,users,roles,log,events,settings"),
      (async () => {
        const number = await labs.runBegins("d/g0");
        const live = join(labs.out("d"), `night-1/hold-${number}/g0/attempt-1`);
        await vi.waitFor(async () => expect((await passedCases(live)).length).toBeGreaterThan(0), {
          timeout: 30_000,
          interval: 50,
        });
        labs.signal("d", "SIGSTOP");
        await vi.waitFor(
          async () =>
            expect(await labs.run("reserve", "d/g0", "--owner", "next")).toMatchObject({ exitCode: 0 }),
          { timeout: 30_000, interval: 100 },
        );
        // The run ends by itself: it cannot act any more.
        await vi.waitFor(async () => expect(await processesOf(live)).toEqual([]), {
          timeout: 30_000,
          interval: 100,
        });
        labs.signal("d", "SIGCONT");
        return number;
      })(),
    ]);
    expect(result).toMatchObject({ exitCode: 3, gateways: [{ gateway: "d/g0", outcome: "incomplete" }] });
    // The run wrote its record in spite of its end.
    await readCampaign(join(labs.out("d"), `night-1/hold-${fence}/g0/attempt-1`));
    const [expired] = await labs.database.rows(
      Type.Object({ ended_ms: Type.Number(), ending: Type.String() }),
      "SELECT (extract(epoch FROM ended_at) * 1000)::float8 AS ended_ms, ending FROM rackproof.past_hold WHERE fence = $1",
      [fence],
    );
    expect(expired?.ending).toBe("expired");
    // A case that has sent its last request may still wait for what must not come.
    const lastMs = await lastRequestMs(join(labs.out("d"), `night-1/hold-${fence}/g0/attempt-1`));
    const endedMs = expired?.ended_ms ?? 0;
    expect(lastMs).toBeGreaterThan(endedMs - 30_000);
    expect(lastMs).toBeLessThan(endedMs + 300);
    expect(await labs.overlaps()).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a night over three labs ends with every result once when two agents are killed and one of them starts anew",
  atTheSameTime,
  async () => {
    await using labs = await Labs.make({ a: 3, b: 2, c: 2 });
    await Promise.all(["a", "b", "c"].map((lab) => labs.start(lab)));
    const reserved = await labs.run("reserve", "--labels", "site=a,model=m2", "--owner", "someone");
    expect(reserved).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^a\/g2 reserved until /),
    });
    const [result, killed] = await Promise.all([
      labs.night(oneCase, "--wait-min", "0", "--silent-min", "1"),
      (async () => {
        const fence = await labs.runBegins("c/g0");
        await labs.end("c", "SIGKILL");
        await labs.start("c");
        await labs.runBegins("b/g0");
        await labs.end("b", "SIGKILL");
        return fence;
      })(),
    ]);
    expect(result.exitCode).toBe(3);
    expect(outcomes(result)).toEqual([
      "a/g0 conformant",
      "a/g1 conformant",
      expect.stringMatching(/^a\/g2 set-aside: in use by someone since /),
      expect.stringMatching(/^b\/g0 (set-aside: .*no sign of life.*|conformant)$/),
      expect.stringMatching(/^b\/g1 (set-aside: .*no sign of life.*|conformant)$/),
      "c/g0 conformant",
      "c/g1 conformant",
    ]);
    const results = await labs.countResults(result.night);
    expect(results.map(({ gateway, results: count }) => `${gateway} ${count}`)).toEqual(
      outcomes(result)
        .filter((line) => line.endsWith(" conformant"))
        .map((line) => line.replace(" conformant", " 1")),
    );
    expect(results.find(({ gateway }) => gateway === "c/g0")?.fence).toBeGreaterThan(killed);
    expect(await labs.overlaps()).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a night with a killed, a suspended and a cut-off agent and a database that restarts ends with every result once",
  atTheSameTime,
  async () => {
    await using labs = await Labs.make({ a: gateways, b: gateways, c: gateways });
    const way = await labs.cuttable();
    await Promise.all([
      // The runs that it begins anew outlast the time without the database, also on a busy machine.
      labs.start("a", ["--hold-sec", "45"]),
      labs.start("b", ["--hold-sec", "20"]),
      // Its runs are to end while it is cut off, also on a busy machine.
      labs.start("c", ["--hold-sec", "120"], way.url),
    ]);
    // Its run is to begin when the database is about to go, however long the others take.
    const last = `a/g${gateways - 1}`;
    expect(await labs.run("reserve", last, "--owner", "someone")).toMatchObject({ exitCode: 0 });
    const [result] = await Promise.all([
      labs.night(oneCase),
      (async () => {
        await Promise.all(["a/g0", "b/g0", "c/g0"].map((gateway) => labs.runBegins(gateway)));
        way.cut();
        labs.signal("b", "SIGSTOP");
        await labs.end("a", "SIGKILL");
        await labs.database.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
        );
        await labs.start("a");
        await labs.turnsEnd(1 / (3 * gateways));
        await labs.resultsWait("c");
        expect(await labs.run("release", last, "--owner", "someone")).toMatchObject({ exitCode: 0 });
        await labs.runBegins(last);
        await labs.postgres.stop();
        // Runs end while the database is away or cut off, and their results wait on the disk.
        await labs.resultsWait("a");
        await labs.postgres.start();
        await labs.isFree("b/g0");
        way.heal();
        labs.signal("b", "SIGCONT");
      })(),
    ]);
    const names = ["a", "b", "c"]
      .flatMap((lab) => Array.from({ length: gateways }, (_, one) => `${lab}/g${one}`))
      .toSorted();
    expect(outcomes(result)).toEqual(names.map((name) => `${name} conformant`));
    expect(
      (await labs.countResults(result.night)).map(({ gateway, results }) => `${gateway} ${results}`),
    ).toEqual(names.map((name) => `${name} 1`));
    expect(await labs.overlaps()).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a gateway whose run is cancelled, killed or ended by another person is free within a minute",
  atTheSameTime,
  async () => {
    await using labs = await Labs.make({ e: 3 });
    await labs.start("e", ["--parallel", "3"]);
    // A minute and more: longer than the others take to begin, also on a busy machine.
    const groups = "services,users,roles,log,events,settings,configuration,reboot,reset,httpserver,upgrade";
    const words = ["--select", groups, "--level", "nightly", "--seed", "7"];
    const commands = [0, 1, 2].map((one) =>
      labs.begin("run", `e/g${one}`, "--fleet", "--owner", `job ${one}`, ...words),
    );
    const [cancelled, killed, kicked] = commands;
    await Promise.all([0, 1, 2].map((one) => labs.runBegins(`e/g${one}`)));
    const atMs = [Date.now(), Date.now(), 0];
    cancelled?.kill("SIGINT");
    killed?.kill("SIGKILL");
    expect(await labs.run("release", "e/g2", "--owner", "another")).toMatchObject({ exitCode: 2 });
    const released = await labs.run("release", "e/g2", "--owner", "another", "--force");
    atMs[2] = Date.now();
    expect(released).toMatchObject({ exitCode: 0 });
    await Promise.all([0, 1, 2].map((one) => labs.isFree(`e/g${one}`)));
    const ends = await labs.database.rows(
      Type.Object({ ended_ms: Type.Number() }),
      "SELECT (extract(epoch FROM ended_at) * 1000)::float8 AS ended_ms FROM rackproof.past_hold ORDER BY gateway",
    );
    const tookMs = ends.map(({ ended_ms }, index) => ended_ms - (atMs[index] ?? 0));
    expect(tookMs).toHaveLength(3);
    expect(tookMs.filter((ms) => ms > 60_000)).toEqual([]);
    expect((await cancelled)?.exitCode).toBe(130);
    expect((await kicked)?.exitCode).toBe(3);
    // It uses the wires no more; the agent and the run have to be scheduled for that.
    for await (const folder of glob("**/g2/attempt-1", { cwd: labs.out("e") })) {
      const events = await readLive(join(labs.out("e"), folder));
      const uses = events.filter(({ kind }) => kind === "started" || kind === "console");
      expect(uses.filter(({ at }) => at > (atMs[2] ?? 0) + 15_000)).toEqual([]);
    }
    expect(await labs.overlaps()).toEqual([]);
  },
);

/** When each case passed, by the clock of this machine. */
async function passedCases(run: string): Promise<number[]> {
  const events = await readLive(run);
  return events.flatMap((event) => (event.kind === "finished" && event.verdict === "pass" ? [event.at] : []));
}

/** When the cases that passed sent their last request, in milliseconds since 1970. */
async function lastRequestMs(run: string): Promise<number> {
  const events = await readLive(run);
  const passed = events.flatMap((event) =>
    event.kind === "finished" && event.verdict === "pass" ? [event.case] : [],
  );
  const times = await Promise.all(
    passed.map(async (id) => {
      const sentMs = (await readExchanges(run, id)).map(({ startedMs }) => startedMs);
      const [begun] = events.flatMap((event) =>
        event.kind === "started" && event.case === id ? [event.at] : [],
      );
      return sentMs.length === 0 || begun === undefined ? [] : [{ sentMs, begun }];
    }),
  );
  // Requests count on the clock of the run; a first request follows the beginning of its case, the closest one at once.
  const clockMs = Math.max(...times.flat().map(({ sentMs, begun }) => begun - Math.min(...sentMs)));
  return clockMs + Math.max(...times.flat().flatMap(({ sentMs }) => sentMs));
}
