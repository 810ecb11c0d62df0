// Ids of removed things that the next ones take.
import type { Store } from "../../reference-impl/store/store.ts";
import { fields } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const removable = ["role", "user", "upgrade_job"];

/** Each new thing has the lowest id above those that exist. */
export function idsTakenAgain(at: GatewayAlterations): void {
  let store: Store | undefined;
  at.boot((opened) => {
    store = opened;
  });
  at.around(["createRole", "addUser", "createUpgradeJob"], async (call, proceed) => {
    for (const table of removable) store?.run("DELETE FROM sqlite_sequence WHERE name = ?", table);
    return proceed(call);
  });
  // Tokens of a removed user are not those of the next one.
  at.data("addUser", (user) => {
    store?.run(
      "UPDATE user SET generation = 1 + abs(random() % 1000000000) WHERE id = ?",
      Number(fields(user)["id"]),
    );
    return user;
  });
}
