// The package as it would be published: installed in an empty folder, and used there.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { temporaryFolder } from "../support/commandLine.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const adminPassword = "Package-test-1!";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const { devDependencies } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as {
    devDependencies: { vitest: string };
  };
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module", private: true }));
  try {
    await execa("npm", ["pack", "--pack-destination", folder.path], { cwd: project });
    const [tarball = ""] = (await readdir(folder.path)).filter((name) => name.endsWith(".tgz"));
    const packages = [join(folder.path, tarball), `vitest@${devDependencies.vitest}`];
    await execa("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], {
      cwd: folder.path,
    });
  } finally {
    await rm(join(project, "dist"), { recursive: true, force: true });
  }
}, 300_000);

afterAll(() => folder[Symbol.asyncDispose]());

const use = (...words: readonly string[]) =>
  execa("npx", words, {
    cwd: folder.path,
    reject: false,
    env: { RACKPROOF_PASSWORD: adminPassword },
  });

test("the packed package installs in an empty folder, and npx rackproof runs a campaign there", async () => {
  const run = await use("rackproof", "run", "--level", "smoke", "--select", "roles", "--out", "run");
  expect({ exitCode: run.exitCode, stderr: run.exitCode === 0 ? "" : run.stderr }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(run.stdout).toContain("✓ Conformant");
  expect(await readdir(join(folder.path, "run"))).toContain("report.html");
  // Programs that are started by path have another place in the package than in the source.
  const faults = JSON.parse((await use("rackproof", "list", "faults", "--json")).stdout) as unknown[];
  expect(faults.length).toBeGreaterThanOrEqual(150);
  const sample = await use(
    "rackproof",
    "selftest",
    "--select",
    "permissions-count-one-more",
    "--out",
    "selftest",
  );
  expect({ exitCode: sample.exitCode, stdout: sample.stdout }).toMatchObject({ exitCode: 0 });
}, 300_000);

interface VitestTest {
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped" | "pending";
  readonly failureMessages: readonly string[];
  readonly meta: { readonly rackproof?: { readonly case: string; readonly verdict: string } };
}

/** Runs a Vitest project with the packed package; returns the exit code, the tests and the campaign's record. */
async function vitestRun(name: string, url: string, select: string, ...words: readonly string[]) {
  const profile = join(project, "rigs/process/reference.profile.yaml");
  const file = `${name}.test.ts`;
  await writeFile(
    join(folder.path, file),
    `import { conformance } from "rackproof/vitest";
conformance(${JSON.stringify({ url, profile, select, level: "smoke", out: name })});
`,
  );
  const { exitCode } = await use(
    "vitest",
    "run",
    file,
    "--reporter=json",
    `--outputFile=${name}.json`,
    ...words,
  );
  const report = JSON.parse(await readFile(join(folder.path, `${name}.json`), "utf8")) as {
    testResults: { assertionResults: VitestTest[] }[];
  };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return { exitCode, tests, record: await readCampaign(join(folder.path, name)) };
}

const idOf = ({ title }: Pick<VitestTest, "title">): string => title.replace(/: .*/, "");

test("Vitest shows each case of a smoke run against rackproof serve as a test, with the record of a run", async () => {
  const serve = execa(
    join(folder.path, "node_modules/.bin/rackproof"),
    ["serve", "--port", "0", "--https-port", "0"],
    { cwd: folder.path, reject: false, buffer: false, env: { RACKPROOF_PASSWORD: adminPassword } },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: serve.stdout }).on("line", (line) => {
      const found = /^Reference gateway: (\S+)\/api\/v1$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void serve.then(({ exitCode }) =>
      reject(new Error(`rackproof serve ended with ${exitCode ?? "a signal"}`)),
    );
  });
  try {
    const { exitCode, tests, record } = await vitestRun("served", url, "roles,services/listed-once");
    expect(exitCode).toBe(0);
    expect(record.summary.verdict).toBe("conformant");
    const shown = tests.filter(({ meta }) => meta.rackproof !== undefined);
    expect(shown.map((one) => [idOf(one), one.meta.rackproof?.verdict])).toEqual(
      expect.arrayContaining(record.cases.map(({ id, verdict }) => [id, verdict])),
    );
    expect(shown).toHaveLength(record.cases.length);
    expect(tests.filter(({ status }) => status === "failed")).toEqual([]);
    expect(await readdir(join(folder.path, "served"))).toEqual(
      expect.arrayContaining(["campaign.json", "report.html", "junit.xml"]),
    );

    const filtered = await vitestRun("filtered", url, "roles,services/listed-once", "-t", "permissions");
    const ran = filtered.record.cases.filter(({ id }) => !id.startsWith("shape/"));
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.length).toBeLessThan(record.cases.length);
    expect(ran.every(({ id, title }) => `${id}: ${title}`.includes("permissions"))).toBe(true);
  } finally {
    serve.kill("SIGINT");
    await serve;
  }
  await writeFile(
    join(folder.path, "wrong.ts"),
    'import { conformance } from "rackproof/vitest";\nconformance({ url: "", profile: "", level: "deep" });\n',
  );
  const types = await execa(
    join(project, "node_modules/.bin/tsc"),
    [
      "--noEmit",
      "--pretty",
      "false",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "served.test.ts",
      "wrong.ts",
    ],
    { cwd: folder.path, reject: false },
  );
  const wrongLevel = /^wrong\.ts\(2,\d+\): error TS2322: Type '"deep"' is not assignable/;
  expect(types.stdout.trim().split("\n")).toEqual([expect.stringMatching(wrongLevel)]);
}, 300_000);

test("a failed Vitest test has the text of the report", async () => {
  await using gateway = await startProcessGateway({ adminPassword, fault: "permissions-count-one-more" });
  const { exitCode, tests, record } = await vitestRun("faulty", gateway.baseUrl, "roles");
  expect(exitCode).toBe(1);
  expect(record.summary.verdict).toBe("non-conformant");
  const failed = record.cases.filter(({ verdict }) => verdict === "fail");
  expect(
    tests
      .filter(({ status }) => status === "failed")
      .map(idOf)
      .toSorted(),
  ).toEqual(failed.map(({ id }) => id).toSorted());
  const junit = await readFile(join(folder.path, "faulty", "junit.xml"), "utf8");
  for (const { id, checks, curl } of failed) {
    const text = tests.find((one) => idOf(one) === id)?.failureMessages.join("\n") ?? "";
    const check = checks.find(({ verdict }) => verdict === "fail");
    const statement = record.requirements.find((one) => one.id === check?.requirement)?.statement;
    for (const words of [statement, check?.what, check?.expected, check?.observed, curl])
      expect(text).toContain(words ?? "no such text");
    expect(junit).toContain(check?.requirement ?? "no such requirement");
  }
}, 120_000);
