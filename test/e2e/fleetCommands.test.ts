// The commands of a fleet as people and scripts use them: exit codes, JSON, and a password that is never printed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sha256 } from "../../record/index.ts";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
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
      stdout: expect.stringMatching(/up to date\nroles: rackproof_viewer, /),
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

test.skipIf(lacksPostgres())(
  "a run by labels delivers its lines, exit code and record; requests that wait are served by priority and within the limits",
  async () => {
    const own = await postgres?.create("runs");
    await using folder = await temporaryFolder();
    const environment = { RACKPROOF_DATABASE: own ?? "", RACKPROOF_LEASES: join(folder.path, "leases.db") };
    const command = (...words: string[]) => rackproof(words, environment);
    expect(await command("fleet", "init")).toMatchObject({ exitCode: 0 });
    const rack = join(folder.path, "lab.yaml");
    await writeFile(rack, "gateways:\n  left: { kind: process, labels: { model: X } }\n");
    const words = ["agent", "--rack", rack, "--lab", "berlin", "--out", join(folder.path, "agent")];
    await using _agent = await startUntil(words, /1 gateways listed/, environment);
    expect(await command("run", "--fleet")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("[FLEET_LABELS]"),
    });
    expect(await command("run", "--labels", "model=X", "--fault", "any")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("[FLEET_RUN_OPTION]"),
    });
    expect(await command("fleet", "limits", "--gateways", "1", "--minutes", "20")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/one owner at a time: 1\n.*20$/),
    });
    expect(await command("reserve", "berlin/left", "--minutes", "21")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("[FLEET_LIMIT]"),
    });
    expect(await command("reserve", "berlin/left", "--minutes", "5", "--owner", "me")).toMatchObject({
      exitCode: 0,
    });
    expect(await command("reserve", "--labels", "model=X", "--owner", "me")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("me has 1 gateways, the fleet allows at most 1"),
    });
    // A CI job waits longer than a person, who is served first all the same.
    const smoke = ["--level", "smoke", "--select", "services/listed-once", "--json"];
    const queued = async (owner: string, ...more: string[]) => {
      const waiting = command("run", "--labels", "model=X", "--owner", owner, ...smoke, ...more);
      await using database = await FleetDatabase.open(databaseAddress(own));
      await vi.waitFor(
        async () =>
          expect(await database.run("SELECT 1 FROM rackproof.claim WHERE owner = $1", [owner])).toBe(1),
        { timeout: 30_000, interval: 100 },
      );
      return { waiting };
    };
    const { waiting: job } = await queued("job", "--priority", "ci");
    const { waiting: person } = await queued("person", "--priority", "person");
    expect(await command("release", "berlin/left", "--owner", "me")).toMatchObject({ exitCode: 0 });
    const [second, first] = await Promise.all([job, person]);
    for (const { exitCode, stderr, stdout } of [first, second]) {
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: expect.stringMatching(
          /waiting: berlin\/left: in use by me[^]*berlin\/left is reserved for this run[^]*pass {2}services\/listed-once[^]*record: /,
        ),
      });
      expect(JSON.parse(stdout)).toMatchObject({ gateway: "berlin/left", exitCode: 0, reason: null });
    }
    const [ofPerson, ofJob] = [first, second].map(
      ({ stdout }) => JSON.parse(stdout) as { run: number; record: { address: string; sha256: string } },
    );
    expect(ofPerson?.run).toBeLessThan(ofJob?.run ?? 0);
    expect(await command("watch", "berlin/left", "--fleet")).toMatchObject({
      exitCode: 3,
      stdout: "berlin/left: no run is under way",
    });
    const record = ofJob?.record.address.replace(/^[^:]*:/, "") ?? "";
    expect(sha256(await readFile(join(record, "campaign.json")))).toBe(ofJob?.record.sha256);
    expect(await command("who")).toMatchObject({ stdout: "no gateway is in use" });
  },
);

test.skipIf(lacksPostgres())("the password of a gateway is nowhere in the database", async () => {
  const own = await postgres?.create("secrets");
  const secret = "Never-Stored-77!";
  await using folder = await temporaryFolder();
  const environment = {
    RACKPROOF_DATABASE: own ?? "",
    RACKPROOF_LEASES: join(folder.path, "leases.db"),
    RACKPROOF_PASSWORD: secret,
  };
  await using served = await startUntil(
    ["serve", "--port", "0", "--https-port", "0"],
    /^Reference gateway/,
    environment,
  );
  const address = /http:\S+?(?=\/api)/.exec(served.line)?.[0] ?? "";
  const profile = join(folder.path, "profile.yaml");
  const rack = join(folder.path, "lab.yaml");
  await writeFile(
    profile,
    "name: one\ncredentials: { name: admin, passwordEnvironment: RACKPROOF_PASSWORD }\n",
  );
  await writeFile(rack, `gateways:\n  left: { url: "${address}", profile: profile.yaml }\n`);
  expect(await rackproof(["fleet", "init"], environment)).toMatchObject({ exitCode: 0 });
  const agent = ["agent", "--rack", rack, "--lab", "berlin", "--out", join(folder.path, "agent")];
  await using _agent = await startUntil(agent, /1 gateways listed/, environment);
  const words = [
    "run",
    "berlin/left",
    "--fleet",
    "--level",
    "smoke",
    "--select",
    "users/password-by-id",
    "--json",
  ];
  const { stdout } = await rackproof(words, environment);
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0 });
  await using database = await FleetDatabase.open(databaseAddress(own));
  const tables = await database.rows(
    Type.Object({ name: Type.String() }),
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'rackproof%' ORDER BY 1`,
  );
  const names = tables.map(({ name }) => name);
  expect(names).toContain("rackproof.result");
  const holding = async (text: string): Promise<string[]> => {
    const found = await Promise.all(
      names.map((name) =>
        database.run(`SELECT 1 FROM ${name} AS one WHERE one::text LIKE $1`, [`%${text}%`]),
      ),
    );
    return names.filter((_, index) => found[index] !== 0);
  };
  expect(await holding("users/password-by-id")).toContain("rackproof.turn");
  expect(await holding(secret)).toEqual([]);
});
