// The lab's trouble: nothing that can be tested, a wrong password, a gateway that goes away. None of it is the gateway's verdict.
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { CampaignRecord } from "../../record/index.ts";
import { readCampaign } from "../../record/store.ts";
import { rackproof, startRackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";

const password = "Rp-health-check-1!";
const environment = { RACKPROOF_PASSWORD: password };
const profileText = "name: health\npatience: { bootMs: 2000, answerMs: 1500, settleMs: 2000 }\n";

/** A few cases on one gateway of its own. */
const smallRun = ["run", "process", "--parallel", "1", "--level", "smoke", "--select", "roles,users,events"];

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const own = text.split(" ").filter(Boolean).map(Number);
  return [...own, ...(await Promise.all(own.map(childrenOf))).flat()];
}

async function withProfile() {
  const folder = await temporaryFolder();
  const profile = join(folder.path, "p.yaml");
  await writeFile(profile, profileText);
  return { ...folder, profile, out: join(folder.path, "run") };
}

/** The reference gateway, served at an address of its own. */
async function serveGateway() {
  const words = ["serve", "--port", "0", "--https-port", "0"];
  const served = await startUntil(words, /Reference gateway/, environment);
  return Object.assign(served, { url: /http:\/\/[\d.:]+/.exec(served.line)?.[0] ?? "" });
}

async function caseEnded(out: string): Promise<void> {
  await vi.waitFor(
    async () => expect(await readFile(join(out, "live.jsonl"), "utf8")).toContain('"verdict":"pass"'),
    { timeout: 30_000, interval: 20 },
  );
}

function verdictsOf(record: CampaignRecord): ReadonlySet<string> {
  return new Set(record.cases.map(({ verdict }) => verdict));
}

