// The commands of a fleet as people and scripts use them: exit codes, JSON, and a password that is never printed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";
import { lacksPostgres, type Postgres, startPostgres } from "../support/postgres.ts";

let postgres: Postgres | undefined;
let url = "";

beforeAll(async () => {
  if (lacksPostgres()) return;
  postgres = await startPostgres();
  url = await postgres.create("commands");
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** Everything that was printed is without the password. */
async function fleet(
  ...words: string[]
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const answer = await rackproof(words, { RACKPROOF_DATABASE: url });
  expect(`${answer.stdout}${answer.stderr}`).not.toContain(postgres?.password ?? "no password");
  return answer;
}

test("what cannot be used is reported in one line, with its code and remedy", async () => {
  const none = await rackproof(["who"], { RACKPROOF_DATABASE: "" });
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^rackproof: .* Fix: set RACKPROOF_DATABASE .* \[FLEET_DATABASE_MISSING\]$/,
    ),
  });
  const away = "postgres://me:hidden-word@127.0.0.1:1/fleet";
  const silent = await rackproof(["fleet", "init", "--database", away]);
  expect(silent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("[FLEET_UNREACHABLE]") });
  const examined = await rackproof(["fleet", "doctor", "--json"], { RACKPROOF_DATABASE: away });
  expect(examined.exitCode).toBe(3);
  expect(JSON.parse(examined.stdout)).toMatchObject({
    ok: false,
    findings: [{ what: "database", ok: false }],
  });
  for (const { stdout, stderr } of [silent, examined])
    expect(`${stdout}${stderr}`).not.toContain("hidden-word");
  const both = await rackproof(["nightly", "--fleet", "--rack", "lab.yaml"]);
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("[FLEET_NIGHT_TARGET]") });
});

test.skipIf(lacksPostgres())(
  "a gateway is reserved by labels, shown, and released by its owner",
  async () => {
    await using folder = await temporaryFolder();
    expect(await fleet("who")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("[FLEET_NOT_INITIALISED]"),
    });
    expect(await fleet("fleet", "init")).toMatchObject({ exitCode: 0 });
    expect(await fleet("fleet", "init")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/up to date$/),
    });
    const rack = join(folder.path, "lab.yaml");
    await writeFile(
      rack,
      "gateways:\n  left: { kind: process, labels: { model: X } }\n  broken: { kind: process, profile: none.yaml }\n",
    );
    await using agent = await startUntil(
      ["agent", "--rack", rack, "--lab", "berlin", "--labels", "site=B", "--out", join(folder.path, "agent")],
      /2 gateways listed/,
      { RACKPROOF_DATABASE: url, RACKPROOF_LEASES: join(folder.path, "leases.db") },
    );
    expect(agent.line).not.toContain(postgres?.password);

    const status = JSON.parse((await fleet("fleet", "status", "--json")).stdout) as object;
    expect(status).toMatchObject({
      labs: [{ lab: "berlin", state: "running", gateways: 2 }],
      gateways: [
        { gateway: "berlin/broken", state: "unusable", health: expect.stringContaining("none.yaml") },
        { gateway: "berlin/left", state: "available", labels: { site: "B", model: "X" }, heldBy: null },
      ],
    });
    const taken = await fleet(
      "reserve",
      "--labels",
      "model=X,site=B",
      "--minutes",
      "5",
      "--owner",
      "me",
      "--json",
    );
    expect(taken.exitCode).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      reserved: true,
      gateway: "berlin/left",
      lab: "berlin",
      hold: 1,
    });
    expect(await fleet("reserve", "--labels", "site=B")).toMatchObject({
      exitCode: 3,
      stdout: "no gateway is free",
      stderr: expect.stringMatching(/berlin\/left: in use by me since .*/),
    });
    expect(await fleet("reserve", "--labels", "site=nowhere")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("[FLEET_GATEWAY_UNKNOWN]"),
    });
    expect(JSON.parse((await fleet("who", "--json")).stdout)).toMatchObject([
      { gateway: "berlin/left", owner: "me" },
    ]);
    expect(await fleet("release", "berlin/left", "--owner", "you")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/in use by me since .* \[FLEET_HOLD_UNKNOWN\]/),
    });
    expect(await fleet("release", "berlin/left", "--owner", "me")).toMatchObject({ exitCode: 0 });
    expect(await fleet("who")).toMatchObject({ exitCode: 0, stdout: "no gateway is in use" });
    const out = join(folder.path, "page");
    const page = await fleet("fleet", "page", "--out", out, "--json");
    expect(page.exitCode).toBe(0);
    expect(JSON.parse(page.stdout)).toMatchObject({
      page: join(out, "index.html"),
      nights: [],
      gateways: [
        { gateway: "berlin/broken", stale: true },
        { gateway: "berlin/left", stale: true },
      ],
      findings: [],
    });
    expect(await readFile(join(out, "index.html"), "utf8")).toMatch(
      /0 of 2 gateways conformant[^]*No night yet/,
    );
    expect(await fleet("fleet", "doctor")).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/works {3}lab berlin: running[^]*broken {2}gateway berlin\/broken: /),
    });
  },
);
