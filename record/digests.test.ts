import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/support/commandLine.ts";
import { changedFiles, digestsText } from "./digests.ts";
import { writeExchanges } from "./store.ts";

test("whatever was changed, added or taken away after the run is named", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await writeFile(at("campaign.json"), "{}");
  for (const id of ["a/one", "a/two"]) await writeExchanges(folder.path, id, []);
  expect(await changedFiles(folder.path)).toEqual([expect.stringContaining("digests.json is missing")]);
  await writeFile(at("digests.json"), await digestsText(folder.path));
  expect(await changedFiles(folder.path)).toEqual([]);
  // What a later command writes beside the evidence is no change of it.
  await writeFile(at("judged.json"), "{}");
  expect(await changedFiles(folder.path)).toEqual([]);

  await appendFile(at("campaign.json"), " ");
  await rm(at("exchanges/a.one.json"));
  await writeExchanges(folder.path, "a/three", []);
  expect(await changedFiles(folder.path)).toEqual([
    "campaign.json was changed after the run",
    "exchanges/a.one.json is missing",
    "exchanges/a.three.json was added after the run",
  ]);
  await writeFile(at("digests.json"), "[]");
  expect(await changedFiles(folder.path)).toEqual(["digests.json is not in the format that a run writes"]);
});
