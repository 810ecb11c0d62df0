// The tables of the history. A change adds a step to the list; existing steps never change.
import type { DatabaseSync } from "node:sqlite";

const steps: readonly string[] = [
  `CREATE TABLE night (
     id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, ended_at TEXT, folder TEXT NOT NULL, rack TEXT NOT NULL,
     level TEXT NOT NULL, selection TEXT NOT NULL, suite_version TEXT NOT NULL,
     owner_pid INTEGER NOT NULL, owner_start TEXT NOT NULL, state TEXT NOT NULL, exit_code INTEGER, kept INTEGER NOT NULL);
   CREATE TABLE turn (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT, firmware TEXT,
     profile TEXT, without_parts TEXT NOT NULL, exit_code INTEGER, PRIMARY KEY (night, gateway)) WITHOUT ROWID;
   CREATE TABLE attempt (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, number INTEGER NOT NULL, folder TEXT NOT NULL,
     selection TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT NOT NULL, ending TEXT NOT NULL,
     PRIMARY KEY (night, gateway, number)) WITHOUT ROWID;
   CREATE TABLE left_out (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, case_id TEXT NOT NULL, reason TEXT NOT NULL,
     PRIMARY KEY (night, gateway, case_id)) WITHOUT ROWID;
   CREATE TABLE case_outcome (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, case_id TEXT NOT NULL, outcome TEXT NOT NULL,
     reason TEXT, PRIMARY KEY (night, gateway, case_id)) WITHOUT ROWID;
   CREATE TABLE verdict (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, case_id TEXT NOT NULL, attempt INTEGER NOT NULL,
     verdict TEXT NOT NULL, reason TEXT, duration_ms REAL NOT NULL,
     PRIMARY KEY (night, gateway, case_id, attempt)) WITHOUT ROWID;
   CREATE TABLE requirement_outcome (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, requirement TEXT NOT NULL, outcome TEXT NOT NULL,
     reason TEXT, PRIMARY KEY (night, gateway, requirement)) WITHOUT ROWID;
   CREATE TABLE measurement (
     night INTEGER NOT NULL REFERENCES night, gateway TEXT NOT NULL, case_id TEXT NOT NULL, name TEXT NOT NULL,
     unit TEXT NOT NULL, number INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL, limit_low REAL, limit_high REAL,
     PRIMARY KEY (night, gateway, case_id, name, unit, number)) WITHOUT ROWID;`,
];

/** Updates the tables to this version; throws an Error for a history of a later one. */
export function migrate(database: DatabaseSync): void {
  const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (found > steps.length)
    throw new Error(`written by a later rackproof: version ${found}, expected at most ${steps.length}`);
  for (let version = found; version < steps.length; version++)
    database.exec(`BEGIN IMMEDIATE; ${steps[version] ?? ""} PRAGMA user_version = ${version + 1}; COMMIT;`);
}
