// Faults of passwords, sign-in, tokens and what they let in.
import { badInput, Refusal } from "../http/refusal.ts";
import { fields } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed, type Step } from "./switchboard.ts";

/** Tries again with another password when the given one is wrong. */
function alsoWith(other: (password: string) => string): Step {
  return (call, next) =>
    next(call).catch((thrown: unknown) => {
      const password = other(String(call.body["password"]));
      if (!(thrown instanceof Refusal) || thrown.status !== 401) throw thrown;
      return next(changed(call, { body: { ...call.body, password } }));
    });
}

const passwordFaults = faults([
  [
    "password-by-id-changes-nothing",
    "CORE-USER-43",
    "plain",
    "A password changed by id is not taken at sign-in.",
    (at) =>
      at.around("updateUserPassword", (call, next) =>
        next(changed(call, { body: { ...call.body, newPassword: `${String(call.body["newPassword"])}x` } })),
      ),
  ],
  [
    "old-password-stays-good",
    "CORE-USER-43",
    "subtle",
    "After a change of a password by id the one before is still taken.",
    (at) => {
      // By id of the user: the password before and the present one.
      const passwords = new Map<string, { name: string; past: string | undefined; present: string }>();
      at.around("addUser", async (call, next) => {
        const answer = await next(call);
        const user = answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};
        const present = String(call.body["password"]);
        passwords.set(String(user["id"]), { name: String(user["name"]), past: undefined, present });
        return answer;
      });
      at.around("updateUserPassword", async (call, next) => {
        const answer = await next(call);
        const known = passwords.get(call.path["id"] ?? "");
        if (known !== undefined)
          passwords.set(call.path["id"] ?? "", {
            name: known.name,
            past: known.present,
            present: String(call.body["newPassword"]),
          });
        return answer;
      });
      at.body("signIn", (body) => {
        const known = [...passwords.values()].find(({ name }) => name === body["name"]);
        return known?.past === body["password"] ? { ...body, password: known?.present } : body;
      });
    },
  ],
  [
    "password-by-id-changes-the-callers",
    "CORE-USER-44",
    "subtle",
    "A password changed by id is answered and changed for the first user's successor only.",
    (at) => {
      const ids: string[] = [];
      at.data("addUser", (user) => {
        ids.push(String(user["id"]));
        return user;
      });
      // The others' passwords change along with the one that was meant.
      at.around("updateUserPassword", async (call, next) => {
        for (const id of ids)
          if (id !== call.path["id"]) await next(changed(call, { path: { id } })).catch(() => undefined);
        return next(call);
      });
    },
  ],
  [
    "administrator-needs-the-old-password",
    "CORE-USER-45",
    "plain",
    "Nobody changes a user's password without oldPassword.",
    (at) => at.around("updateUserPassword", needsOldPassword),
  ],
  [
    "right-old-password-is-refused",
    "CORE-USER-46",
    "subtle",
    "A password change by id with the right oldPassword is refused.",
    (at) =>
      at.around("updateUserPassword", (call, next) => {
        if (call.body["oldPassword"] !== undefined) throw new Refusal(401, "oldPassword is wrong");
        return next(call);
      }),
  ],
  [
    "own-password-changes-nothing",
    "CORE-USER-53",
    "plain",
    "The own password that was changed is not taken at sign-in.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, next) =>
        next(changed(call, { body: { ...call.body, newPassword: `${String(call.body["newPassword"])}x` } })),
      ),
  ],
  [
    "own-password-without-the-old-one",
    "CORE-USER-54",
    "subtle",
    "A user changes the own password without the old one.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, next) =>
        next(
          call.body["oldPassword"] === undefined && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, permissions: new Set(["SYS_USER_RW"]) } })
            : call,
        ),
      ),
  ],
  [
    "own-password-with-any-old-one",
    "CORE-USER-54",
    "subtle",
    "A user changes the own password with any old one.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, next) =>
        next(
          call.body["oldPassword"] !== undefined && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, permissions: new Set(["SYS_USER_RW"]) } })
            : call,
        ),
      ),
  ],
  [
    "administrators-own-password-needs-the-old-one",
    "CORE-USER-55",
    "plain",
    "An administrator does not change the own password without the old one.",
    (at) => at.around("updateCurrentUserPassword", needsOldPassword),
  ],
  [
    "wrong-old-password-is-a-400",
    "CORE-USER-58",
    "subtle",
    "A wrong oldPassword is refused with 400.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, next) =>
        next(call).catch((thrown: unknown) => {
          throw thrown instanceof Refusal && thrown.status === 401
            ? badInput("oldPassword is wrong")
            : thrown;
        }),
      ),
  ],
]);