test("a web server that is no gateway ends the run at once with one message", async () => {
  await using server = createServer((_request, response) => response.end("<h1>It works</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await using folder = await withProfile();
  const startedMs = performance.now();
  const { exitCode, stdout } = await rackproof(
    ["run", `http://127.0.0.1:${port}`, "--profile", folder.profile, "--out", folder.out],
    environment,
  );
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(exitCode).toBe(3);
  expect(stdout).toContain("No verdict: sign-in failed");
  expect(stdout).toMatch(/Expected: sign-in as admin answers 200 with a token\n +Found: 200 .*It works/);
  expect(stdout).toContain("Fix: ");
  expect(stdout).toMatch(/\d+ not run/);
  expect(stdout).not.toMatch(/declaration\//);
  const record = await readCampaign(folder.out);
  expect(record).toMatchObject({ complete: false, trouble: { kind: "health-check", part: "sign-in" } });
  expect(verdictsOf(record)).not.toContain("fail");
  const page = await readFile(join(folder.out, "report.html"), "utf8");
  expect(page).toContain("No verdict: sign-in failed");
  expect(page).not.toContain('id="inconclusive"');

  const gate = await rackproof(["gate", folder.out, "--json"]);
  expect(gate.exitCode).toBe(3);
  const { reasons, open } = JSON.parse(gate.stdout) as Record<"reasons" | "open", { kind: string }[]>;
  expect([reasons, open.map(({ kind }) => kind)]).toEqual([[], ["lab-trouble"]]);
  await rackproof(["key", "new", join(folder.path, "key")]);
  const certify = await rackproof(["certify", folder.out, "--key", join(folder.path, "key")]);
  expect(certify.exitCode).toBe(1);
  expect(certify.stderr).toContain("[LAB_TROUBLE]");
  expect(certify.stderr).not.toMatch(/RUN_INCOMPLETE|REQUIREMENT_UNDECIDED/);
});

test("an address where nothing listens ends the run within its patience", async () => {
  await using folder = await withProfile();
  const { exitCode, stdout } = await rackproof(
    ["run", "http://127.0.0.1:1", "--profile", folder.profile, "--out", folder.out],
    environment,
  );
  expect(exitCode).toBe(3);
  expect(stdout).toContain("No verdict: the gateway is not reachable");
  expect(stdout).toContain("Found: the connection was refused or closed");
});

test("a wrong password ends the run, and a night excludes the gateway for it", async () => {
  await using folder = await withProfile();
  await using served = await serveGateway();
  const { url } = served;
  const wrong = { RACKPROOF_PASSWORD: "Wrong-password-1!" };
  const run = await rackproof(["run", url, "--profile", folder.profile, "--out", folder.out], wrong);
  expect(run.exitCode).toBe(3);
  expect(run.stdout).toContain("No verdict: sign-in failed");
  expect(run.stdout).toContain("Fix: check credentials.name and the password of the profile");

  const rack = join(folder.path, "rack.yaml");
  await writeFile(rack, `gateways:\n  left: { url: "${url}", profile: p.yaml }\n`);
  const night = await rackproof(
    [
      "nightly",
      "--rack",
      rack,
      "--select",
      "declaration",
      "--level",
      "smoke",
      "--out",
      join(folder.path, "nights"),
      "--json",
    ],
    { ...wrong, RACKPROOF_LEASES: join(folder.path, "leases.db") },
  );
  expect(night.exitCode).toBe(3);
  const { gateways } = JSON.parse(night.stdout) as { gateways: { outcome: string; reason?: string }[] };
  expect(gateways).toMatchObject([{ outcome: "set-aside" }]);
  expect(gateways[0]?.reason).toMatch(
    /^sign-in: expected sign-in as admin answers 200 with a token, found 401/,
  );
});

test("a gateway process that is killed in mid-run is an error with its last lines, and no case fails", async () => {
  await using folder = await withProfile();
  // One of the cases takes seconds: it is under way when the gateway is killed.
  const words = ["--level", "nightly", "--select", "roles,log/no-limit-keeps-lines"];
  const run = startRackproof(["run", "process", "--parallel", "1", ...words, "--out", folder.out]);
  await caseEnded(folder.out);
  const processes = await childrenOf(run.pid ?? 0);
  for (const pid of processes) process.kill(pid, "SIGKILL");
  const { exitCode } = await run;
  expect(exitCode).toBe(3);
  const record = await readCampaign(folder.out);
  expect(record).toMatchObject({ complete: false, trouble: { kind: "gateway-lost" } });
  expect(record.trouble?.found).toMatch(/the gateway's process ended unexpectedly \(SIGKILL\): ./);
  expect(record.trouble?.since).toMatch(/^\d{4}-/);
  expect(verdictsOf(record)).not.toContain("fail");
  expect(record.cases.filter(({ reasonCode }) => reasonCode === "gateway-ended").length).toBeGreaterThan(0);
  expect(record.cases.some(({ verdict }) => verdict === "pass")).toBe(true);
});

test("a gateway that does not boot again is lost, and the last lines of its console say why", async () => {
  await using folder = await withProfile();
  const run = startRackproof([...smallRun, "--profile", folder.profile, "--out", folder.out], environment);
  await caseEnded(folder.out);
  const [board = 0, ...gateways] = await childrenOf(run.pid ?? 0);
  const words = (await readFile(`/proc/${board}/cmdline`, "utf8")).split("\0");
  const state = words[words.indexOf("--state") + 1] ?? "";
  // An empty boot record names no system.
  await writeFile(join(state, "slots", "boot.json"), "");
  for (const pid of gateways) process.kill(pid, "SIGKILL");
  expect((await run).exitCode).toBe(3);
  const record = await readCampaign(folder.out);
  expect(record).toMatchObject({ complete: false, trouble: { kind: "gateway-lost", part: "reachable" } });
  expect(record.trouble?.found).toMatch(/^no answer within 2000 ms; its console's last lines: .*JSON/);
});

test.for(["SIGKILL", "SIGSTOP"] as const)(
  "a gateway at a URL that is gone for good (%s) ends the run with the time of the loss",
  async (signal) => {
    await using folder = await withProfile();
    await using served = await serveGateway();
    const { url } = served;
    const words = [
      "run",
      url,
      "--profile",
      folder.profile,
      "--level",
      "smoke",
      "--select",
      "roles,users,events",
      "--out",
      folder.out,
    ];
    const run = startRackproof(words, environment);
    await caseEnded(folder.out);
    const gateways = await childrenOf(served.pid ?? 0);
    for (const pid of gateways) process.kill(pid, signal);
    try {
      expect((await run).exitCode).toBe(3);
    } finally {
      if (signal === "SIGSTOP") for (const pid of gateways) process.kill(pid, "SIGCONT");
    }
    const record = await readCampaign(folder.out);
    expect(record).toMatchObject({ complete: false, trouble: { kind: "gateway-lost", part: "reachable" } });
    expect(record.trouble?.since).toMatch(/^\d{4}-/);
    expect(verdictsOf(record)).not.toContain("fail");
    expect(record.cases.some(({ verdict }) => verdict === "pass")).toBe(true);
    const summary = await readFile(join(folder.out, "summary.md"), "utf8");
    expect(summary).toMatch(/^## ❔ No verdict: the gateway was lost$/m);
  },
);
