import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { terminalOn } from "../host/terminal.ts";
import { provenPower } from "./power.ts";
import { makeSwitch } from "./switch.ts";

const life = { isAlive: () => Promise.resolve(true), isDead: () => Promise.resolve(true) };

function bench(isPresent = true) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  return {
    input,
    shown: () => shown,
    access: { environment: {}, terminal: terminalOn(input, output, isPresent) },
  };
}

const settings = { driver: "manual", what: "the plug of bench 3" } as const;

test("a person is asked, one question at a time, and Enter confirms", async () => {
  const { input, shown, access } = bench();
  const plug = makeSwitch(settings, access);
  const button = makeSwitch({ driver: "manual", what: "RESET" }, access);
  const control = provenPower({ power: plug, reset: button, life });
  const cut = control.cut();
  const press = control.reset?.();
  await vi.waitFor(() => expect(shown()).toContain("switch off the plug of bench 3, then press Enter"));
  expect(shown()).not.toContain("RESET");
  const askedMs = performance.now();
  input.write("\n");
  const { low, high } = await cut;
  expect([low <= askedMs, high >= askedMs]).toEqual([true, true]);
  await vi.waitFor(() => expect(shown()).toContain("press RESET briefly"));
  input.write("done\n");
  await press;
});

test.each([
  ["n\n", 60, "switch-unreachable", "the person at the bench could not do it"],
  ["", 1, "nobody-acted", "nobody pressed Enter within 1 s"],
])("after %j the power is not cut", async (typed, withinSec, outcome, reason) => {
  const { input, shown, access } = bench();
  const control = provenPower({ power: makeSwitch({ ...settings, withinSec }, access), life });
  const cut = control.cut().catch((thrown: unknown) => thrown);
  await vi.waitFor(() => expect(shown()).toContain("At the bench"));
  input.write(typed);
  const failure = await cut;
  expect(failure).toMatchObject({ outcome });
  expect(String(failure)).toContain(`the plug of bench 3 (by hand) cannot be switched off: ${reason}`);
});

test("without a terminal nobody is asked", async () => {
  const { shown, access } = bench(false);
  const plug = makeSwitch(settings, access);
  const control = provenPower({ power: plug, life });
  await expect(control.cut()).rejects.toMatchObject({ outcome: "nobody-acted" });
  expect(shown()).toBe("");
  // What was never switched off needs nobody to switch it on again; what was off before the run does.
  await control.restore();
  const found = provenPower({ power: makeSwitch(settings, access), life });
  await expect(found.restore()).rejects.toMatchObject({ outcome: "nobody-acted" });
  expect(await plug.check?.()).toContain("inconclusive");
});
