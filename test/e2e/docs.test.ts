// The commands of the guides, run as a new user would; what takes minutes or needs hardware is named with its reason.
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rackproofProgram } from "../../cli/program.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { commandsOf, namedCommands, walk, type Walk } from "../support/walkthrough.ts";

const password = "Docs-walk-1!";
const profile = [
  "name: my gateway",
  "credentials: { name: admin, passwordEnvironment: MY_GATEWAY_PASSWORD }",
  "binding: { extensions: [deleteRole, deleteUser, deleteUpgradeJob] }",
  "",
].join("\n");

let gateway: Awaited<ReturnType<typeof startProcessGateway>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  gateway = await startProcessGateway({ adminPassword: password });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let short: Promise<string> | undefined;

/** The folder of a short run, made once. */
function shortRun(): Promise<string> {
  short ??= (async () => {
    const out = join(folder.path, "short");
    const words = ["--level", "smoke", "--select", "roles,general", "--out", out];
    const { exitCode, stderr } = await rackproof(["run", "process", ...words]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    return out;
  })();
  return short;
}

/** Copies of a short run under these names, as the pages call theirs. */
async function runs(...names: string[]): Promise<void> {
  for (const name of names) {
    const copy = join(folder.path, "runs", name);
    await mkdir(join(folder.path, "runs"), { recursive: true });
    await cp(await shortRun(), copy, { recursive: true });
  }
}

interface Page extends Walk {
  readonly prepare?: () => Promise<unknown>;
}

const untilInterrupted = "runs until it is interrupted";
const ownTest = "has a test of its own";
const hardware = "needs hardware; what stands in for it has a test of its own";

const pages: Readonly<Record<string, Page>> = {
  "README.md": {
    leftOut: { "npm ci": "is how these tests are run" },
    shortened: { "rackproof run": "--level smoke --select roles,general" },
  },
  "CONTRIBUTING.md": { leftOut: { npm: "is how these tests are run" } },
  "docs/certify.md": {
    leftOut: {
      "rackproof run": "takes many minutes, and the commands after it need its record",
      "rackproof certify": ownTest,
      "rackproof verify ": ownTest,
      "rackproof redact": ownTest,
      "rackproof verify-record": ownTest,
      "rackproof judge": ownTest,
      "rackproof preview": ownTest,
    },
  },
  "docs/clocks.md": { leftOut: { "rackproof run": ownTest } },
  "docs/compare.md": {
    replaced: { "--steps 1000": "--steps 60" },
    shortened: { "--profile-b": "--steps 60" },
    leftOut: { "compare left right": hardware },
  },
  "docs/contract.md": {},
  "docs/errors.md": {},
  "docs/faults.md": {
    replaced: { "--select configuration": "--select configuration/select-and-filter" },
    exitCodes: { "--fault": 1 },
    leftOut: { "npm run selftest": ownTest, "rackproof selftest": ownTest },
  },
  "docs/gate.md": {
    prepare: async () => {
      await runs("candidate", "released", "candidate-1", "candidate-2", "released-1", "released-2");
      await writeFile(join(folder.path, "policy.yaml"), "measurements: []\n");
    },
    replaced: {
      "runs/candidate-*": "runs/candidate-1 runs/candidate-2",
      "runs/released-*": "runs/released-1 runs/released-2",
    },
  },
  "docs/coverage.md": { prepare: () => runs("LAST") },
  "docs/requirements.md": {},
  "docs/soak.md": { leftOut: { "rackproof soak": ownTest } },
  "docs/hostile.md": {
    replaced: { "--level certification": "", "--select hostile,concurrency": "--select hostile,concurrency" },
    shortened: { "rackproof run": "--level smoke" },
    leftOut: { "npm run bench": "measures; nothing is to be tested" },
  },
  "docs/fleet.md": {
    leftOut: {
      "docker compose": "starts a container that remains",
      export: "sets a variable of the shell",
      "rackproof fleet": ownTest,
      "rackproof agent": ownTest,
      "rackproof nightly": ownTest,
      "rackproof run": ownTest,
    },
  },
  "docs/upgrade.md": { leftOut: { "rackproof run": ownTest } },
  "docs/lines.md": { leftOut: { "rackproof run": ownTest } },
  "docs/nightly.md": {
    leftOut: {
      "rackproof nightly": ownTest,
      "rackproof notify": ownTest,
      "rackproof watch": ownTest,
      export: "sets a variable of the shell",
      sudo: "changes the system",
    },
  },
  "docs/profile.md": {
    replaced: {
      "my-gateway.yaml": "asked-gateway.yaml",
      "RACKPROOF_PASSWORD=...": `RACKPROOF_PASSWORD=${password}`,
    },
  },
  "docs/registry.md": {
    leftOut: { "rackproof registry": ownTest, "rackproof verify": ownTest },
  },
  "docs/rack.md": { leftOut: { "rackproof doctor": hardware, "rackproof rig": hardware } },
  "docs/read-a-report.md": {
    shortened: { "rackproof run": "--level smoke" },
    leftOut: { "xdg-open": "opens a window" },
  },
  "docs/variations.md": {
    shortened: { "rackproof run": "--level smoke --select roles" },
    leftOut: { "rackproof serve": untilInterrupted, "npm run variations": ownTest },
  },
  "docs/vitest.md": { leftOut: { "npm install": ownTest, "npx vitest": ownTest } },
};

test("every command and option that a page names exists", async () => {
  const all = (await readdir(new URL("../../docs", import.meta.url), { recursive: true })).filter((name) =>
    name.endsWith(".md"),
  );
  const program = rackproofProgram(() => undefined);
  const optionsOf = (words: readonly string[]): string[] | undefined =>
    words
      .reduce<Command | undefined>(
        (command, word) => command?.commands.find((one) => one.name() === word),
        program,
      )
      ?.options.map(({ long }) => long ?? "");
  const wrong: string[] = [];
  let named = 0;
  for (const page of ["README.md", "CONTRIBUTING.md", ...all.map((name) => `docs/${name}`)])
    for (const { command, options, line } of await namedCommands(page)) {
      named += 1;
      const known = optionsOf(command);
      const unknown = options.filter((option) => option !== "--help" && known?.includes(option) !== true);
      if (known === undefined || unknown.length > 0) wrong.push(`${page}: ${line}: ${unknown.join(" ")}`);
    }
  expect(wrong).toEqual([]);
  expect(named).toBeGreaterThan(60);
});

test("every page with commands is walked here", async () => {
  const all = (await readdir(new URL("../../docs", import.meta.url))).filter((name) => name.endsWith(".md"));
  const withCommands: string[] = [];
  for (const page of ["README.md", "CONTRIBUTING.md", ...all.map((name) => `docs/${name}`)])
    if ((await commandsOf(page)).length > 0) withCommands.push(page);
  expect(Object.keys(pages).toSorted()).toEqual(withCommands.toSorted());
});

test.each(Object.entries(pages))(
  "the commands of %s do what the page says",
  async (page, { prepare, ...how }) => {
    await writeFile(join(folder.path, "my-gateway.yaml"), profile);
    await prepare?.();
    const { ran, wrong } = await walk(page, folder.path, {
      ...how,
      environment: { MY_GATEWAY_PASSWORD: password },
      replaced: {
        "https://192.0.2.10": gateway.baseUrl,
        "MY_GATEWAY_PASSWORD=...": `MY_GATEWAY_PASSWORD=${password}`,
        ...how.replaced,
      },
    });
    expect(wrong).toEqual([]);
    const left = Object.keys(how.leftOut ?? {}).length;
    expect(ran.length + left).toBeGreaterThan(0);
  },
);
