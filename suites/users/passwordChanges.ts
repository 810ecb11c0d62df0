// How users change their password, and passwords that are not the right one.
import type { Answer, CaseContext, ScratchUser, Session } from "../../harness/index.ts";
import type { User } from "../../interface/resources/users.ts";
import { signInAsSelf } from "./accounts.ts";

/** The text with capitals for small letters, and the reverse. */
function swappedCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Passwords that are not the right one: another user's, none, and some that are close to it. */
export function wrongPasswords(password: string, others: string): readonly string[] {
  return [others, "", `${password}x`, password.slice(0, -1), swappedCase(password)];
}

interface Owner {
  readonly owner: ScratchUser;
  /** The user before any change. */
  readonly unchanged: User;
}

export async function withRecord({ gateway }: CaseContext, owner: ScratchUser): Promise<Owner> {
  const answer = await gateway.admin.call("getUser", { path: { id: owner.id } });
  return { owner, unchanged: answer.data() };
}

export interface OwnChange extends Owner {
  /** In which the user changed the password. */
  readonly again: Session;
  readonly answer: Answer<"updateCurrentUserPassword">;
}

/** The user changes the password. */
export async function changeOwn(context: CaseContext, of: Owner, newPassword: string): Promise<OwnChange> {
  const again = await signInAsSelf(context, of.owner);
  const json = { newPassword, oldPassword: of.owner.password };
  return { ...of, again, answer: await again.call("updateCurrentUserPassword", { json }) };
}
