// Faults of what accounts permit and show after something else was done: other roles, another sign-in, a rejected change.
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer, Call } from "../../reference-impl/http/handler.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { CallId } from "../mechanism/operationAlterations.ts";
import { rememberPermissions } from "./access.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";

const dataOf = (answer: Answer): ReturnType<typeof fields> =>
  answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};

/** Installs the fault with the copy that each sign-in has of its user: of its first reading, or of its last own update. */
const withCopies =
  (
    install: (at: GatewayAlterations, copies: ReadonlyMap<string, ReturnType<typeof fields>>) => void,
  ): Fault["install"] =>
  (at) => {
    const copies = new Map<string, ReturnType<typeof fields>>();
    at.data(["getCurrentUser", "updateCurrentUser"], (user, call) => {
      const isOwnUpdate = "email" in call.body || "expiredAfter" in call.body;
      if (isOwnUpdate || !copies.has(tokenOf(call))) copies.set(tokenOf(call), user);
      return user;
    });
    install(at, copies);
  };

export const accountRightFaults: readonly Fault[] = faults([
  [
    "permissions-are-remembered-until-a-role-changes",
    "CORE-AUTH-35",
    "subtle",
    "A role that is taken from a user still permits what the user has called before, until a role is updated.",
    (at) => {
      const used = rememberPermissions(at);
      at.around("updateRole", (call, proceed) => {
        used.clear();
        return proceed(call);
      });
    },
  ],
  [
    "taken-role-takes-the-permissions-of-others",
    "CORE-USER-57",
    "subtle",
    "With a role that is taken from a user, the permissions disappear that another role of the user has as well.",
    (at) => {
      const lost = new Map<string, ReadonlySet<unknown>>();
      at.around("updateUser", async (call, proceed, ask) => {
        const before = items(dataOf(await ask("getUser", { path: { ...call.path } }))["roles"]);
        const answer = await proceed(call);
        const left = new Set(items(dataOf(answer)["roles"]).map(({ id }) => id));
        const taken = new Set<unknown>();
        for (const { id } of before)
          if (!left.has(id))
            for (const one of permissionsOf(await ask("getRole", { path: { id: text(id) } }))) taken.add(one);
        lost.set(call.path["id"] ?? "", taken);
        return answer;
      });
      at.around("updateRole", (call, proceed) => {
        lost.clear();
        return proceed(call);
      });
      at.data(userViews, (user) => ({
        ...user,
        permissions: [user["permissions"]]
          .flat()
          .filter((one) => lost.get(text(user["id"]))?.has(one) !== true),
      }));
    },
  ],
  [
    "current-user-is-shown-as-at-the-sign-in",
    "CORE-USER-48",
    "subtle",
    "Get current user shows the `email` and `expiredAfter` of the time of the sign-in.",
    (at) => {
      const signedIn = new Map<string, ReturnType<typeof fields>>();
      at.data("signIn", (data) => {
        signedIn.set(text(data["token"]), fields(data["user"]));
        return data;
      });
      at.data("getCurrentUser", (user, call) => {
        const { email, expiredAfter } = signedIn.get(tokenOf(call)) ?? user;
        return { ...user, email, expiredAfter };
      });
    },
  ],
  [
    "open-sign-in-shows-its-own-copy-of-the-user",
    "CORE-USER-48",
    "subtle",
    "Get current user shows the `email` and `expiredAfter` of its first reading, or of the last update by that user.",
    withCopies((at, copies) =>
      at.data("getCurrentUser", (user, call) => {
        const { email, expiredAfter } = copies.get(tokenOf(call)) ?? user;
        return { ...user, email, expiredAfter };
      }),
    ),
  ],
  [
    "own-update-writes-its-copy-of-the-user",
    "CORE-USER-50",
    "subtle",
    "A user's own update of `email` sets `expiredAfter` to that of the first reading of the sign-in.",
    withCopies((at, copies) =>
      at.body("updateCurrentUser", (body, call) => {
        const expiredAfter = copies.get(tokenOf(call))?.["expiredAfter"];
        return body["expiredAfter"] === undefined && expiredAfter !== undefined
          ? { ...body, expiredAfter }
          : body;
      }),
    ),
  ],
  [
    "expiry-of-a-new-user-in-nanoseconds",
    "CORE-USER-21",
    "subtle",
    "`expiredAfter` of a new user is stored as nanoseconds in 64 bits, which end in the year 2262.",
    inNanoseconds("addUser"),
  ],
  [
    "expiry-of-an-update-in-nanoseconds",
    "CORE-USER-36",
    "subtle",
    "`expiredAfter` of an update is stored as nanoseconds in 64 bits, which end in the year 2262.",
    inNanoseconds("updateUser"),
  ],
  [
    "sign-in-moves-every-login-time",
    "CORE-USER-09",
    "subtle",
    "A sign-in sets `loginAt` of every user.",
    (at) => {
      let lastMs = 0;
      at.data("signIn", (data) => {
        lastMs = Date.now();
        return data;
      });
      at.data(userViews, (user) =>
        user["loginAt"] === neverLoggedIn && Date.parse(text(user["createdAt"])) < lastMs
          ? { ...user, loginAt: new Date(lastMs).toISOString() }
          : user,
      );
    },
  ],
  [
    "rejected-password-by-id-moves-its-time",
    "CORE-USER-56",
    "subtle",
    "A password change by id that is rejected moves `changedPasswordAt` of the user.",
    (at) => {
      const moved = new Map<string, string>();
      at.around("updateUserPassword", async (call, proceed) => {
        try {
          return await proceed(call);
        } catch (thrown) {
          moved.set(call.path["id"] ?? "", new Date().toISOString());
          throw thrown;
        }
      });
      at.data(["getUser", "listUsers"], (user) => ({
        ...user,
        changedPasswordAt: moved.get(text(user["id"])) ?? user["changedPasswordAt"],
      }));
    },
  ],
  [
    "rejected-own-password-ends-the-old-one",
    "CORE-GENERAL-10",
    "subtle",
    "A user's own password change that is rejected for its `newPassword` leaves the user without a password.",
    withoutPassword("updateCurrentUserPassword", ({ caller }) => text(caller?.userId)),
  ],
  [
    "rejected-password-by-id-ends-the-old-one",
    "CORE-GENERAL-10",
    "subtle",
    "A password change by id that is rejected for its `newPassword` leaves the user without a password.",
    withoutPassword("updateUserPassword", ({ path }) => path["id"] ?? ""),
  ],
  [
    "roles-sent-twice-list-the-user-twice",
    "CORE-ROLE-11",
    "subtle",
    "A role that an update of a user names twice has the user among its users twice.",
    (at) => {
      const twice = new Map<string, unknown>();
      at.body("updateUser", (body, call) => {
        const ids = [body["roles"] ?? []].flat();
        twice.set(
          call.path["id"] ?? "",
          ids.find((id, index) => ids.indexOf(id) !== index),
        );
        return body;
      });
      at.data(["getRole", "listRoles"], (role) => ({
        ...role,
        users: items(role["users"]).flatMap((user) =>
          twice.get(text(user["id"])) === role["id"] ? [user, user] : [user],
        ),
      }));
    },
  ],
  [
    "mistyped-members-of-user-updates-are-ignored",
    "CORE-GENERAL-09",
    "plain",
    "An update of a user by ID ignores `isActive`, `expiredAfter` and `roles` of another type.",
    ignoresMistyped("updateUser"),
  ],
  [
    "mistyped-members-of-own-updates-are-ignored",
    "CORE-GENERAL-09",
    "plain",
    "An update of the current user ignores members of another type.",
    ignoresMistyped("updateCurrentUser"),
  ],
  [
    "role-description-as-number-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A `description` of a new role that is a number or an object is accepted as text.",
    asText("createRole", "description"),
  ],
  [
    "email-as-number-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An `email` of a new user that is a number or an object is accepted and left out.",
    (at) => {
      at.lenient("addUser", "json", "email");
      at.body("addUser", ({ email, ...body }) => (typeof email === "string" ? { ...body, email } : body));
    },
  ],
  [
    "password-as-number-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A `password` of a new user that is a number or an object is accepted as text.",
    asText("addUser", "password"),
  ],
]);

