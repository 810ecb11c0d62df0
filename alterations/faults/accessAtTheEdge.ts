// Faults of access at the edges: rejected calls that are carried out, operations beside the interface, sign-ins at once.
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer, Caller } from "../../reference-impl/http/handler.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { fields, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const everyPermission = new Set(["SYS_USER_RW", "SYS_MAINTENANCE_RW"]);
const anybody: Caller = { userId: 1, name: "admin", permissions: everyPermission };

/** Requests of the form have their token marked, and the marked tokens are decided by the step. */
function ofSome(
  at: GatewayAlterations,
  isMeant: (request: IncomingMessage) => boolean,
  decide: (token: string, proceed: (token: string) => Caller) => Caller,
): void {
  const mark = "marked~";
  at.arrival((request) => {
    if (!isMeant(request)) return;
    const { authorization = "" } = request.headers;
    request.headers.authorization = `Bearer ${mark}${authorization.replace(/^Bearer +/i, "")}`;
  });
  at.authenticate((token, proceed) =>
    token.startsWith(mark) ? decide(token.slice(mark.length), proceed) : proceed(token),
  );
}

const removes =
  (list: string) =>
  ({ method, url = "" }: IncomingMessage): boolean =>
    method === "DELETE" && url.includes(`/${list}/`);

/** The operation is carried out before the caller is rejected. */
function carriesOut(operation: "createRole" | "addUser" | "deleteVirtualTag", permission: string) {
  const install: Fault["install"] = (at) => {
    at.permission(operation, "signed-in");
    at.around(operation, async (call, proceed) => {
      const answer = await proceed(call);
      if (call.caller?.permissions.has(permission) !== true) throw new Refusal(403, `needs ${permission}`);
      return answer;
    });
  };
  return install;
}

const within = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

