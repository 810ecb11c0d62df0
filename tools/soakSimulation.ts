// How often a soak of 15 minutes reports a gateway without a rise, and how often it reports one that rises:
//   node tools/soakSimulation.ts [soaks]
import { judgeQuantities } from "../workflows/soak/quantity.ts";
import { syntheticSoak, type SyntheticSoak } from "../workflows/soak/testing/syntheticSoak.ts";

const soaks = Number(process.argv[2] ?? 1000);
const rules = { warmUpSec: 240, blockSec: 10, alpha: 0.005 };

function count(
  options: Omit<SyntheticSoak, "seed">,
  id: string | undefined,
): { failed: number; open: number } {
  let failed = 0;
  let open = 0;
  for (let seed = 1; seed <= soaks; seed++) {
    const findings = judgeQuantities(syntheticSoak({ ...options, seed }), rules);
    const own = findings.filter((one) => id === undefined || one.id === id);
    if (own.some(({ verdict }) => verdict === "fail")) failed += 1;
    else if (own.some(({ verdict }) => verdict === "inconclusive")) open += 1;
  }
  return { failed, open };
}

const rows: readonly (readonly [string, Omit<SyntheticSoak, "seed">, string | undefined])[] = [
  ["no rise, independent noise", { correlation: 0, hasBusyMachine: false }, undefined],
  ["no rise, correlation 0.8", { correlation: 0.8, hasBusyMachine: false }, undefined],
  ["no rise, correlation 0.5, busy machine", {}, undefined],
  ["no rise, correlation 0.8, busy machine", { correlation: 0.8 }, undefined],
  [
    "the answer time rises by 1 % a minute, quiet machine",
    { risePerMinute: 1, hasBusyMachine: false },
    "answer-time",
  ],
  ["the answer time rises by 1 % a minute, busy machine", { risePerMinute: 1 }, "answer-time"],
  ["the memory rises by 1 MiB a minute", { risePerMinute: 1 }, "memory"],
];
for (const [what, options, id] of rows) {
  const { failed, open } = count(options, id);
  console.log(`${what}: ${failed} of ${soaks} soaks report a rise, ${open} are inconclusive`);
}
