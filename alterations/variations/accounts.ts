// How a gateway may hold its users and follow their sign-ins, where the interface states neither the one way nor the other.
import { neverLoggedIn } from "../../interface/resources/users.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { Variations } from "./variation.ts";

const followsMs = 300;
const userViews = [
  "listUsers",
  "getUser",
  "addUser",
  "updateUser",
  "getCurrentUser",
  "updateCurrentUser",
] as const;

/** The time of a sign-in is stored some time after its answer; until then the former one is shown. */
function timeFollows(at: GatewayAlterations): void {
  let store: Store | undefined;
  at.boot((opened) => {
    store = opened;
  });
  const late = new Map<string, { readonly former: string; readonly untilMs: number }>();
  const shown = (user: Record<string, unknown>): Record<string, unknown> => {
    const { former, untilMs = 0 } = late.get(text(user["id"])) ?? {};
    return performance.now() < untilMs ? { ...user, loginAt: former } : user;
  };
  at.around("signIn", async (call, proceed) => {
    const row = store?.get("SELECT id, login_at FROM user WHERE name = ?", text(call.body["name"]));
    const answer = await proceed(call);
    if (answer.kind !== "json" || row === undefined) return answer;
    const id = text(row["id"]);
    const untilMs = performance.now() + followsMs;
    const isLate = performance.now() < (late.get(id)?.untilMs ?? 0);
    if (!isLate) late.set(id, { former: text(row["login_at"]) || neverLoggedIn, untilMs });
    const data = fields(fields(answer.body)["data"]);
    return { ...answer, body: { data: { ...data, user: shown(fields(data["user"])) } } };
  });
  at.data(userViews, shown);
}

const texts = {
  addUser: ["email", "password"],
  updateUser: ["email"],
  updateCurrentUser: ["email"],
  createRole: ["description"],
  updateRole: ["description"],
} as const;

/** Reads numbers in place of these texts as the text of their digits. */
function numbersAsTexts(at: GatewayAlterations): void {
  for (const [id, names] of Object.entries(texts) as [keyof typeof texts, readonly string[]][]) {
    at.lenient(id, "json", ...names);
    at.body(id, (body) => {
      for (const name of names) {
        const value = body[name];
        if (typeof value === "number") body[name] = String(value);
        else if (!["string", "undefined"].includes(typeof value)) throw badInput(`${name}: expected a text`);
      }
      return body;
    });
  }
}

/** A user has one open websocket at most. */
function oneWebsocketEach(at: GatewayAlterations): void {
  const holders = new Set<number>();
  let opening: number | undefined;
  at.redeem((token, proceed) => {
    const holder = proceed(token);
    const userId = holder?.()?.userId;
    if (userId === undefined || holders.has(userId)) return undefined;
    opening = userId;
    return holder;
  });
  at.websocketSender((send) => (client, message) => {
    const userId = opening;
    opening = undefined;
    if (userId !== undefined) {
      holders.add(userId);
      client.once("close", () => holders.delete(userId));
    }
    send(client, message);
  });
}

const basePermission = "SYS_SIGN_IN";
const unsetMs = 400 * 24 * 3_600_000;

/** Beside the permissions of their roles, all users have one more. */
function withBasePermission(user: Record<string, unknown>): Record<string, unknown> {
  const { permissions } = user;
  return Array.isArray(permissions) ? { ...user, permissions: [...permissions, basePermission] } : user;
}

const mostFailures = 5;

/** Failures count whatever succeeds between them; then every sign-in of the name is rejected. */
function failuresLockForGood(at: GatewayAlterations): void {
  const failures = new Map<string, number>();
  at.around("signIn", async (call, proceed) => {
    const name = text(call.body["name"]);
    if ((failures.get(name) ?? 0) >= mostFailures) throw new Refusal(423, "too many failures");
    try {
      return await proceed(call);
    } catch (thrown) {
      failures.set(name, (failures.get(name) ?? 0) + 1);
      throw thrown;
    }
  });
}

/** A role is removed although users have it, and taken from them. */
function usedRolesAreRemoved(at: GatewayAlterations): void {
  let store: Store | undefined;
  at.boot((opened) => {
    store = opened;
  });
  at.around("deleteRole", (call, proceed) => {
    store?.run("DELETE FROM user_role WHERE role_id = ?", text(call.path["id"]));
    return proceed(call);
  });
}

export const accountVariations = {
  "used-roles-are-removed": {
    differs: "A role that users have can be removed; its users lose it",
    freedom: "deleteRole is an extension; whether a role that users have can be removed is not stated",
    install: usedRolesAreRemoved,
  },
  "numbers-as-texts": {
    differs: "A number in place of an e-mail address, a password or a description is read as its digits",
    freedom: "Endpoints 7 and 8: these are strings; whether a number is read as one is not stated",
    install: numbersAsTexts,
  },
  "one-websocket-each": {
    differs: "A user has one open websocket; a further one is rejected",
    freedom: "Authentication 4: how many websockets a user may have at a time is not stated",
    install: oneWebsocketEach,
  },
  "failures-lock-for-good": {
    differs: `${mostFailures} failed sign-ins lock a name, whatever succeeds between them`,
    freedom: "the interface does not mention locks; whether a success resets a counter is not stated",
    install: failuresLockForGood,
  },
  "base-permission": {
    differs: "Every user has a permission beside those of their roles",
    freedom: "Permission: a complete list of permission ids is not shown",
    install(at) {
      at.data([...userViews, "updateUserPassword", "updateCurrentUserPassword"], withBasePermission);
      at.data("signIn", (data) => ({ ...data, user: withBasePermission(fields(data["user"])) }));
    },
  },
  "clock-of-users-is-not-set": {
    differs: "Times of users are 400 days behind the header Date, which a proxy adds",
    freedom: "the interface does not state how the clock of a gateway is set",
    install: (at) =>
      at.clock("accounts", (clock) => ({
        nowMs: () => clock.nowMs() - unsetMs,
        monotonicMs: () => clock.monotonicMs(),
        after: (delayMs, action) => clock.after(delayMs, action),
        onStep: (listener) => clock.onStep(listener),
      })),
  },
  "sign-in-times-follow": {
    differs: `\`loginAt\` follows a sign-in ${followsMs / 1000} s later`,
    freedom: "User: `loginAt` is zero when never logged in; when a sign-in is stored is not stated",
    install: timeFollows,
  },
} as const satisfies Variations;
