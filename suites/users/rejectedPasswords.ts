// What a rejected change of a password leaves.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { likeIds } from "./accounts.ts";

/** Sends no new password and wrong ones: where that is rejected, the present one still signs the user in. */
export async function verifyStaysAfterRejections(
  context: CaseContext,
  { name, password }: { name: string; password: string },
  change: (wrong: object) => Promise<Answer>,
): Promise<void> {
  const verify = context.verify("CORE-GENERAL-10");
  const what = "sign-in with the present password after a rejected change";
  verify.notApplicable(what, "the gateway accepts any new password");
  for (const wrong of [{}, { newPassword: { no: "text" } }, { newPassword: "" }]) {
    const answer = await change(wrong);
    // Which passwords a gateway takes is not stated, nor what it makes of none.
    if (!answer.rejected) return;
    const signedIn = await context.gateway.anonymous.call("signIn", { json: { name, password } });
    verify.that(signedIn.accepted, {
      what: `${what} to ${JSON.stringify(wrong)}`,
      expected: "accepted",
      observed: signedIn.summary(),
      evidence: signedIn,
    });
  }
}

/** Sends a new password to ids that are like the user's: the present one still signs the user in. */
export async function verifyStaysForOtherIds(
  { gateway: { admin, anonymous }, verify }: CaseContext,
  { id: own, name, password }: { readonly id: number; readonly name: string; readonly password: string },
): Promise<void> {
  const ids = likeIds((await admin.call("listUsers")).data(), own);
  for (const id of ids)
    await admin.callInvalid("updateUserPassword", { path: { id }, json: { newPassword: `${password}7` } });
  const signedIn = await anonymous.call("signIn", { json: { name, password } });
  verify("CORE-USER-44").that(signedIn.accepted, {
    what: `sign-in with the present password after changes for the ids ${ids.join(", ")}`,
    expected: "accepted",
    observed: signedIn.summary(),
    evidence: signedIn,
  });
}
