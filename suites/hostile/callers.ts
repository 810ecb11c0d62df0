// In whose name hostile requests are sent: never the administrator's, on whom the harness depends.
import type { CaseContext, ScratchUser } from "../../harness/index.ts";
import { signInAsSelf } from "../users/accounts.ts";

export interface Callers {
  /** Token of a user of the case who has every permission. */
  readonly token: () => string;
  /** Signs that user in again when the gateway no longer takes the token, after a restart for one. */
  readonly renew: () => Promise<void>;
  /** Token of a user of the case who is there to be changed by their own requests. */
  readonly ownToken: () => string;
  /** Puts somebody new in the place of that user, when the requests have put the last one out of use. */
  readonly renewOwn: () => Promise<void>;
}

export async function makeCallers(context: CaseContext): Promise<Callers> {
  const { gateway, profile, scratch } = context;
  const signIn = async (user: ScratchUser): Promise<string> =>
    (await signInAsSelf(context, user)).token ?? context.unmet("signing in gave no token");
  const newUser = (): Promise<ScratchUser> => scratch.user({ permissions: profile.permissions });
  // A gateway may turn a stale token away with any 4xx; no answer at all says nothing of the token.
  const isTaken = async (token: string): Promise<boolean> => {
    const { status } = await gateway.withToken(token, "caller").call("getCurrentUser");
    return status < 400 || status >= 500;
  };
  const caller = await newUser();
  let token = await signIn(caller);
  let own = await signIn(await newUser());
  return {
    token: () => token,
    async renew() {
      if (!(await isTaken(token))) token = await signIn(caller);
    },
    ownToken: () => own,
    async renewOwn() {
      if (!(await isTaken(own))) own = await signIn(await newUser());
    },
  };
}
