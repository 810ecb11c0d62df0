// Integers beyond 2^53, stored and answered with every digit.
import { badInput } from "../../reference-impl/base/refusal.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { changed, type CallId } from "../mechanism/operationAlterations.ts";
import { type Fields, fields, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const member = "timeToLiveSec";
const settings = [
  ["getLog", "setLog"],
  ["getEventConfiguration", "setEventConfiguration"],
] as const;

/** Keeps the digits beside the gateway's own setting, which holds the nearest integer that a double represents. */
export function exactIntegers(at: GatewayAlterations): void {
  let store: Store | undefined;
  at.boot((opened) => (store = opened));
  for (const [reading, setting] of settings) {
    const name = `exact/${setting}`;
    const keep = (digits: string): void => {
      store?.run("DELETE FROM setting WHERE name = ?", name);
      if (digits !== "") store?.run("INSERT INTO setting (name, value) VALUES (?, ?)", name, digits);
    };
    at.lenient(setting, "json", member);
    at.around(setting, async (call, proceed) => {
      const given = fields(call.body)[member];
      if (given === undefined) return proceed(call);
      if (typeof given !== "bigint" && !Number.isInteger(given))
        throw badInput(`${member}: expected integer, found ${JSON.stringify(given)}`);
      if (typeof given !== "bigint") {
        const answer = await proceed(call);
        keep("");
        return answer;
      }
      const own = given > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
      const answer = await proceed(changed(call, { body: { ...call.body, [member]: own } }));
      keep(String(given));
      return answer;
    });
    const ids: readonly CallId[] = [reading, setting];
    at.answer(ids, (body) => ({ ...body, data: exact(fields(body["data"]), digitsOf(store, name)) }));
  }
}

function digitsOf(store: Store | undefined, name: string): string {
  return text(store?.get("SELECT value FROM setting WHERE name = ?", name)?.["value"]);
}

/** A reset and an applied configuration change the gateway's own setting only: the digits count where they belong to it. */
function exact(data: Fields, digits: string): Fields {
  const isReplaced = Math.abs(Number(data[member])) === Number.MAX_SAFE_INTEGER && digits !== "";
  return isReplaced ? { ...data, [member]: BigInt(digits) } : data;
}
