// Faults of sign-in and of websocket tokens.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, fields, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";

export const signInFaults: readonly Fault[] = faults([
  [
    "sign-in-shows-when-the-user-was-created",
    "CORE-AUTH-04",
    "plain",
    "The user returned by a sign-in has `createdAt`.",
    (at) =>
      at.data("signIn", (data) => ({
        ...data,
        user: { ...fields(data["user"]), createdAt: "2026-01-01T00:00:00Z" },
      })),
  ],
  [
    "sign-in-shows-the-reminder",
    "CORE-USER-13",
    "subtle",
    "The user returned by a sign-in has `remindToChangePassword`.",
    (at) =>
      at.data("signIn", (data) => ({
        ...data,
        user: { ...fields(data["user"]), remindToChangePassword: null },
      })),
  ],
  [
    "sign-in-shows-another-user",
    "CORE-AUTH-03",
    "subtle",
    "The user returned by a sign-in is the one who signed in before.",
    (at) => {
      let before: unknown;
      at.data("signIn", (data) => {
        const user = before ?? data["user"];
        before = data["user"];
        return { ...data, user };
      });
    },
  ],
  [
    "sign-in-takes-names-in-any-letters",
    "CORE-AUTH-06",
    "subtle",
    "A sign-in ignores capital letters of the name: of two users with such names only the last one added signs in.",
    (at) => {
      const names = new Map<string, string>();
      at.data("addUser", (user) => {
        names.set(String(user["name"]).toLowerCase(), String(user["name"]));
        return user;
      });
      at.body("signIn", (body) => ({
        ...body,
        name: names.get(String(body["name"]).toLowerCase()) ?? body["name"],
      }));
    },
  ],
  [
    "sign-in-answers-201",
    "CORE-AUTH-05",
    "plain",
    "A sign-in is answered with 201.",
    (at) =>
      at.around("signIn", async (call, proceed) => {
        const answer = await proceed(call);
        return answer.kind === "json" ? { ...answer, status: 201 } : answer;
      }),
  ],
  [
    "sign-in-needs-the-eula",
    "CORE-AUTH-06",
    "plain",
    "A sign-in without `acceptEULA` is rejected.",
    (at) =>
      at.around("signIn", (call, proceed) => {
        if (call.body["acceptEULA"] === undefined) throw badInput("acceptEULA: expected a boolean");
        return proceed(call);
      }),
  ],
  [
    "sign-in-without-a-name",
    "CORE-AUTH-07",
    "plain",
    "A sign-in without a name is accepted as admin.",
    (at) => {
      at.lenient("signIn", "json", "name");
      at.body("signIn", (body) => ({ name: "admin", ...body }));
    },
  ],
  [
    "sign-in-without-a-password",
    "CORE-AUTH-08",
    "plain",
    "A sign-in without a password is accepted.",
    (at) => {
      let password = "";
      at.options((options) => {
        password = options.adminPassword;
        return options;
      });
      at.lenient("signIn", "json", "password");
      at.body("signIn", (body) => (body["password"] === undefined ? { name: "admin", password } : body));
    },
  ],
  [
    "wrong-password-is-a-403",
    "CORE-AUTH-09",
    "plain",
    "A wrong password is rejected with 403.",
    (at) => at.around("signIn", rejectedWith403),
  ],
  [
    "password-with-something-behind-is-taken",
    "CORE-AUTH-09",
    "subtle",
    "A password with one character too many is accepted.",
    (at) =>
      at.around(
        "signIn",
        alsoWith((password) => password.slice(0, -1)),
      ),
  ],
  [
    "password-ends-at-a-nul",
    "CORE-AUTH-09",
    "subtle",
    "A password counts up to its first NUL character.",
    (at) =>
      at.body("signIn", (body) => ({ ...body, password: text(body["password"]).replace(/\0.*$/s, "") })),
  ],
  [
    "password-in-other-letters-is-taken",
    "CORE-AUTH-09",
    "subtle",
    "A password with upper and lower case exchanged is accepted.",
    (at) =>
      at.around(
        "signIn",
        alsoWith((password) =>
          password.replaceAll(/./gu, (letter) =>
            letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
          ),
        ),
      ),
  ],
  [
    "unknown-name-is-a-404",
    "CORE-AUTH-10",
    "plain",
    "An unknown user name is rejected with 404.",
    (at) =>
      at.around("signIn", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          // Only the administrator's name is known beforehand.
          throw thrown instanceof Refusal && thrown.status === 401 && call.body["name"] !== "admin"
            ? new Refusal(404, "no such user")
            : thrown;
        }),
      ),
  ],
  [
    "sign-ins-side-by-side-share-a-token",
    "CORE-AUTH-11",
    "subtle",
    "Users who sign in within half a second of each other get the same token.",
    (at) => {
      let last: { readonly token: unknown; readonly atMs: number } | undefined;
      at.data("signIn", (data) => {
        const nowMs = performance.now();
        if (last !== undefined && nowMs - last.atMs < 500) return { ...data, token: last.token };
        last = { token: data["token"], atMs: nowMs };
        return data;
      });
    },
  ],
  [
    "websocket-token-signs-in",
    "CORE-AUTH-14",
    "subtle",
    "A websocket token is accepted as a sign-in token.",
    (at) => {
      const holders = new Map<string, string>();
      let last = "";
      at.authenticate((token, proceed) => {
        const caller = proceed(holders.get(token) ?? token);
        last = token;
        return caller;
      });
      at.data("getWebsocketToken", (data) => {
        holders.set(String(data["token"]), last);
        return data;
      });
    },
  ],
  [
    "second-websocket-token-ends-with-the-first",
    "CORE-AUTH-16",
    "subtle",
    "A websocket token ends 30 seconds after the first one that the user has not used.",
    (at) => {
      const beganMs = new Map<number | undefined, number>();
      const endsMs = new Map<string, number>();
      at.around("getWebsocketToken", async (call, proceed) => {
        const answer = await proceed(call);
        const userId = call.caller?.userId;
        const nowMs = performance.now();
        if (nowMs - (beganMs.get(userId) ?? -Infinity) > 30_000) beganMs.set(userId, nowMs);
        if (answer.kind === "json")
          endsMs.set(String(valueAt(answer.body, "data.token")), (beganMs.get(userId) ?? nowMs) + 30_000);
        return answer;
      });
      at.redeem((token, proceed) =>
        performance.now() > (endsMs.get(token) ?? Infinity) ? undefined : proceed(token),
      );
    },
  ],
  [
    "websocket-token-opens-two",
    "CORE-AUTH-15",
    "subtle",
    "A websocket token opens two websockets.",
    (at) => {
      const used = new Map<string, ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>>();
      at.redeem((token, proceed) => {
        const again = used.get(token);
        used.delete(token);
        if (again !== undefined) return again;
        const holder = proceed(token);
        if (holder !== undefined) used.set(token, holder);
        return holder;
      });
    },
  ],
  [
    "websocket-token-good-for-33s",
    "CORE-AUTH-16",
    "subtle",
    "A websocket token is valid for 33 s.",
    lives(33_000),
  ],
  [
    "websocket-token-good-for-27s",
    "CORE-AUTH-16",
    "subtle",
    "A websocket token is valid for 27 s.",
    lives(27_000),
  ],
  [
    "websocket-opens-without-a-token",
    "CORE-AUTH-17",
    "subtle",
    "A websocket opens with an empty token.",
    (at) => {
      let holder: ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>;
      at.redeem((token, proceed) => {
        const found = token === "" ? holder : proceed(token);
        holder = found ?? holder;
        return found;
      });
    },
  ],
  [
    "websocket-opens-with-a-sign-in",
    "CORE-AUTH-17",
    "subtle",
    "A websocket opens with a sign-in token.",
    (at) => {
      let authenticate: ((token: string) => unknown) | undefined;
      at.authenticate((token, proceed) => {
        authenticate = proceed;
        return proceed(token);
      });
      at.redeem((token, proceed) => {
        const holder = proceed(token);
        if (holder !== undefined || !token.includes(".")) return holder;
        try {
          const caller = authenticate?.(token) as ReturnType<NonNullable<typeof holder>>;
          return () => caller;
        } catch {
          return undefined;
        }
      });
    },
  ],
  [
    "used-websocket-token-opens-after-the-next",
    "CORE-AUTH-15",
    "subtle",
    "A used websocket token opens a websocket once more when its user has obtained another one.",
    (at) => {
      const used = new Map<string, ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>>();
      let latest = "";
      at.data("getWebsocketToken", (data) => {
        latest = String(data["token"]);
        return data;
      });
      at.redeem((token, proceed) => {
        const again = token === latest ? undefined : used.get(token);
        const holder = again ?? proceed(token);
        if (holder !== undefined) used.set(token, holder);
        return holder;
      });
    },
  ],
  [
    "changed-password-shows-when-the-user-was-created",
    "CORE-AUTH-04",
    "subtle",
    "The user returned by a sign-in has `createdAt` once the password was changed.",
    (at) => {
      const changedIds = new Set<unknown>();
      at.around("updateCurrentUserPassword", async (call, proceed) => {
        const answer = await proceed(call);
        changedIds.add(call.caller?.userId);
        return answer;
      });
      at.data("signIn", (data) => {
        const user = fields(data["user"]);
        return changedIds.has(user["id"])
          ? { ...data, user: { ...user, createdAt: "2026-01-01T00:00:00Z" } }
          : data;
      });
    },
  ],
]);

