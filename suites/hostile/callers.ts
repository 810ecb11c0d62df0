// Callers of hostile requests: never the administrator, on whom the harness depends.
import type { CaseContext, ScratchUser } from "../../harness/index.ts";
import { signInAsSelf } from "../users/accounts.ts";

export interface Callers {
  /** Token of a user of the case with every permission. */
  readonly token: () => string;
  /** Signs that user in again when the gateway rejects the token, for example after a restart. */
  readonly renew: () => Promise<void>;
  /** Token of a user of the case whose own requests may change the account. */
  readonly ownToken: () => string;
  /** Replaces that user when the requests have made the account unusable. */
  readonly renewOwn: () => Promise<void>;
}

export async function makeCallers(context: CaseContext): Promise<Callers> {
  const { gateway, profile, scratch } = context;
  const signIn = async (user: ScratchUser): Promise<string> =>
    (await signInAsSelf(context, user)).token ??
    context.unmet("sign-in of the calling user returned no token");
  const newUser = (): Promise<ScratchUser> => scratch.user({ permissions: profile.permissions });
  // A gateway may reject a stale token with any 4xx; a missing answer is no evidence about the token.
  const isAccepted = async (token: string): Promise<boolean> => {
    const { status } = await gateway.withToken(token, "caller").call("getCurrentUser");
    return status < 400 || status >= 500;
  };
  const caller = await newUser();
  let token = await signIn(caller);
  let own = await signIn(await newUser());
  return {
    token: () => token,
    async renew() {
      if (!(await isAccepted(token))) token = await signIn(caller);
    },
    ownToken: () => own,
    async renewOwn() {
      if (!(await isAccepted(own))) own = await signIn(await newUser());
    },
  };
}
