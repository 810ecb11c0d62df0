// Gateways that go wrong on single odd inputs, or when several clients ask at once, are caught, and shown what shows it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import {
  answerStale,
  answerWith,
  applyFirst,
  cutConnection,
  goDown,
} from "../../alterations/proxy/exchanges.ts";
import { startProxy } from "../../alterations/proxy/proxy.ts";

const adminPassword = "Findings-1!";
const profileText = [
  "name: a gateway with mistakes",
  "credentials: { name: admin, passwordEnvironment: FINDINGS_PASSWORD }",
  "tokenLifetimeSec: 3600",
  "binding: { extensions: [deleteRole, deleteUser, deleteUpgradeJob] }",
  "",
].join("\n");

test("hostile input finds a 500, a cut connection and a refused write that took effect, and shrinks them", async () => {
  await using gateway = await startProcessGateway({ adminPassword });
  await using proxy = await startProxy(gateway.baseUrl, (at) => {
    at.exchange(
      ({ method, url, body }) => method === "POST" && url.endsWith("/events") && /(.)\1{299}/su.test(body),
      answerWith(500),
    );
    at.exchange(({ method, url }) => method === "GET" && /\/roles\/[^?]*%[^?]/.test(url), cutConnection);
    at.exchange(
      ({ method, url, body }) => method === "PUT" && url.endsWith("/sshserver") && /"port":[^0-9]/.test(body),
      applyFirst('{"enable":true,"port":2345}'),
    );
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, profileText);
  const out = join(folder.path, "run");

  const words = [
    "run",
    proxy.url,
    "--profile",
    profile,
    "--select",
    "hostile/requests",
    "--seed",
    "5",
    "--out",
    out,
  ];
  const { exitCode, stderr } = await rackproof([...words, "--json"], { FINDINGS_PASSWORD: adminPassword });

  // None of it is stated by the interface: the run gives advice, and no stated requirement was tested.
  expect(stderr).not.toMatch(/^error/m);
  expect(exitCode).toBe(0);
  const record = await readCampaign(out);
  const found = record.cases.find(({ id }) => id === "hostile/requests");
  const failed = found?.checks.filter(({ verdict }) => verdict === "advice") ?? [];
  const shown = Map.groupBy(failed, ({ requirement }) => requirement);
  const whatOf = (requirement: string): string[] => shown.get(requirement)?.map(({ what }) => what) ?? [];
  expect([...shown.keys()].toSorted()).toEqual(["CORE-ROBUST-01", "CORE-ROBUST-02", "CORE-ROBUST-03"]);
  expect(
    whatOf("CORE-ROBUST-01").every((what) => what.startsWith("effect of a request to createEvent with ")),
  ).toBe(true);
  const long = whatOf("CORE-ROBUST-01").find((what) => what.includes("a long text: status 500"));
  // 300 is the smallest length that shows it, and no other member is needed.
  expect(long).toMatch(/curl .*--data-binary '\{"\w+":"'"\$\(printf '%\*s' 300 '' \| tr ' ' 'a'\)"'"\}'$/);
  expect(whatOf("CORE-ROBUST-02")[0]).toMatch(
    /Role\w* with an unusual path: connection closed without an answer; .*roles\/.*%/,
  );
  const smallest = /to setSsh with .*: rejected, but ssh changed; .*--data-binary '\{"port":[^0-9]/;
  expect(whatOf("CORE-ROBUST-03").filter((what) => !smallest.test(what))).toEqual([]);
  expect(found?.curl).toMatch(/^curl /);
});

test("a gateway that now and then answers with what it held before is caught by clients side by side", async () => {
  await using gateway = await startProcessGateway({ adminPassword });
  await using proxy = await startProxy(gateway.baseUrl, (at) => {
    at.exchange(({ method, url }) => method === "GET" && /\/tags\/access\//.test(url), answerStale());
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, profileText);
  const out = join(folder.path, "run");

  const words = ["run", proxy.url, "--profile", profile, "--select", "concurrency/one-value", "--out", out];
  const { exitCode } = await rackproof([...words, "--json"], { FINDINGS_PASSWORD: adminPassword });

  expect(exitCode).toBe(0);
  const record = await readCampaign(out);
  const checks = record.cases.find(({ id }) => id === "concurrency/one-value")?.checks ?? [];
  const failed = checks.filter(({ verdict }) => verdict === "advice");
  expect(failed.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^reads and writes of the value of a virtual tag by several clients /),
  ]);
  expect(failed[0]?.observed).toMatch(
    /^no such order for these operations, initial value "1": .*client \d wrote .*client \d read /,
  );
});

test("a gateway that one request ends is waited for, and only that request is named", async () => {
  await using gateway = await startProcessGateway({ adminPassword });
  await using proxy = await startProxy(gateway.baseUrl, (at) => {
    at.exchange(({ method, body }) => method === "POST" && body.includes("__proto__"), goDown(400));
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, profileText);
  const out = join(folder.path, "run");

  const words = [
    "run",
    proxy.url,
    "--profile",
    profile,
    "--select",
    "hostile/requests",
    "--seed",
    "3",
    "--out",
    out,
  ];
  await rackproof([...words, "--json"], { FINDINGS_PASSWORD: adminPassword });

  const record = await readCampaign(out);
  const checks = record.cases.find(({ id }) => id === "hostile/requests")?.checks ?? [];
  const failed = checks.filter(({ verdict }) => verdict === "advice").map(({ what }) => what);
  expect(failed.length).toBeGreaterThan(0);
  // Requests at the same time lost their connection too, and are not reported.
  expect(failed.filter((what) => !/__proto__/.test(what) || what.includes("observed once"))).toEqual([]);
});
