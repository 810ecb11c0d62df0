import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { History } from "../history/history.ts";
import { nightFile, nightFormat, removeOldNights } from "./retention.ts";

/** A night in the history, with a folder as a night makes it. */
async function addNight(nights: string, history: History, folder: string, marker = true): Promise<void> {
  const start = { startedAt: "2027-01-01T00:00:00.000Z", rack: "r", level: "smoke", selection: "" } as const;
  const night = history.startNight({ ...start, folder, suiteVersion: "1" });
  history.endNight(night, start.startedAt, "finished", 0);
  await mkdir(join(nights, folder), { recursive: true });
  if (marker)
    await writeFile(join(nights, folder, nightFile), JSON.stringify({ format: nightFormat, folder }));
}

test("only folders that a night made are removed, the newest kept, and what is doubtful is left and told", async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  const nights = folder.path;
  using history = new History(":memory:");
  await addNight(nights, history, "2027-01-01T00-00-00");
  await addNight(nights, history, "2027-01-02T00-00-00", false);
  await addNight(elsewhere.path, history, "2027-01-03T00-00-00");
  await symlink(join(elsewhere.path, "2027-01-03T00-00-00"), join(nights, "2027-01-03T00-00-00"));
  await addNight(nights, history, "precious");
  await addNight(nights, history, "2027-01-04T00-00-00");
  await mkdir(join(nights, "2026-12-31T00-00-00"));

  const said = await removeOldNights(nights, history, 1);
  expect(said.map((line) => line.replaceAll(nights, ""))).toEqual([
    "not removed: /precious: its name is not that of a night",
    "not removed: /2027-01-03T00-00-00: not a folder",
    "not removed: /2027-01-02T00-00-00: no night.json in it that identifies a night",
    "removed /2027-01-01T00-00-00",
  ]);
  expect((await readdir(nights)).toSorted()).toEqual([
    "2026-12-31T00-00-00",
    "2027-01-02T00-00-00",
    "2027-01-03T00-00-00",
    "2027-01-04T00-00-00",
    "precious",
  ]);
  expect(await readdir(elsewhere.path)).toEqual(["2027-01-03T00-00-00"]);
  expect(history.keptFolders().map((one) => one.folder)).not.toContain("2027-01-01T00-00-00");
});