/** Tries again with another password when the given one is wrong. */
function alsoWith(other: (password: string) => string): Step {
  return (call, proceed) =>
    proceed(call).catch((thrown: unknown) => {
      const password = other(String(call.body["password"]));
      if (!(thrown instanceof Refusal) || thrown.status !== 401) throw thrown;
      return proceed(changed(call, { body: { ...call.body, password } }));
    });
}

function rejectedWith403(...[call, proceed]: Parameters<Step>): ReturnType<Step> {
  return proceed(call).catch((thrown: unknown) => {
    throw thrown instanceof Refusal && thrown.status === 401 ? new Refusal(403, thrown.message) : thrown;
  });
}

/** Websocket tokens with another lifetime, stored here because those of the gateway end after 30 s. */
function lives(lifetimeMs: number): Fault["install"] {
  return (at) => {
    const issued = new Map<string, { readonly atMs: number; readonly signIn: string }>();
    let signIn = "";
    let authenticate:
      | ((
          token: string,
        ) => ReturnType<NonNullable<ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>>>)
      | undefined;
    at.authenticate((token, proceed) => {
      authenticate = proceed;
      signIn = token;
      return proceed(token);
    });
    at.data("getWebsocketToken", (data) => {
      issued.set(String(data["token"]), { atMs: performance.now(), signIn });
      return data;
    });
    at.redeem((token) => {
      const found = issued.get(token);
      issued.delete(token);
      if (found === undefined || performance.now() - found.atMs >= lifetimeMs) return undefined;
      return () => authenticate?.(found.signIn);
    });
  };
}