function permissionsOf(role: Answer): unknown[] {
  return [dataOf(role)["permissions"]].flat();
}

function tokenOf({ headers }: Call): string {
  return text(headers["authorization"]).replace("Bearer ", "");
}

/** Stores `expiredAfter` as a counter of nanoseconds with 64 bits does. */
function inNanoseconds(operation: "addUser" | "updateUser"): Fault["install"] {
  return (at) =>
    at.body(operation, (body) => {
      const ms = Date.parse(text(body["expiredAfter"]));
      if (Number.isNaN(ms)) return body;
      const nanoseconds = BigInt.asIntN(64, BigInt(ms) * 1_000_000n);
      return { ...body, expiredAfter: new Date(Number(nanoseconds / 1_000_000n)).toISOString() };
    });
}

/** After a rejection about `newPassword` the user cannot sign in until the password is changed. */
function withoutPassword(operation: CallId, userOf: (call: Call) => string): Fault["install"] {
  return (at) => {
    const without = new Set<string>();
    at.around(operation, async (call, proceed) => {
      try {
        const answer = await proceed(call);
        without.delete(userOf(call));
        return answer;
      } catch (thrown) {
        if (thrown instanceof Error && thrown.message.startsWith("newPassword")) without.add(userOf(call));
        throw thrown;
      }
    });
    at.data("signIn", (data) => {
      if (without.has(text(fields(data["user"])["id"]))) throw new Refusal(401, "the password is wrong");
      return data;
    });
  };
}

/** Takes a number for the text of its digits. */
function asText(operation: "createRole" | "addUser", member: string): Fault["install"] {
  return (at: GatewayAlterations) => {
    at.lenient(operation, "json", member);
    at.body(operation, (body) =>
      ["string", "undefined"].includes(typeof body[member])
        ? body
        : { ...body, [member]: JSON.stringify(body[member]) },
    );
  };
}

function ignoresMistyped(operation: "updateUser" | "updateCurrentUser"): Fault["install"] {
  return (at: GatewayAlterations) => {
    at.lenient(operation, "json", "isActive", "expiredAfter", "roles");
    at.body(operation, ({ isActive, expiredAfter, roles, ...body }) => ({
      ...body,
      ...(typeof isActive === "boolean" ? { isActive } : {}),
      ...(Number.isNaN(Date.parse(text(expiredAfter))) ? {} : { expiredAfter }),
      ...(Array.isArray(roles) ? { roles } : {}),
    }));
  };
}
