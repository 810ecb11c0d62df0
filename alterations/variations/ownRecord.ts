// What a gateway may reject of users who change their own record, beyond what the interface states.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import type { Step } from "../mechanism/operationAlterations.ts";
import type { Variations } from "./variation.ts";

const mostWrong = 5;
const mostWrongById = 3;
const lockedMs = 5000;

/** After some wrong old passwords any change is rejected for a time; a sign-in makes no difference. */
function locking(most: number): Step {
  const wrong = new Map<string, { count: number; untilMs: number }>();
  return async (call, proceed) => {
    const user = text(call.caller?.userId);
    const { count, untilMs } = wrong.get(user) ?? { count: 0, untilMs: 0 };
    if (performance.now() < untilMs) throw new Refusal(401, "too many wrong passwords");
    try {
      return await proceed(call);
    } catch (thrown) {
      const isLast = count + 1 === most;
      if (thrown instanceof Refusal && thrown.status === 401)
        wrong.set(user, {
          count: isLast ? 0 : count + 1,
          untilMs: isLast ? performance.now() + lockedMs : 0,
        });
      throw thrown;
    }
  };
}

/** A password that its user has set must become older before the user sets another. */
function aging(): Step {
  const changed = new Set<string>();
  return async (call, proceed) => {
    const user = text(call.caller?.userId);
    if (changed.has(user)) throw new Refusal(400, "newPassword: the present one was set today");
    const answer = await proceed(call);
    changed.add(user);
    return answer;
  };
}

const noFurtherRole: Step = async (call, proceed, ask) => {
  const own = await ask("getCurrentUser");
  const held = own.kind === "json" ? items(fields(fields(own.body)["data"])["roles"]) : [];
  const ids = new Set(held.map((role) => text(role["id"])));
  const wanted = (call.body["roles"] ?? []) as readonly unknown[];
  if (wanted.some((id) => !ids.has(text(id))))
    throw new Refusal(403, "roles: given by an administrator only");
  return proceed(call);
};

const statuses = "the interface does not state when a change of a user's own record is rejected";

export const ownRecordVariations = {
  "own-password-locks": {
    differs: `${mostWrong} wrong old passwords lock a user's own changes of the password for ${lockedMs / 1000} s`,
    freedom: statuses,
    install: (at) => at.around("updateCurrentUserPassword", locking(mostWrong)),
  },
  "password-by-id-locks": {
    differs: `${mostWrongById} wrong old passwords lock a user's changes of passwords by id for ${lockedMs / 1000} s`,
    freedom: statuses,
    install: (at) => at.around("updateUserPassword", locking(mostWrongById)),
  },
  "passwords-have-an-age": {
    differs: "Users change their own password once a day",
    freedom: statuses,
    install: (at) => at.around("updateCurrentUserPassword", aging()),
  },
  "no-role-for-oneself": {
    differs: "Users cannot give themselves a role that they do not have",
    freedom: statuses,
    install: (at) => at.around("updateCurrentUser", noFurtherRole),
  },
} as const satisfies Variations;