function needsOldPassword(...[call, next]: Parameters<Step>): ReturnType<Step> {
  if (call.body["oldPassword"] === undefined) throw badInput("oldPassword: expected the present password");
  return next(call);
}

const signInFaults = faults([
  [
    "sign-in-shows-when-the-user-was-created",
    "CORE-AUTH-04",
    "plain",
    "The user that a sign-in answers has createdAt.",
    (at) =>
      at.data("signIn", (data) => ({
        ...data,
        user: { ...fields(data["user"]), createdAt: "2026-01-01T00:00:00Z" },
      })),
  ],
  [
    "sign-in-shows-another-user",
    "CORE-AUTH-03",
    "subtle",
    "The user that a sign-in answers is the one who signed in before.",
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
    "sign-in-answers-201",
    "CORE-AUTH-05",
    "plain",
    "A sign-in is answered with 201.",
    (at) =>
      at.around("signIn", async (call, next) => {
        const answer = await next(call);
        return answer.kind === "json" ? { ...answer, status: 201 } : answer;
      }),
  ],
  [
    "sign-in-needs-the-eula",
    "CORE-AUTH-06",
    "plain",
    "A sign-in without acceptEULA is refused.",
    (at) =>
      at.around("signIn", (call, next) => {
        if (call.body["acceptEULA"] === undefined) throw badInput("acceptEULA: expected a boolean");
        return next(call);
      }),
  ],
  [
    "sign-in-without-a-name",
    "CORE-AUTH-07",
    "plain",
    "A sign-in without a name is one of admin.",
    (at) => {
      at.lenient("signIn", "json", "name");
      at.body("signIn", (body) => ({ name: "admin", ...body }));
    },
  ],
  [
    "sign-in-without-a-password",
    "CORE-AUTH-08",
    "plain",
    "A sign-in without a password is taken.",
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
    "A wrong password is refused with 403.",
    (at) => at.around("signIn", refusedWith403),
  ],
  [
    "password-with-something-behind-is-taken",
    "CORE-AUTH-09",
    "subtle",
    "A password is taken with one character too many.",
    (at) =>
      at.around(
        "signIn",
        alsoWith((password) => password.slice(0, -1)),
      ),
  ],
  [
    "password-in-other-letters-is-taken",
    "CORE-AUTH-09",
    "subtle",
    "A password is taken with capitals and small letters exchanged.",
    (at) =>
      at.around(
        "signIn",
        alsoWith((password) =>
          [...password]
            .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
            .join(""),
        ),
      ),
  ],
  [
    "unknown-name-is-a-404",
    "CORE-AUTH-10",
    "plain",
    "A name that no user has is refused with 404.",
    (at) =>
      at.around("signIn", (call, next) =>
        next(call).catch((thrown: unknown) => {
          // Names in tests have many characters; the administrator's is known.
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
    "A websocket token is taken as a sign-in token.",
    (at) => {
      const holders = new Map<string, string>();
      let last = "";
      at.authenticate((token, next) => {
        const caller = next(holders.get(token) ?? token);
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
    "websocket-token-opens-two",
    "CORE-AUTH-15",
    "subtle",
    "A websocket token opens two websockets.",
    (at) => {
      const used = new Map<string, ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>>();
      at.redeem((token, next) => {
        const again = used.get(token);
        used.delete(token);
        if (again !== undefined) return again;
        const holder = next(token);
        if (holder !== undefined) used.set(token, holder);
        return holder;
      });
    },
  ],
  [
    "websocket-token-good-for-33s",
    "CORE-AUTH-16",
    "subtle",
    "A websocket token is good for 33 s.",
    lives(33_000),
  ],
  [
    "websocket-token-good-for-27s",
    "CORE-AUTH-16",
    "subtle",
    "A websocket token is good for 27 s.",
    lives(27_000),
  ],
  [
    "websocket-opens-with-a-sign-in",
    "CORE-AUTH-17",
    "subtle",
    "A websocket opens with a sign-in token.",
    (at) => {
      let authenticate: ((token: string) => unknown) | undefined;
      at.authenticate((token, next) => {
        authenticate = next;
        return next(token);
      });
      at.redeem((token, next) => {
        const holder = next(token);
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
]);

function refusedWith403(...[call, next]: Parameters<Step>): ReturnType<Step> {
  return next(call).catch((thrown: unknown) => {
    throw thrown instanceof Refusal && thrown.status === 401 ? new Refusal(403, thrown.message) : thrown;
  });
}

/** Websocket tokens with another life time: kept here, because the gateway lets go of its own after 30 s. */
function lives(lifetimeMs: number): Fault["install"] {
  return (at) => {
    const issued = new Map<string, { readonly atMs: number; readonly signIn: string }>();
    let signIn = "";
    let authenticate:
      | ((
          token: string,
        ) => ReturnType<NonNullable<ReturnType<Parameters<Parameters<typeof at.redeem>[0]>[1]>>>)
      | undefined;
    at.authenticate((token, next) => {
      authenticate = next;
      signIn = token;
      return next(token);
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

const letInFaults = faults([
  [
    "services-are-listed-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "List services needs no sign-in.",
    (at) => at.permission("listServices", "none"),
  ],
  [
    "tags-are-listed-to-anybody",
    "CORE-AUTH-18",
    "subtle",
    "List tags needs no sign-in.",
    (at) => at.permission("listTags", "none"),
  ],
  [
    "strange-token-is-taken",
    "CORE-AUTH-19",
    "plain",
    "A token that the gateway never gave out is taken.",
    (at) => at.authenticate((token, next) => (token.includes(".") ? next(token) : anybody)),
  ],
  [
    "altered-token-is-taken",
    "CORE-AUTH-20",
    "subtle",
    "The signature of a token is not looked at.",
    (at) => {
      const seen = new Map<string, string>();
      at.authenticate((token, next) => {
        const payload = token.split(".").slice(0, 2).join(".");
        try {
          const caller = next(token);
          seen.set(payload, token);
          return caller;
        } catch (thrown) {
          const genuine = seen.get(payload);
          if (genuine === undefined) throw thrown;
          return next(genuine);
        }
      });
    },
  ],
  [
    "tag-header-is-not-looked-at",
    "CORE-AUTH-21",
    "plain",
    "Tag operations do not take the token in mx-api-token.",
    (at) => {
      at.around(["listTags", "monitorTags", "readTag", "writeTag"], (call, next) => {
        if (call.headers["authorization"] === undefined) throw new Refusal(401, "sign in first");
        return next(call);
      });
    },
  ],
  [
    "ssh-is-set-without-the-permission",
    "CORE-AUTH-23",
    "subtle",
    "Set SSH configuration is open to everybody who has signed in.",
    (at) => at.permission("setSsh", "signed-in"),
  ],
  [
    "events-are-read-without-the-permission",
    "CORE-AUTH-23",
    "subtle",
    "Get event configuration is open to everybody who has signed in.",
    (at) => at.permission("getEventConfiguration", "signed-in"),
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
    "A permission taken from a role stays with tokens that were given before.",
    (at) => {
      const first = new Map<string, ReadonlySet<string>>();
      at.authenticate((token, next) => {
        const caller = next(token);
        const held = first.get(token) ?? caller.permissions;
        first.set(token, held);
        return { ...caller, permissions: new Set([...held, ...caller.permissions]) };
      });
    },
  ],
  [
    "permission-given-at-the-next-sign-in",
    "CORE-AUTH-26",
    "subtle",
    "A permission given to a role does not reach tokens that were given before.",
    (at) => {
      const first = new Map<string, ReadonlySet<string>>();
      at.authenticate((token, next) => {
        const caller = next(token);
        const held = first.get(token) ?? caller.permissions;
        first.set(token, held);
        return { ...caller, permissions: new Set([...held].filter((one) => caller.permissions.has(one))) };
      });
    },
  ],
  [
    "inactive-user-keeps-the-token",
    "CORE-AUTH-29",
    "subtle",
    "A user who was set inactive is let in with a token obtained before.",
    (at) => keepsLettingIn(at, "not active", "revoked"),
  ],
  [
    "expired-user-keeps-the-token",
    "CORE-AUTH-30",
    "subtle",
    "A user who has expired is let in with a token obtained before.",
    (at) => keepsLettingIn(at, "expired"),
  ],
  [
    "names-are-never-locked",
    "CORE-AUTH-31",
    "plain",
    "Any number of sign-in failures leaves a name unlocked.",
    (at) =>
      at.around("signIn", (call, next) =>
        next(call).catch((thrown: unknown) => {
          throw thrown instanceof Refusal && thrown.status === 423
            ? new Refusal(401, "name or password is wrong")
            : thrown;
        }),
      ),
  ],
]);

const anybody = { userId: 1, name: "admin", permissions: new Set(["SYS_USER_RW", "SYS_MAINTENANCE_RW"]) };

/** A caller who was let in once is let in again when the reason for refusing has one of the words. */
function keepsLettingIn(at: Parameters<Fault["install"]>[0], ...reasons: string[]): void {
  const known = new Map<string, ReturnType<Parameters<Parameters<typeof at.authenticate>[0]>[1]>>();
  at.authenticate((token, next) => {
    try {
      const caller = next(token);
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

export const signingInFaults: readonly Fault[] = [...passwordFaults, ...signInFaults, ...letInFaults];
