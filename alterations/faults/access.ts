// Faults of authorisation: what a token permits.
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { fields } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** Permissions of a token, made from those at its first use and the present ones of its user. */
function remembers(
  mix: (held: ReadonlySet<string>, present: ReadonlySet<string>) => readonly string[],
): Fault["install"] {
  return (at) => {
    const first = new Map<string, ReadonlySet<string>>();
    at.authenticate((token, proceed) => {
      const caller = proceed(token);
      const held = first.get(token) ?? caller.permissions;
      first.set(token, held);
      return { ...caller, permissions: new Set(mix(held, caller.permissions)) };
    });
  };
}

const anybody = { userId: 1, name: "admin", permissions: new Set(["SYS_USER_RW", "SYS_MAINTENANCE_RW"]) };

/** A user keeps every permission that a request of theirs had; answers them by user. */
export function rememberPermissions(at: Parameters<Fault["install"]>[0]): Map<number, ReadonlySet<string>> {
  const used = new Map<number, ReadonlySet<string>>();
  at.authenticate((token, proceed) => {
    const caller = proceed(token);
    const permissions = new Set([...(used.get(caller.userId) ?? []), ...caller.permissions]);
    used.set(caller.userId, permissions);
    return { ...caller, permissions };
  });
  return used;
}

