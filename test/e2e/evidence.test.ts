// The record of a run from the lab to the public: verified, changed, judged again, and redacted.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

const password = "Evidence-walk-1!";
const profileText = [
  "name: my gateway",
  "credentials: { name: admin, passwordEnvironment: MY_GATEWAY_PASSWORD }",
  'redact: [listServices, "*Role*"]',
  "",
].join("\n");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const place = (name: string): string => join(folder.path, name);

async function run(out: string): Promise<void> {
  await using gateway = await startProcessGateway({ adminPassword: password });
  const words = ["--profile", place("my-gateway.yaml"), "--level", "smoke", "--key", place("lab.key")];
  const select = ["--select", "services/listed-once,roles/list-and-get-agree"];
  const { exitCode } = await rackproof(["run", gateway.baseUrl, ...words, ...select, "--out", place(out)], {
    MY_GATEWAY_PASSWORD: password,
  });
  expect(exitCode).toBe(0);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(place("my-gateway.yaml"), profileText);
  await rackproof(["key", "new", place("lab.key")]);
  await run("one");
  await run("two");
});

afterAll(async () => folder[Symbol.asyncDispose]());

async function verified(run: string, ...words: string[]) {
  const { exitCode, stdout } = await rackproof(["verify-record", place(run), ...words]);
  expect(stdout.split("\n")).toHaveLength(1);
  return { exitCode, stdout };
}

async function copyOf(run: string, name: string): Promise<string[]> {
  await cp(place(run), place(name), { recursive: true });
  return (await readFile(join(place(name), "evidence.log"), "utf8")).split("\n");
}

test("a record is unchanged by the key of its lab, and by no other key", async () => {
  expect(await verified("one", "--public-key", place("lab.key.pub"))).toMatchObject({ exitCode: 0 });
  await rackproof(["key", "new", place("other.key")]);
  expect(await verified("one", "--public-key", place("other.key.pub"))).toMatchObject({ exitCode: 1 });
});

test.each([
  ["a changed answer", (lines: string[]) => lines.map((line) => line.replaceAll("ntp", "ptp"))],
  ["a dropped line", (lines: string[]) => lines.toSpliced(5, 1)],
  ["exchanged lines", ([a = "", b = "", c = "", d = "", ...rest]: string[]) => [a, b, d, c, ...rest]],
])("%s is found", async (what, change) => {
  const lines = await copyOf("one", what);
  await writeFile(join(place(what), "evidence.log"), change(lines).join("\n"));
  const { exitCode, stdout } = await verified(what);
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^changed: line \d+: /)]);
  expect(await rackproof(["judge", place(what)])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("[RUN_CHANGED]") as unknown,
  });
});

test("the end of another run, and a missing end, are found", async () => {
  const [one, two] = [await copyOf("one", "spliced"), await copyOf("two", "second")];
  const half = one.slice(0, Math.floor(one.length / 2));
  await writeFile(join(place("spliced"), "evidence.log"), [...half, ...two.slice(half.length)].join("\n"));
  expect(await verified("spliced")).toMatchObject({ exitCode: 1 });
  await copyOf("one", "short");
  await writeFile(join(place("short"), "evidence.log"), `${half.join("\n")}\n`);
  expect(await verified("short")).toMatchObject({ exitCode: 3 });
});

test("judge decides as the run did, and shows a verdict that was edited", async () => {
  const shown = /: was fail, is pass/;
  const whole = await rackproof(["judge", place("one")]);
  expect(whole.exitCode).toBe(0);
  expect(whole.stdout).not.toMatch(shown);
  await copyOf("one", "edited");
  const file = join(place("edited"), "campaign.json");
  await writeFile(file, (await readFile(file, "utf8")).replace('"verdict": "pass"', '"verdict": "fail"'));
  const { stdout } = await rackproof(["judge", place("edited")]);
  expect(stdout).toMatch(shown);
});

test("a redacted copy has none of the marked bodies, and verifies", async () => {
  const redact = ["redact", place("one"), "--profile", place("my-gateway.yaml"), "--out", place("public")];
  expect(await rackproof(redact)).toMatchObject({ exitCode: 0 });
  const shown = await readFile(join(place("public"), "evidence.log"), "utf8");
  expect(await readFile(join(place("one"), "evidence.log"), "utf8")).toContain("internetcheckalive");
  expect(shown).not.toContain("internetcheckalive");
  expect(await verified("public", "--public-key", place("lab.key.pub"))).toMatchObject({ exitCode: 0 });
  // A second copy does not replace the first.
  expect(await rackproof(redact)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("[REDACTION]") as unknown,
  });
});
