// How users change their password, and passwords that are not the right one.
import type { Answer, CaseContext, ScratchUser, Session } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
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

/**
 * For a gateway that rejects a further change: a password may have to be older before its owner changes it again, and wrong
 * old passwords may lock the change. A user with a single wrong one shows whether the right one counts as wrong.
 */
export async function verifySecondChange(
  { gateway, random, verify }: CaseContext,
  { name, password: oldPassword }: ScratchUser,
): Promise<void> {
  const [first, second] = [`First-${random.word(12)}7?`, `Second-${random.word(12)}8?`];
  const change = async (signedInWith: string, json: object): Promise<Answer> =>
    (await gateway.signIn(name, signedInWith)).callInvalid("updateCurrentUserPassword", { json });
  const forNoText = await change(oldPassword, { oldPassword, newPassword: { no: "text" } });
  if (forNoText.accepted) return;
  const forWrongOne = await change(oldPassword, { oldPassword: `${oldPassword}x`, newPassword: first });
  const changed = await change(oldPassword, { oldPassword, newPassword: first });
  if (forWrongOne.accepted || !changed.accepted) return;
  const further = await change(first, { oldPassword: first, newPassword: second });
  if (further.accepted) return;
  // A status that every rejection has tells no reason.
  const isAsWrong = further.status === forWrongOne.status && further.status !== forNoText.status;
  if (isAsWrong) verify("CORE-USER-54").accepted(further);
  else verify("CORE-USER-54").refused(await change(first, { oldPassword, newPassword: second }));
}

/** A user with the roles of the administrator; none where the gateway does not take such a further user. */
export async function usersWithAdminRole({ gateway, scratch }: CaseContext): Promise<ScratchUser[]> {
  const [first, ...further] = (await gateway.admin.call("getCurrentUser")).data().roles.map(({ id }) => id);
  if (first === undefined) return [];
  try {
    return [await scratch.user({ roles: [first, ...further] })];
  } catch (thrown) {
    if (thrown instanceof Unmet) return [];
    throw thrown;
  }
}