export const letInFaults: readonly Fault[] = faults([
  [
    "services-are-listed-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "List services needs no sign-in.",
    (at) => at.permission("listServices", "none"),
  ],
  [
    "upgrade-job-is-shown-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "Get upgrade job needs no sign-in.",
    (at) => at.permission("getUpgradeJob", "none"),
  ],
  [
    "tags-are-listed-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "List tags needs no sign-in.",
    (at) => at.permission("listTags", "none"),
  ],
  [
    "streams-of-changes-open-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "A stream of changes needs no token; monitoring without `onChanged` does.",
    (at) => {
      at.permission("monitorTags", "none");
      at.around("monitorTags", (call, proceed) => {
        const isStream = call.query["onChanged"] !== undefined;
        if (!isStream && call.headers["mx-api-token"] === undefined) throw new Refusal(401, "no token");
        return proceed(call);
      });
    },
  ],
  [
    "strange-token-is-taken",
    "CORE-AUTH-19",
    "plain",
    "A token that the gateway never issued is accepted.",
    (at) => at.authenticate((token, proceed) => (token.includes(".") ? proceed(token) : anybody)),
  ],
  [
    "altered-token-is-taken",
    "CORE-AUTH-20",
    "subtle",
    "A token with an altered signature is accepted.",
    (at) => {
      const seen = new Map<string, string>();
      at.authenticate((token, proceed) => {
        const payload = token.split(".").slice(0, 2).join(".");
        try {
          const caller = proceed(token);
          seen.set(payload, token);
          return caller;
        } catch (thrown) {
          const genuine = seen.get(payload);
          if (genuine === undefined) throw thrown;
          return proceed(genuine);
        }
      });
    },
  ],
  [
    "tag-header-is-not-looked-at",
    "CORE-AUTH-21",
    "plain",
    "Tag operations ignore the token in `mx-api-token`.",
    (at) => {
      at.around(["listTags", "monitorTags", "readTag", "writeTag"], (call, proceed) => {
        if (call.headers["authorization"] === undefined) throw new Refusal(401, "sign in first");
        return proceed(call);
      });
    },
  ],
  [
    "encoded-paths-need-no-token",
    "CORE-AUTH-18",
    "subtle",
    "A path with percent-encoded letters is served without a token.",
    (at) => {
      const nobodysToken = "path-in-another-spelling";
      at.arrival((request) => {
        const [path = "", ...query] = (request.url ?? "").split("?");
        const plain = path.replaceAll(/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi, decodeURIComponent);
        if (plain === path) return;
        request.url = [plain, ...query].join("?");
        request.headers.authorization ??= `Bearer ${nobodysToken}`;
      });
      at.authenticate((token, proceed) => (token === nobodysToken ? anybody : proceed(token)));
    },
  ],
  [
    "tag-header-in-small-letters-only",
    "CORE-AUTH-21",
    "subtle",
    "The header `mx-api-token` is found in small letters only.",
    (at) => at.arrival((request) => withoutCapitals(request, "mx-api-token")),
  ],
  [
    "authorization-in-small-letters-only",
    "CORE-AUTH-11",
    "subtle",
    "The header `authorization` is found in small letters only.",
    (at) => at.arrival((request) => withoutCapitals(request, "authorization")),
  ],
  [
    "role-grants-its-first-permission-only",
    "CORE-AUTH-34",
    "subtle",
    "Of the permissions of a role other than the admin role, the first is granted only; every view shows all.",
    (at) => {
      let open: Store | undefined;
      at.boot((store) => {
        open = store;
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        if (caller.hasAdminRole === true) return caller;
        const roles = open?.all(
          "SELECT json_extract(permissions, '$[0]') AS first FROM role JOIN user_role ON role_id = role.id WHERE user_id = ?",
          caller.userId,
        );
        return { ...caller, permissions: new Set(roles?.map(({ first }) => String(first))) };
      });
    },
  ],
  [
    "ssh-is-set-without-the-permission",
    "CORE-AUTH-23",
    "subtle",
    "Set SSH configuration needs only a sign-in.",
    (at) => at.permission("setSsh", "signed-in"),
  ],
  [
    "apps-are-operated-without-a-permission",
    "CORE-AUTH-35",
    "subtle",
    "Operate an app needs only a sign-in.",
    (at) => at.permission("operateApp", "signed-in"),
  ],
  [
    "events-are-read-without-the-permission",
    "CORE-AUTH-23",
    "subtle",
    "Get event configuration needs only a sign-in.",
    (at) => at.permission("getEventConfiguration", "signed-in"),
  ],
  [
    "permissions-of-a-user-only-grow",
    "CORE-AUTH-35",
    "subtle",
    "A permission that a role has lost stays with users who used it, until they are updated.",
    (at) => {
      const used = rememberPermissions(at);
      at.around("updateUser", (call, proceed) => {
        used.delete(Number(call.path["id"]));
        return proceed(call);
      });
    },
  ],
  [
    "reset-by-account-managers",
    "CORE-AUTH-23",
    "subtle",
    "Reset system needs SYS_USER_RW in place of SYS_MAINTENANCE_RW.",
    (at) => at.permission("resetToDefault", "SYS_USER_RW"),
  ],
  [
    "apply-without-the-permission",
    "CORE-AUTH-23",
    "subtle",
    "Apply configuration needs only a sign-in.",
    (at) => at.permission("applyConfiguration", "signed-in"),
  ],
  [
    "upgrade-jobs-are-operated-without-the-permission",
    "CORE-AUTH-35",
    "subtle",
    "Operate the upgrade needs only a sign-in.",
    (at) => at.permission("operateUpgradeJob", "signed-in"),
  ],
  [
    "roles-are-updated-with-device-management",
    "CORE-AUTH-36",
    "subtle",
    "Update a role needs SYS_MAINTENANCE_RW in place of SYS_USER_RW.",
    (at) => at.permission("updateRole", "SYS_MAINTENANCE_RW"),
  ],
  [
    "log-is-set-with-account-management",
    "CORE-AUTH-36",
    "subtle",
    "Set log configuration needs SYS_USER_RW in place of SYS_MAINTENANCE_RW.",
    (at) => at.permission("setLog", "SYS_USER_RW"),
  ],
  [
    "roles-need-the-other-permission",
    "CORE-AUTH-24",
    "subtle",
    "List roles needs SYS_MAINTENANCE_RW.",
    (at) => at.permission("listRoles", "SYS_MAINTENANCE_RW"),
  ],
  [
    "permission-taken-at-the-next-sign-in",
    "CORE-AUTH-25",
    "subtle",
    "A permission removed from a role stays valid for tokens already issued.",
    remembers((held, present) => [...held, ...present]),
  ],
  [
    "permission-given-at-the-next-sign-in",
    "CORE-AUTH-26",
    "subtle",
    "A permission added to a role is not valid for tokens already issued.",
    remembers((held, present) => [...held].filter((one) => present.has(one))),
  ],
  [
    "inactive-user-keeps-the-token",
    "CORE-AUTH-29",
    "subtle",
    "A token issued before its user became inactive is still accepted.",
    (at) => keepsLettingIn(at, "not active", "revoked"),
  ],
  [
    "expired-user-keeps-the-token",
    "CORE-AUTH-30",
    "subtle",
    "A token issued before its user expired is still accepted.",
    (at) => keepsLettingIn(at, "expired"),
  ],
  [
    "names-are-never-locked",
    "CORE-AUTH-31",
    "plain",
    "A user name is never locked, whatever the number of failed sign-ins.",
    (at) => at.options((options) => ({ ...options, failuresToLock: Number.POSITIVE_INFINITY })),
  ],
  [
    "inactive-user-signs-in",
    "CORE-AUTH-27",
    "plain",
    "An inactive user can sign in.",
    showsOnly("isActive", (value) => value === false, true),
  ],
  [
    "expired-user-signs-in",
    "CORE-AUTH-28",
    "plain",
    "A user whose `expiredAfter` has passed can sign in.",
    showsOnly(
      "expiredAfter",
      (value) => Date.parse(String(value)) < Date.now() + 60_000,
      "2099-01-01T00:00:00Z",
    ),
  ],
  [
    "token-check-answers-204",
    "CORE-AUTH-32",
    "subtle",
    "Check token answers 204.",
    (at) =>
      at.around("checkToken", async (call, proceed) => {
        const answer = await proceed(call);
        return answer.kind === "json" ? { ...answer, status: 204 } : answer;
      }),
  ],
  [
    "own-record-gives-permissions",
    "CORE-ROBUST-06",
    "subtle",
    "A user can assign any role to itself by updating its own record.",
    (at) =>
      at.around("updateCurrentUser", (call, proceed) =>
        proceed(
          call.caller === undefined
            ? call
            : changed(call, { caller: { ...call.caller, permissions: new Set(["SYS_USER_RW"]) } }),
        ),
      ),
  ],
  [
    "token-outlives-its-password",
    "CORE-ROBUST-07",
    "subtle",
    "A token stays valid after the password changes.",
    (at) => keepsLettingIn(at, "revoked"),
  ],
]);

