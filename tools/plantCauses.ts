// Plants causes of failures in a fleet of reference gateways, and counts how many of them the nights of the fleet name:
//   node tools/plantCauses.ts [--rounds N] [--first N] [--causes LIST]
// A round has five searches: bad firmware, a bad case of the suite, a broken wire of a rig, a broken gateway, and a case that
// fails in 30 % of the runs. The firmware changes in each of them, and the suite with its bad case.
import { cp, readFile, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { cutConnection } from "../alterations/proxy/exchanges.ts";
import { fields } from "../alterations/mechanism/edits.ts";
import { type Proxy, startProxy } from "../alterations/proxy/proxy.ts";
import type { Cause } from "../record/index.ts";
import { readLines, startProcessGateway } from "../rigs/index.ts";
import { temporaryFolder } from "../test/support/commandLine.ts";
import { type Postgres, startPostgres } from "../test/support/postgres.ts";

const causes = ["firmware", "suite", "rig", "unit", "flaky"] as const;
type Planted = (typeof causes)[number];

const tree = fileURLToPath(new URL("..", import.meta.url));
const password = "Plant-Causes-1";
const flakyRate = 0.3;
const mostNights = 25;
const units = [
  { lab: "a", name: "left" },
  { lab: "a", name: "right" },
  { lab: "b", name: "third" },
] as const;
type Unit = (typeof units)[number];
/** Cases whose answers a fault changes. */
const symptoms = [
  { select: "services/listed-once", operation: "listServices", path: /\/services$/ },
  { select: "roles/list-and-get-agree", operation: "listRoles", path: /\/roles$/ },
  { select: "users/list-and-get-agree", operation: "listUsers", path: /\/users$/ },
  { select: "roles/permissions-are-listed", operation: "listPermissions", path: /\/permissions$/ },
] as const;
type Symptom = (typeof symptoms)[number];

/** What is wrong now. */
interface World {
  readonly fails: (unit: Unit, firmware: string) => boolean;
  readonly symptom: Symptom;
  readonly isWire: boolean;
}
const conforming: World = { fails: () => false, symptom: symptoms[0], isWire: false };
let world = conforming;

class Bench implements AsyncDisposable {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly proxies: ReadonlyMap<Unit, Proxy>;
  /** A later release of the suite, with a bad case. */
  readonly later: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    folder: string,
    postgres: Postgres,
    proxies: ReadonlyMap<Unit, Proxy>,
    stack: AsyncDisposableStack,
  ) {
    this.folder = folder;
    this.later = join(folder, "later");
    this.postgres = postgres;
    this.proxies = proxies;
    this.#stack = stack;
  }

  static async make(): Promise<Bench> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder()).path;
    const postgres = stack.use(await startPostgres());
    const proxies = new Map<Unit, Proxy>();
    for (const unit of units) {
      const gateway = stack.use(await startProcessGateway({ adminPassword: password }));
      proxies.set(unit, stack.use(await faultyProxy(gateway.baseUrl, unit, folder)));
    }
    const bench = new Bench(folder, postgres, proxies, stack.move());
    await bench.#writeLaterSuite();
    await bench.#writeRacks();
    return bench;
  }

  async #writeLaterSuite(): Promise<void> {
    const { stdout } = await execa("git", ["-C", tree, "ls-files", "-z"]);
    for (const file of stdout.split("\0").filter((one) => one !== "" && !/^(docs|test|bench)\//.test(one)))
      await cp(join(tree, file), join(this.later, file));
    await execa("ln", ["-s", join(tree, "node_modules"), join(this.later, "node_modules")]);
    await changed(join(this.later, "package.json"), /"version": "[^"]+"/, '"version": "99.0.0"');
    await changed(
      join(this.later, "suites/services/index.ts"),
      "equal(twice, [],",
      'equal(twice, ["a wrong expectation"],',
    );
  }

  async #writeRacks(): Promise<void> {
    const profile = await readFile(join(tree, "rigs/process/reference.profile.yaml"), "utf8");
    const { version } = JSON.parse(await readFile(join(tree, "package.json"), "utf8")) as { version: string };
    const hook = join(this.folder, "install.mjs");
    await writeFile(
      hook,
      `import { readFileSync, writeFileSync } from "node:fs";
       const [, , file, profile, firmware] = process.argv;
       writeFileSync(file, firmware);
       writeFileSync(profile, readFileSync(profile, "utf8").replace(/version: .*/, \`version: "\${firmware}"\`));`,
    );
    for (const lab of new Set(units.map((unit) => unit.lab))) {
      const entries: Record<string, object> = {};
      for (const unit of units.filter((one) => one.lab === lab)) {
        const file = `${unit.name}.profile.yaml`;
        await writeFile(
          join(this.folder, file),
          profile.replace("  model: RP-1000", '  model: RP-1000\n  version: "1.0"'),
        );
        entries[unit.name] = {
          url: this.proxies.get(unit)?.url,
          profile: file,
          labels: { model: "RP-1000" },
          install: {
            command: [
              process.execPath,
              hook,
              firmwareFile(this.folder, unit),
              join(this.folder, file),
              "{firmware}",
            ],
          },
        };
      }
      const suites = { [version]: [process.execPath, join(tree, "bin/rackproof.mjs")] };
      await writeFile(join(this.folder, `${lab}.yaml`), JSON.stringify({ gateways: entries, suites }));
    }
  }

  async firmware(version: string): Promise<void> {
    for (const unit of units) {
      await writeFile(firmwareFile(this.folder, unit), version);
      await changed(join(this.folder, `${unit.name}.profile.yaml`), /version: .*/, `version: "${version}"`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Waits until the agent has listed its gateways. */
function listed(agent: PromiseLike<{ all: string }> & { readonly all: Readable }): Promise<void> {
  return new Promise((resolve, reject) => {
    readLines(agent.all, (line) => line.includes("gateways listed") && resolve());
    agent.then(({ all }) => reject(new Error(`an agent ended: ${all}`)), reject);
  });
}

const firmwareFile = (folder: string, { name }: Unit): string => join(folder, `${name}.firmware`);

async function changed(file: string, what: string | RegExp, by: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const result = text.replace(what, by);
  if (result === text && !text.includes(by))
    throw new Error(`${file}: expected ${what.toString()}, found none`);
  await writeFile(file, result);
}

/** What stands between a gateway and its lab: wrong answers of a bad firmware or gateway, cuts of a broken wire. */
function faultyProxy(url: string, unit: Unit, folder: string): Promise<Proxy> {
  const fails = (): boolean => world.fails(unit, readFileSync(firmwareFile(folder, unit), "utf8"));
  return startProxy(url, (at) => {
    at.exchange(
      ({ method, url: path }) =>
        world.isWire && method === "GET" && world.symptom.path.test(path.split("?")[0] ?? "") && fails(),
      cutConnection,
    );
    for (const { operation } of symptoms)
      at.answer(operation, (body) => {
        if (world.isWire || world.symptom.operation !== operation || !fails()) return body;
        return spoiled(body);
      });
  });
}

/** The first entry of a list appears twice, with another name, or is missing. */
function spoiled(body: unknown): unknown {
  const whole = fields(body);
  const data = whole["data"];
  if (Array.isArray(data)) return { ...whole, data: data.slice(1) };
  if (Array.isArray(body)) return body.slice(1);
  const [group, list] = Object.entries(fields(data)).find(([, value]) => Array.isArray(value)) ?? [];
  if (group === undefined || !Array.isArray(list)) return body;
  return { ...whole, data: { ...fields(data), [group]: [...list, list[0]] } };
}

/** A case that fails in some runs: a run is what follows a pause. */
function flake(): () => boolean {
  const pauseMs = 1000;
  let [lastMs, isBad] = [-Infinity, false];
  return () => {
    const nowMs = performance.now();
    if (nowMs - lastMs > pauseMs) isBad = Math.random() < flakyRate;
    lastMs = nowMs;
    return isBad;
  };
}

function plant(cause: Planted, round: number): World {
  const symptom = symptoms[cause === "suite" ? 0 : round % symptoms.length] ?? symptoms[0];
  const flakes = new Map(units.map((unit) => [unit, flake()]));
  // Half of the flaky cases are flaky on one gateway only.
  const isFlaky = (unit: Unit): boolean =>
    (round % 2 === 0 || unit === units[0]) && flakes.get(unit)?.() === true;
  const fails: Readonly<Record<Planted, World["fails"]>> = {
    firmware: (_unit, firmware) => firmware === "2.0",
    suite: () => false,
    rig: ({ lab }) => lab === "a",
    unit: (unit) => unit === units[round % 2],
    flaky: isFlaky,
  };
  return { fails: fails[cause], symptom, isWire: cause === "rig" };
}

interface Found {
  readonly nights: number;
  readonly cause?: Cause;
}

async function search(bench: Bench, cause: Planted, round: number): Promise<Found> {
  await using stack = new AsyncDisposableStack();
  const url = await bench.postgres.create(`${cause}_${round}`);
  const environment = { RACKPROOF_DATABASE: url, RACKPROOF_PASSWORD: password, NO_COLOR: "1" };
  const planted = plant(cause, round);
  const launch = (from: string, words: readonly string[], more = {}) =>
    execa(process.execPath, [join(from, "bin/rackproof.mjs"), ...words], {
      reject: false,
      all: true,
      env: { ...environment, ...more },
    });
  const agents = async (from: string): Promise<() => Promise<unknown>> => {
    const labs = [...new Set(units.map(({ lab }) => lab))];
    const all = labs.map((lab) => {
      const out = join(bench.folder, `${cause}-${round}-${lab}`);
      const words = ["agent", "--rack", join(bench.folder, `${lab}.yaml`), "--lab", lab, "--out", out];
      return launch(from, words, { RACKPROOF_LEASES: join(bench.folder, `${lab}.db`) });
    });
    await Promise.all(all.map(listed));
    return () => {
      for (const one of all) one.kill("SIGTERM");
      return Promise.all(all);
    };
  };
  const night = async (from: string): Promise<Cause[]> => {
    const words = ["--level", "smoke", "--select", planted.symptom.select, "--retries", "0", "--seed", "7"];
    const { stdout, stderr } = await launch(from, ["nightly", "--fleet", "--json", ...words]);
    if (stdout === "") throw new Error(stderr);
    return (JSON.parse(stdout) as { causes: Cause[] }).causes;
  };
  world = conforming;
  await bench.firmware("1.0");
  await launch(tree, ["fleet", "init"]);
  let end = await agents(tree);
  stack.defer(async () => void (await end()));
  await night(tree);
  await bench.firmware("2.0");
  const from = cause === "suite" ? bench.later : tree;
  if (from !== tree) {
    await end();
    end = await agents(from);
  }
  world = planted;
  // A flaky case fails in some night.
  for (let nights = 1; nights <= mostNights; nights++) {
    const [found] = await night(from);
    if (found !== undefined) return { nights, cause: found };
  }
  return { nights: mostNights };
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "4" },
    first: { type: "string", default: "0" },
    causes: { type: "string", default: causes.join() },
  },
});
const [rounds, firstRound] = [Number(values.rounds), Number(values.first)];
const wanted = causes.filter((cause) => values.causes.split(",").includes(cause));
await using bench = await Bench.make();
let [right, wrong] = [0, 0];
for (let round = firstRound; round < firstRound + rounds; round++)
  for (const planted of wanted) {
    const beganMs = performance.now();
    const { nights, cause } = await search(bench, planted, round);
    const [first] = cause?.cases ?? [];
    const verdict = first?.verdict ?? "no new failure";
    if (verdict === planted) right += 1;
    else if (verdict !== "unknown" && first !== undefined) wrong += 1;
    const odds = Math.max(...Object.values(first?.odds ?? { none: 0 }));
    const turns = cause?.turns.filter(({ isExtra }) => isExtra) ?? [];
    const steps = turns.map(({ changed, counts, note }) => {
      const [count] = Object.values(counts);
      return `${changed.join("+") || "same"} ${count === undefined ? (note ?? "no result") : `${count.failed}/${count.failed + count.passed}`}`;
    });
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    console.log(
      `${verdict === planted ? "right" : verdict === "unknown" ? "open " : "WRONG"} planted ${planted}, found ${verdict} (${odds.toFixed(4)}), ${nights} nights, ${steps.join(", ")}; ${seconds} s`,
    );
  }
console.log(`${right} of ${rounds * wanted.length} right, ${wrong} wrong with confidence`);
