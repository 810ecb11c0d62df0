// Runs campaigns over gateways with legitimate variations: no case may fail.
//   npm run variations -- [--only ID,ID] [--combine N] [--seed N] [--rounds N] [--level L] [--select EXPR] [--time-server] [--out DIR]
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { readCampaign } from "../record/store.ts";
import { namedVariations, variationIds, type VariationId } from "../alterations/variations/index.ts";
import { combine } from "./variationPlan.ts";
import { messageOf } from "../record/index.ts";

const launcher = fileURLToPath(new URL("../bin/rackproof.mjs", import.meta.url));

interface Options {
  readonly only: string;
  readonly combine: string;
  readonly seed: string;
  readonly rounds: string;
  readonly level: string;
  readonly select: string;
  /** Whether the gateway follows a time server that the cases set. */
  readonly "time-server": boolean;
  readonly out: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: "" },
      combine: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      rounds: { type: "string", default: "1" },
      level: { type: "string", default: "smoke" },
      select: { type: "string", default: "" },
      "time-server": { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  return { ...values, out: values.out };
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} ${text}: expected a whole number from 1`);
  return Number(text);
}

/** Runs one campaign; answers whether every case passed or was not applicable. */
async function campaign(
  ids: readonly VariationId[],
  seed: number,
  folder: string,
  options: Options,
): Promise<boolean> {
  const startedMs = performance.now();
  const { exitCode, stderr } = await execa(
    process.execPath,
    [
      launcher,
      "run",
      "process",
      "--variation",
      ids.join(","),
      "--level",
      options.level,
      "--seed",
      String(seed),
      "--select",
      options.select,
      "--out",
      folder,
      "--json",
      ...(options["time-server"] ? ["--time-server"] : []),
    ],
    { reject: false },
  );
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const record = await readCampaign(folder).catch(() => undefined);
  const row = [ids.join(","), `seed ${seed}`, `${seconds} s`, `exit code ${exitCode ?? "none"}`];
  if (record === undefined) {
    process.stdout.write(`${row.join("  ")}\n  no record: ${stderr.trim().split("\n").at(-1) ?? ""}\n`);
    return false;
  }
  const { pass, fail, inconclusive, error, notApplicable } = record.summary;
  row.push(
    `pass ${pass}`,
    `fail ${fail}`,
    `inconclusive ${inconclusive}`,
    `error ${error}`,
    `not applicable ${notApplicable}`,
  );
  process.stdout.write(`${row.join("  ")}\n`);
  const open = record.cases.filter(({ verdict }) => verdict !== "pass" && verdict !== "not-applicable");
  for (const { id, verdict, reason = "", checks } of open) {
    const broken = checks.find((check) => check.verdict === verdict);
    const seen =
      broken === undefined
        ? reason
        : `${broken.what}: expected ${broken.expected}, observed ${broken.observed}`;
    process.stdout.write(`  ${verdict} ${id}: ${seen.slice(0, 300)}\n`);
  }
  return exitCode === 0 && open.length === 0;
}

try {
  const options = readOptions();
  const ids = options.only === "" ? variationIds : namedVariations(options.only);
  const most = whole("--combine", options.combine);
  const firstSeed = whole("--seed", options.seed);
  const folder = options.out ?? (await mkdtemp(join(tmpdir(), "rackproof-variations-")));
  await mkdir(folder, { recursive: true });
  let count = 0;
  let failures = 0;
  for (let round = 0; round < whole("--rounds", options.rounds); round++) {
    for (const combination of combine(ids, firstSeed + round, most)) {
      // Another seed each time: the choices of the cases vary as well as the gateway.
      const seed = firstSeed + count;
      count += 1;
      if (!(await campaign(combination, seed, join(folder, String(count)), options))) failures += 1;
    }
  }
  process.stdout.write(
    `${count} campaigns, ${failures} with a case that did not pass; records under ${folder}\n`,
  );
  process.exitCode = failures === 0 ? 0 : 1;
} catch (thrown) {
  process.stderr.write(`variations: ${messageOf(thrown)}\n`);
  process.exitCode = 2;
}
