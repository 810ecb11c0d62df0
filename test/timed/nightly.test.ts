// The night as a command: killed and recovered, watched, and its gateways held meanwhile.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { History } from "../../workflows/history/history.ts";
import { readTrend } from "../../workflows/history/trend.ts";
import {
  processesOf,
  rackproof,
  startRackproof,
  startUntil,
  temporaryFolder,
} from "../support/commandLine.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let nights: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  nights = join(folder.path, "nights");
  environment = { RACKPROOF_LEASES: join(folder.path, "leases.db") };
  const rack =
    "gateways:\n  left: { kind: process }\n  right: { kind: process }\n  gone: { url: 'http://127.0.0.1:1', profile: none.yaml }\n";
  await writeFile(join(folder.path, "rack.yaml"), rack);
});

afterAll(() => folder[Symbol.asyncDispose]());

const words = (...more: string[]): string[] => [
  "nightly",
  "--rack",
  join(folder.path, "rack.yaml"),
  "--out",
  nights,
  "--level",
  "smoke",
  ...more,
];

async function newestNight(): Promise<string> {
  const names = (await readdir(nights)).filter((name) => /^\d/.test(name)).toSorted();
  return join(nights, names.at(-1) ?? "");
}

test("a night that is killed keeps its list, and leaves no run behind and nothing held", async () => {
  const victim = startRackproof(words("--select", "services,users,log", "--parallel", "2"), environment);
  await vi.waitFor(
    async () => {
      const told = await readFile(join(await newestNight(), "left/attempt-1/live.jsonl"), "utf8");
      expect(told).toContain('"kind":"finished"');
    },
    { timeout: 40_000, interval: 50 },
  );
  const held = await rackproof(
    ["run", "left", "--rack", join(folder.path, "rack.yaml"), "--out", join(folder.path, "other")],
    environment,
  );
  expect(held).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /gateway left: in use by rackproof nightly, process \d+ since .* \[GATEWAY_HELD\]/,
    ),
  });
  victim.kill("SIGKILL");
  await victim;
  await vi.waitFor(async () => expect(await processesOf(nights)).toEqual([]), { timeout: 60_000 });

  const next = await rackproof(words("--select", "services/listed-once", "--json"), environment);
  expect(next.stderr).toMatch(/the night of .* was killed; its results so far are stored/);
  const result = JSON.parse(next.stdout) as {
    exitCode: number;
    gateways: { gateway: string; outcome: string }[];
  };
  expect(next.exitCode).toBe(3);
  expect(result.gateways.map(({ gateway, outcome }) => `${gateway} ${outcome}`).toSorted()).toEqual([
    "gone set-aside",
    "left conformant",
    "right conformant",
  ]);
  using history = new History(join(nights, "history.db"));
  const { nights: columns, gateways } = readTrend(history, 2);
  expect(columns.map(({ state }) => state)).toEqual(["killed", "finished"]);
  const left = gateways.find(({ name }) => name === "left");
  expect(
    left?.cases.get("users/names-are-unique")?.[0] ?? left?.cases.get("services/listed-once")?.[0],
  ).toMatchObject({
    outcome: "not-concluded",
    reason: expect.stringContaining("the night ended before"),
  });
});

test("a night is watched from its folder, by this machine alone, and cannot be changed", async () => {
  await using server = await startUntil(["watch", await newestNight()], /is shown at/);
  const url = /http:\S+\//.exec(server.line)?.[0] ?? "";
  await vi.waitFor(
    async () => {
      const state = (await (await fetch(`${url}state`)).json()) as { turns: { state: string }[] };
      expect(state.turns.map((turn) => turn.state).toSorted()).toEqual(["done", "done", "set-aside"]);
    },
    { timeout: 20_000, interval: 100 },
  );
  const events = await fetch(`${url}events`);
  const reader = events.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  expect(new TextDecoder().decode(first?.value)).toMatch(/^event: state\ndata: \{/);
  const page = await fetch(url);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*connect-src 'self'/);
  expect([(await fetch(url, { method: "POST" })).status, await statusUnderName(url, "evil.example")]).toEqual(
    [405, 403],
  );
});

/** The status under another name, as a browser would ask that was led here. */
function statusUnderName(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

test("what cannot be used is refused in one line", async () => {
  const refused = await Promise.all([
    rackproof(["nightly", "--rack", join(folder.path, "none.yaml")], environment),
    rackproof(words("--select", "nonsense"), environment),
    rackproof(["watch", folder.path], environment),
  ]);
  expect(refused.map(({ exitCode, stderr }) => [exitCode, /\[(\w+)\]\s*$/.exec(stderr)?.[1]])).toEqual([
    [2, "RACK_UNREADABLE"],
    [2, "SELECT_NOTHING"],
    [2, "WATCH_FOLDER"],
  ]);
});
