// Limits that the interface does not state, of what a gateway accepts and for how long.
import type { OperationId } from "../../interface/operations/index.ts";
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { Step } from "../mechanism/operationAlterations.ts";
import type { Variations } from "./variation.ts";

const longestPassword = 20;
const notReadyMs = 1500;
const serviceUnavailable = 503;

const longest: Readonly<Record<string, number>> = { name: 64, description: 64, email: 64, message: 200 };
const textual: readonly OperationId[] = [
  "createRole",
  "updateRole",
  "addUser",
  "updateUser",
  "updateCurrentUser",
  "createEvent",
];

const shortTexts: Step = (call, proceed) => {
  for (const [name, most] of Object.entries(longest))
    if (text(call.body[name]).length > most) throw badInput(`${name}: expected at most ${most} characters`);
  return proceed(call);
};

const passwordRules: Step = (call, proceed) => {
  const password = text(call.body["password"] ?? call.body["newPassword"]);
  const isFit = password.length <= longestPassword && /\p{L}/u.test(password) && /\d/.test(password);
  if (password.length >= 6 && !isFit)
    throw badInput(`password: expected a letter, a digit, and at most ${longestPassword} characters`);
  return proceed(call);
};

/** Rejects an e-mail address that another user has. */
const uniqueEmails: Step = async (call, proceed, ask) => {
  const email = text(call.body["email"]);
  const listed = email === "" ? undefined : await ask("listUsers");
  const own = text(call.path["id"] ?? call.caller?.userId);
  const isNew = call.path["id"] === undefined && call.body["password"] !== undefined;
  const isTaken =
    listed?.kind === "json" &&
    items(fields(listed.body)["data"]).some(
      (user) => user["email"] === email && (isNew || text(user["id"]) !== own),
    );
  if (isTaken) throw new Refusal(409, "email: another user has it");
  return proceed(call);
};

/** At most so many objects in the list; one more is rejected. */
function atMost(count: number, list: OperationId): Step {
  return async (call, proceed, ask) => {
    const listed = await ask(list);
    if (listed.kind === "json" && items(fields(listed.body)["data"]).length >= count)
      throw new Refusal(409, `at most ${count}`);
    return proceed(call);
  };
}

/** Most that a number of a setting can be; sizes of a cache are as small as they are at first. */
const mostOfSettings: Readonly<Record<string, number>> = {
  timeToLiveSec: 31_622_400,
  desiredDiskCacheSizeMB: 64,
  retryInterval: 3600,
  retryCount: 10,
  disableAfterSec: 7200,
  port: 9999,
};

const smallSettings: Step = (call, proceed) => {
  for (const [name, value] of Object.entries({ ...call.body, ...fields(call.body["schedule"]) })) {
    const most = mostOfSettings[name];
    if (most !== undefined && Number(value) > most) throw badInput(`${name}: expected at most ${most}`);
    if (most !== undefined && Number(value) < -1) throw badInput(`${name}: expected -1 or more`);
  }
  return proceed(call);
};

/** The last sign-in of a user ends the ones before it. */
function oneSession(at: GatewayAlterations): void {
  const last = new Map<number, string>();
  at.around("signIn", async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind === "json") {
      const { token, user } = fields(fields(answer.body)["data"]);
      last.set(Number(fields(user)["id"]), text(token));
    }
    return answer;
  });
  at.authenticate((token, proceed) => {
    const caller = proceed(token);
    if ((last.get(caller.userId) ?? token) !== token) throw new Refusal(401, "signed in elsewhere");
    return caller;
  });
}

/** Connections are accepted before the services behind them run. */
function notReadyAtFirst(at: GatewayAlterations): void {
  let readyMs: number | undefined;
  at.request(() => {
    readyMs ??= performance.now() + notReadyMs;
    return performance.now() < readyMs ? serviceUnavailable : undefined;
  });
}

const counts = "the interface does not state how many of them there can be";

export const limitVariations = {
  "short-texts": {
    differs: "Names have at most 64 characters, descriptions 64, e-mail addresses 64, messages of events 200",
    freedom: "the interface states no length for these texts",
    install: (at) => at.around(textual, shortTexts),
  },
  "plain-descriptions": {
    differs: "Descriptions of roles have neither angle brackets nor characters beyond U+FFFF",
    freedom: "Create role: which characters a description may have is not stated",
    install: (at) =>
      at.around(["createRole", "updateRole"], (call, proceed) => {
        if (/[<>\u{10000}-\u{10FFFF}]/u.test(text(call.body["description"])))
          throw badInput("description: expected other characters");
        return proceed(call);
      }),
  },
  "password-rules": {
    differs: `Passwords need a letter and a digit, and have at most ${longestPassword} characters`,
    freedom: "Limits: at least 6 characters; no other property of a password is stated",
    install: (at) => at.around(["addUser", "updateUserPassword", "updateCurrentUserPassword"], passwordRules),
  },
  "units-in-bytes": {
    differs: "The unit of a virtual tag has at most 16 bytes",
    freedom: "Limits: length 0 to 16; whether it counts characters or bytes is not stated",
    install: (at) =>
      at.around(["createVirtualTag", "updateVirtualTag"], (call, proceed) => {
        if (Buffer.byteLength(text(call.body["dataUnit"])) > 16)
          throw badInput("dataUnit: expected at most 16 bytes");
        return proceed(call);
      }),
  },
  "unique-emails": {
    differs: "Two users cannot have the same e-mail address",
    freedom: "the interface does not state whether users can share one",
    install: (at) => at.around(["addUser", "updateUser", "updateCurrentUser"], uniqueEmails),
  },
  "small-settings": {
    differs:
      "A time to live is at least -1 and at most 366 days, a retry interval an hour, retries 10, an SSH port 9999, and a size of a cache its default",
    freedom: "the interface does not state how great these numbers can be",
    install: (at) =>
      at.around(
        [
          "setLog",
          "setEventConfiguration",
          "updateUpgradeConfiguration",
          "setUpgradeConfiguration",
          "setProvision",
          "setSsh",
        ],
        smallSettings,
      ),
  },
  "few-objects": {
    differs: "There are at most 64 users and 64 roles",
    freedom: counts,
    install(at) {
      at.around("addUser", atMost(64, "listUsers"));
      at.around("createRole", atMost(64, "listRoles"));
    },
  },
  "one-session": {
    differs: "A sign-in of a user ends the earlier ones of the same user",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    install: oneSession,
  },
  "not-ready-at-first": {
    differs: `For ${notReadyMs / 1000} s after the first request of a boot every request is answered with ${serviceUnavailable}`,
    freedom: "the interface does not state what a gateway answers while it boots",
    install: notReadyAtFirst,
  },
  "lock-with-wait": {
    differs: "While a name is locked its sign-ins are answered with 429 and the time to wait",
    freedom: "the interface does not mention locks; the profile declares this one",
    install: (at) =>
      at.wholeAnswer((answer, { id }) => {
        if (id !== "signIn" || answer.status !== 423) return;
        answer.status = 429;
        answer.headers.set("retry-after", "10");
      }),
  },
  "one-place-of-virtual-tags": {
    differs: "Virtual tags of a provider or source other than that of the profile are rejected",
    freedom:
      "Create virtual tag: whether clients may name a provider and a source of their own is not stated",
    install: (at) =>
      at.around("createVirtualTag", (call, proceed) => {
        const { prvdName, srcName } = call.body;
        if (prvdName !== "rackproof" || srcName !== "suite") throw badInput("expected rackproof and suite");
        return proceed(call);
      }),
  },
} as const satisfies Variations;
