import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { History } from "./history.ts";
import { readTrend } from "./trend.ts";

const start = {
  startedAt: "2027-01-01T02:00:00.000Z",
  folder: "2027-01-01T02-00-00",
  rack: "lab.yaml",
  level: "smoke",
  selection: "",
  suiteVersion: "1",
} as const;

test("expected cases are stored before a night runs, and remain when it is killed", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "history.db");
  {
    using history = new History(file);
    const night = history.startNight(start);
    history.plan(night, "left", ["x/a", "x/b"], new Map([["x/c", "not selected"]]));
    expect(history.settleKilled()).toEqual([]);
    // As a process would have left it that is no more.
    history.database.exec("UPDATE night SET owner_start = 'before'");
  }
  using history = new History(file);
  expect(history.settleKilled()).toEqual([start.startedAt]);
  const { nights, gateways } = readTrend(history, 1);
  expect(nights).toMatchObject([{ state: "killed", level: "smoke" }]);
  expect([...(gateways[0]?.cases ?? [])].map(([id, row]) => [id, row[0]?.outcome])).toEqual([
    ["x/a", "not-concluded"],
    ["x/b", "not-concluded"],
  ]);
  expect(gateways[0]).toMatchObject({
    turns: [{ outcome: "waiting" }],
    leftOut: new Map([["x/c", "not selected"]]),
  });
});

test("a history of a later version, and a file that is none, are refused and left as they are", async () => {
  await using folder = await temporaryFolder();
  const later = join(folder.path, "later.db");
  const database = new DatabaseSync(later);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(() => new History(later)).toThrow("written by a later rackproof: version 99, expected at most 1");
  expect(() => new History(new URL(import.meta.url).pathname)).toThrow(
    /cannot be opened \(file is not a database\)/,
  );
});
