import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { openSlots } from "./systemSlots.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const manifest = {
  name: "system",
  version: "2.0.0",
  model: "RP-1000",
  payloadBytes: 1,
  payloadSha256: "0".repeat(64),
};
const boot = () => openSlots(folder, systemClock);

test("a new system that is confirmed stays active, and the next upgrade goes to the other slot", () => {
  boot().tryNext(7, manifest);
  const trial = boot();
  expect(trial.choose()).toEqual({ slot: "b", folder: join(folder, "b"), trialOf: 7 });
  trial.confirm();
  const next = boot();
  expect(next.choose()).toEqual({ slot: "b", folder: join(folder, "b"), trialOf: undefined });
  expect(next.endOf(7)).toEqual({ jobId: 7, isConfirmed: true, reason: "" });
  next.tryNext(8, manifest);
  expect(boot().choose()).toMatchObject({ slot: "a", trialOf: 8 });
});

test("a new system that is never confirmed is given up after three boots", () => {
  boot().tryNext(7, manifest);
  for (let tried = 0; tried < 3; tried++) expect(boot().choose()).toMatchObject({ slot: "b", trialOf: 7 });
  const restored = boot();
  expect(restored.choose()).toEqual({ slot: "a", folder: undefined, trialOf: undefined });
  expect(restored.endOf(7)).toMatchObject({ isConfirmed: false });
});