export const edgeAccessFaults: readonly Fault[] = faults([
  [
    "call-without-a-token-is-carried-out",
    "CORE-AUTH-18",
    "subtle",
    "Create role without a token is rejected with 401, and carried out.",
    (at) => {
      const nobody: Caller = { ...anybody, name: "" };
      ofSome(
        at,
        ({ method, url = "", headers }) =>
          method === "POST" && url.endsWith("/roles") && headers.authorization === undefined,
        () => nobody,
      );
      at.around("createRole", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.caller === nobody) throw new Refusal(401, "sign in first");
        return answer;
      });
    },
  ],
  ...(
    [
      ["log-of-an-app-is-sent-to-anybody", "A log download with `appName`", /[?&]appName=/],
      [
        "encrypted-export-is-sent-to-anybody",
        "An encrypted export",
        /^(?!.*encryption=).*[?&]action=download/,
      ],
    ] as const
  ).map(
    ([id, what, isMeant]) =>
      [
        id,
        "CORE-AUTH-18",
        "subtle",
        `${what} needs no sign-in.`,
        (at: GatewayAlterations) =>
          ofSome(
            at,
            ({ method, url = "" }) => method === "GET" && isMeant.test(url),
            () => anybody,
          ),
      ] as const,
  ),
  [
    "addition-without-the-permission-is-carried-out",
    "CORE-AUTH-35",
    "subtle",
    "Add user by a user without the permission is rejected with 403, and carried out.",
    carriesOut("addUser", "SYS_USER_RW"),
  ],
  [
    "users-are-removed-by-anybody",
    "CORE-AUTH-18",
    "subtle",
    "Delete user needs no sign-in.",
    (at) => ofSome(at, removes("users"), () => anybody),
  ],
  [
    "roles-are-removed-without-a-permission",
    "CORE-AUTH-35",
    "subtle",
    "Delete role needs only a sign-in.",
    (at) =>
      ofSome(at, removes("roles"), (token, proceed) => ({ ...proceed(token), permissions: everyPermission })),
  ],
  [
    "websocket-token-opens-streams",
    "CORE-AUTH-14",
    "subtle",
    "A stream of events opens with a websocket token.",
    (at) => {
      const issued = new Set<string>();
      at.data("getWebsocketToken", (data) => {
        issued.add(text(data["token"]));
        return data;
      });
      ofSome(
        at,
        ({ url = "" }) => /\/events\?.*\bevent\b/.test(url),
        (token, proceed) => (issued.has(token) ? anybody : proceed(token)),
      );
    },
  ],
  [
    "users-without-roles-may-do-all",
    "CORE-AUTH-35",
    "subtle",
    "A user who has no role has every permission, in no view.",
    (at) => {
      let open: Store | undefined;
      at.boot((store) => {
        open = store;
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        const hasRoles = open?.get("SELECT 1 FROM user_role WHERE user_id = ?", caller.userId) !== undefined;
        return hasRoles ? caller : { ...caller, permissions: everyPermission };
      });
    },
  ],
  [
    "empty-token-is-taken",
    "CORE-AUTH-19",
    "subtle",
    "An empty token is accepted.",
    (at) => {
      at.arrival(({ headers }) => {
        if (/^Bearer *$/i.test(headers.authorization ?? "")) headers.authorization = "Bearer empty~";
      });
      at.authenticate((token, proceed) => (token === "empty~" ? anybody : proceed(token)));
    },
  ],
  [
    "user-0-is-the-first",
    "CORE-USER-33",
    "subtle",
    "Get user by id returns the first user for the id 0.",
    (at) => firstFor0(at, "getUser"),
  ],
  [
    "role-0-is-the-first",
    "CORE-ROLE-25",
    "subtle",
    "Get role by id returns the first role for the id 0.",
    (at) => firstFor0(at, "getRole"),
  ],
  [
    "sign-ins-at-once-share-their-result",
    "CORE-AUTH-09",
    "subtle",
    "Of sign-ins with a name at the same time, all have the result of the first one.",
    (at) => {
      const begun = new Map<string, Promise<Answer>>();
      at.around("signIn", (call, proceed) => {
        const name = text(call.body["name"]);
        const answer = begun.get(name) ?? proceed(call);
        begun.set(name, answer);
        const end = (): void => void begun.delete(name);
        answer.then(end, end);
        return answer;
      });
    },
  ],
  [
    "roles-given-at-once-are-joined",
    "CORE-USER-38",
    "subtle",
    "Of two updates of the roles of a user at the same time, the second adds its roles to those of the first.",
    (at) => {
      const begun = new Map<string, unknown[]>();
      at.around("updateUser", async (call, proceed) => {
        const id = text(call.path["id"]);
        const roles = Array.isArray(call.body["roles"]) ? (call.body["roles"] as unknown[]) : undefined;
        if (roles === undefined) return proceed(call);
        const joined = [...(begun.get(id) ?? []), ...roles];
        begun.set(id, joined);
        await within(2);
        const answer = await proceed(changed(call, { body: { ...call.body, roles: joined } }));
        begun.delete(id);
        return answer;
      });
    },
  ],
  [
    "success-of-another-ends-a-lock",
    "CORE-AUTH-31",
    "subtle",
    "A successful sign-in unlocks every name.",
    (at) => {
      const failures = new Map<string, number>();
      let most = Infinity;
      at.options((options) => {
        most = options.failuresToLock;
        return { ...options, failuresToLock: Infinity };
      });
      at.around("signIn", async (call, proceed) => {
        const name = text(call.body["name"]);
        if ((failures.get(name) ?? 0) >= most) throw new Refusal(423, "locked");
        try {
          const answer = await proceed(call);
          failures.clear();
          return answer;
        } catch (thrown) {
          failures.set(name, (failures.get(name) ?? 0) + 1);
          throw thrown;
        }
      });
    },
  ],
  [
    "token-check-takes-altered-tokens",
    "CORE-AUTH-32",
    "subtle",
    "Check token accepts a token whose signature was changed.",
    (at) => {
      const known = new Set<string>();
      const begin = (token: string): string => token.split(".").slice(0, 2).join(".");
      ofSome(
        at,
        ({ method, url = "" }) => method === "GET" && url.endsWith("/auth"),
        (token, proceed) => (known.has(begin(token)) ? anybody : proceed(token)),
      );
      at.data("signIn", (data) => {
        known.add(begin(text(data["token"])));
        return data;
      });
    },
  ],
  [
    "token-check-takes-tokens-of-inactive-users",
    "CORE-AUTH-32",
    "subtle",
    "Check token accepts the token of a user who was made inactive.",
    (at) => {
      const known = new Set<string>();
      ofSome(
        at,
        ({ method, url = "" }) => method === "GET" && url.endsWith("/auth"),
        (token, proceed) => (known.has(token) ? anybody : proceed(token)),
      );
      at.data("signIn", (data) => {
        known.add(text(data["token"]));
        return data;
      });
    },
  ],
  [
    "password-ends-at-a-quote",
    "CORE-AUTH-09",
    "subtle",
    "A password counts up to its first quote.",
    (at) => {
      const cut = (value: unknown): unknown => (typeof value === "string" ? value.split('"')[0] : value);
      at.body(["signIn", "addUser"], (body) => ({ ...body, password: cut(body["password"]) }));
      at.body(["updateUserPassword", "updateCurrentUserPassword"], (body) => ({
        ...body,
        newPassword: cut(body["newPassword"]),
        ...(body["oldPassword"] === undefined ? {} : { oldPassword: cut(body["oldPassword"]) }),
      }));
    },
  ],
  [
    "password-by-id-takes-32-bits-of-an-id",
    "CORE-USER-44",
    "subtle",
    "Update user password by ID takes the last 32 bits of an id for the id.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) =>
        proceed(changed(call, { path: { id: String(BigInt(call.path["id"] ?? "0") % 2n ** 32n) } })),
      ),
  ],
  [
    "expiry-of-a-new-user-does-not-count",
    "CORE-AUTH-28",
    "subtle",
    "A user whose `expiredAfter` had passed when they were added can sign in.",
    (at) => {
      const passed = new Map<unknown, unknown>();
      at.around("addUser", async (call, proceed) => {
        const { expiredAfter } = call.body;
        if (Date.parse(text(expiredAfter)) > Date.now()) return proceed(call);
        const body = { ...call.body, expiredAfter: "2099-01-01T00:00:00Z" };
        const answer = await proceed(changed(call, { body }));
        if (answer.kind === "json") passed.set(fields(fields(answer.body)["data"])["id"], expiredAfter);
        return answer;
      });
      at.data(["addUser", "getUser", "listUsers"], (user) =>
        passed.has(user["id"]) ? { ...user, expiredAfter: passed.get(user["id"]) } : user,
      );
    },
  ],
]);

function firstFor0(at: GatewayAlterations, operation: "getUser" | "getRole"): void {
  at.around(operation, (call, proceed) =>
    proceed(call.path["id"] === "0" ? changed(call, { path: { id: "1" } }) : call),
  );
}