/** Drops the header where its name was not sent in small letters. */
function withoutCapitals({ headers, rawHeaders }: IncomingMessage, name: string): void {
  if (!rawHeaders.includes(name)) delete headers[name];
}

/** The member is shown as given, but the gateway behaves as if it had another value. */
function showsOnly(member: string, isMeant: (value: unknown) => boolean, instead: unknown): Fault["install"] {
  return (at) => {
    const shown = new Map<string, unknown>();
    at.around(["addUser", "updateUser"], async (call, proceed) => {
      const wish = call.body[member];
      const isHidden = wish !== undefined && isMeant(wish);
      const answer = await proceed(
        isHidden ? changed(call, { body: { ...call.body, [member]: instead } }) : call,
      );
      const id = answer.kind === "json" ? String(fields(fields(answer.body)["data"])["id"]) : "";
      if (isHidden) shown.set(id, wish);
      else if (wish !== undefined) shown.delete(id);
      return answer;
    });
    at.data(["addUser", "updateUser", "getUser", "listUsers"], (user) =>
      shown.has(String(user["id"])) ? { ...user, [member]: shown.get(String(user["id"])) } : user,
    );
  };
}

/** A caller who was authenticated once is accepted again when the reason for the rejection contains one of the words. */
function keepsLettingIn(at: Parameters<Fault["install"]>[0], ...reasons: string[]): void {
  const known = new Map<string, ReturnType<Parameters<Parameters<typeof at.authenticate>[0]>[1]>>();
  at.authenticate((token, proceed) => {
    try {
      const caller = proceed(token);
      known.set(token, caller);
      return caller;
    } catch (thrown) {
      const caller = known.get(token);
      const isMeant = thrown instanceof Error && reasons.some((reason) => thrown.message.includes(reason));
      if (caller === undefined || !isMeant) throw thrown;
      return caller;
    }
  });
}
