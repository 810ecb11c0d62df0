// What a rejected change of a password leaves.
import type { Answer, CaseContext } from "../../harness/index.ts";

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
