import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandedNetwork, networkProblem, type NetworkSettings } from "./command.ts";

/** A router whose command writes the line's state to a file. */
async function router() {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-router-"));
  const file = join(folder, "line");
  const program = "require('node:fs').writeFileSync(process.argv[1], process.argv.slice(2).join(' '))";
  const command = (...words: string[]): string[] => [process.execPath, "-e", program, file, ...words];
  const settings: NetworkSettings = {
    driver: "command",
    cut: command("down"),
    restore: command("up"),
    impair: command("delay", "{delayMs}ms", "loss", "{lossPercent}%", "rate", "{rateKbit}kbit"),
  };
  return {
    settings,
    state: () => readFile(file, "utf8"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test("the command of a router cuts, restores and impairs the line", async () => {
  await using lab = await router();
  const network = commandedNetwork(lab.settings);
  const beforeMs = performance.now();
  const { low, high } = await network.cut();
  expect([beforeMs <= low, low < high, await lab.state()]).toEqual([true, true, "down"]);
  await network.impair?.({ delayMs: 100, lossPercent: 2 });
  expect(await lab.state()).toBe("delay 100ms loss 2% rate 0kbit");
  await network.impair?.({ delayMs: 50 });
  expect(await lab.state()).toBe("delay 50ms loss 0% rate 0kbit");
  await network.restore();
  expect(await lab.state()).toBe("up");
  await expect((async () => network.impair?.({ jitterMs: 9 }))()).rejects.toThrow(
    "its command has no {jitterMs}. Fix: add it to network.impair",
  );
});

test("a command that cannot make a bad line is named before a run", async () => {
  await using lab = await router();
  expect(networkProblem(lab.settings)).toBeUndefined();
  expect(networkProblem({ ...lab.settings, impair: ["tc", "{delayMs}ms"] })).toBe(
    "impair: expected {lossPercent} and {rateKbit}, found none",
  );
  expect(
    networkProblem({ ...lab.settings, impair: ["tc", "{delayMs}", "{lossPercent}", "{rateKbit}", "{lag}"] }),
  ).toContain("impair: {lag}: expected {delayMs}, {jitterMs}");
});
