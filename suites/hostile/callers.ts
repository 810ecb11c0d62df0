// In whose name hostile requests are sent: never the administrator's, on whom the harness depends.
import type { CaseContext } from "../../harness/suite/context.ts";
import { signInAsSelf } from "../users/accounts.ts";

export interface Callers {
  /** Token of a user of the case who has every permission. */
  readonly token: () => string;
  /** Token of a user of the case who is there to be changed by their own requests. */
  readonly ownToken: () => string;
  /** Puts somebody new in the place of that user, when the requests have put the last one out of use. */
  readonly renewOwn: () => Promise<void>;
}

export async function makeCallers(context: CaseContext): Promise<Callers> {
  const { profile, scratch } = context;
  const newToken = async (): Promise<string> => {
    const user = await scratch.user({ permissions: profile.permissions });
    return (await signInAsSelf(context, user)).token ?? context.unmet("signing in gave no token");
  };
  const token = await newToken();
  let own = await newToken();
  return {
    token: () => token,
    ownToken: () => own,
    async renewOwn() {
      own = await newToken();
    },
  };
}
