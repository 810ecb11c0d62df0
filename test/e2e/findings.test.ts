// A gateway that goes wrong on single odd inputs is caught by hostile input, and the smallest request is shown.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../harness/record/store.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { startFaultyProxy } from "../support/faultyProxy.ts";

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
  await using proxy = await startFaultyProxy(gateway.baseUrl, [
    {
      when: ({ url, body }) => url.endsWith("/events") && /"message":"[^"]{300}/.test(body),
      what: { status: 500 },
    },
    {
      when: ({ method, url }) => method === "GET" && url.includes("/roles/") && url.includes("%00"),
      what: "cut",
    },
    {
      when: ({ method, url, body }) =>
        method === "PUT" && url.endsWith("/sshserver") && body.includes('"port":null'),
      what: { applies: '{"enable":true,"port":2345}' },
    },
  ]);
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

  // None of it is stated by the interface, so that it is reported and does not decide.
  expect(stderr).not.toMatch(/^error/m);
  expect(exitCode).toBe(0);
  const record = await readCampaign(out);
  const found = record.cases.find(({ id }) => id === "hostile/requests");
  const failed = found?.checks.filter(({ verdict }) => verdict === "fail") ?? [];
  process.stderr.write(failed.map(({ what, observed }) => `${what} :: ${observed}\n`).join(""));
  expect(failed.map(({ requirement }) => requirement).toSorted()).toEqual([
    "CORE-ROBUST-01",
    "CORE-ROBUST-02",
    "CORE-ROBUST-03",
  ]);
  const [server, cut, state] = failed
    .toSorted((a, b) => a.requirement.localeCompare(b.requirement))
    .map(({ what }) => what);
  expect(server).toMatch(/^createEvent, long text: status 500; /);
  expect(server).toMatch(/"message":"'"\$\(printf '%\*s' 300 /);
  expect(server).not.toContain("origin");
  expect(cut).toMatch(/^getRole, path trick: connection closed without an answer; .*%00/);
  expect(state).toMatch(/^setSsh, wrong type: refused, and yet ssh changed; .*"port":null/);
  expect(found?.curl).toMatch(/^curl /);
});
