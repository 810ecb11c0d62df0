// Faults that show after a power cut: acknowledged changes are lost, or the gateway stays down.
import type { Store } from "../../reference-impl/store/store.ts";
import { type Fault, faults } from "./fault.ts";

/** Does the work after an end without a reboot, before anything reads the store. */
export function afterCut(work: (store: Store) => void): Fault["install"] {
  return (at) => {
    let open: Store | undefined;
    at.boot((store) => {
      open = store;
      if (store.get("SELECT 1 FROM setting WHERE name = 'is-up'") !== undefined) work(store);
      else store.run("INSERT INTO setting (name, value) VALUES ('is-up', 'true')");
    });
    at.reboot((_reason, proceed) => {
      open?.run("DELETE FROM setting WHERE name = 'is-up'");
      proceed();
    });
  };
}

/** Runs the statement if the table exists. */
export function onTable(table: string, sql: string): (store: Store) => void {
  return (store) => {
    if (store.get("SELECT 1 FROM sqlite_master WHERE name = ?", table) !== undefined) store.run(sql);
  };
}

const newest = (table: string, count: number): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id DESC LIMIT ${count})`;

export const durabilityFaults: readonly Fault[] = faults([
  [
    "stays-down-after-a-power-cut",
    "CORE-POWER-01",
    "plain",
    "After a power cut the gateway does not start again by itself.",
    afterCut(() => {
      // Waits for ever, like a boot with a question on the console.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }),
  ],
  [
    "power-cut-loses-entries",
    "CORE-POWER-02",
    "subtle",
    "A power cut loses the last three log entries.",
    afterCut(onTable("event", newest("event", 3))),
  ],
  [
    "power-cut-loses-a-setting",
    "CORE-POWER-03",
    "subtle",
    "After a power cut the provisioning configuration is reset to default.",
    afterCut((store) => void store.run("DELETE FROM setting WHERE name = 'provision'")),
  ],
  [
    "power-cut-loses-a-virtual-tag",
    "CORE-POWER-04",
    "subtle",
    "A power cut loses virtual tags.",
    afterCut(onTable("virtual_tag", "DELETE FROM virtual_tag")),
  ],
  [
    "power-cut-loses-a-change-of-a-user",
    "CORE-POWER-06",
    "subtle",
    "A power cut loses the email of the newest user.",
    afterCut(onTable("user", "UPDATE user SET email = NULL WHERE id = (SELECT MAX(id) FROM user)")),
  ],
  [
    "power-cut-loses-a-job",
    "CORE-POWER-07",
    "subtle",
    "A power cut loses the newest upgrade job.",
    afterCut(onTable("upgrade_job", newest("upgrade_job", 1))),
  ],
]);
