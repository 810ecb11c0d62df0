// Sign-ins with a wrong password or an unknown name. How many failures lock a name or an address is not stated.
import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";

interface Credentials {
  readonly name: unknown;
  readonly password: unknown;
}

/** Sends wrong credentials, and right ones after them, because a successful sign-in may reset a counter of failures. */
async function guess(
  { gateway: { anonymous }, verify }: CaseContext,
  requirement: string,
  { wrong, right }: { readonly wrong: Credentials; readonly right: Credentials },
  ...statuses: number[]
): Promise<void> {
  const send = ({ name, password }: Credentials): Promise<Answer<"signIn">> =>
    anonymous.callInvalid("signIn", { json: { name, password } });
  const answer = await send(wrong);
  const isLocked = (await send(right)).rejected;
  if (isLocked && answer.rejected && answer.status !== 401)
    verify(requirement).notApplicable("wrong credentials", "failures lock the name or the address");
  else verify(requirement).refused(answer, ...statuses);
}

export const wrongCredentialCases: readonly TestCase[] = [
  testCase({
    id: "auth/wrong-credentials-are-refused",
    title: "Sign in with a wrong password or an unknown name is rejected with 401",
    group: "auth",
    requirements: ["CORE-AUTH-09", "CORE-AUTH-10"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    // A gateway may wait some seconds before it answers a wrong sign-in.
    deadlineMs: 180_000,
    capabilities: ["auth", "users", "roles"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, random, scratch, verify } = context;
      const other = await scratch.user();
      const roles = [other.roleId] as const;
      const wrongOnes: readonly ((password: string) => string)[] = [
        () => other.password,
        (password) => `${password}x`,
        (password) => password.slice(0, -1),
        swapCase,
        (password) => ` ${password}`,
        (password) => `${password} `,
      ];
      // Few failures of one name: some gateways lock it, whatever succeeds between them.
      for (let index = 0; index < wrongOnes.length; index += 2) {
        const right = await scratch.user({ roles });
        for (const change of wrongOnes.slice(index, index + 2)) {
          const wrong = { name: right.name, password: change(right.password) };
          await guess(context, "CORE-AUTH-09", { wrong, right }, 401);
        }
      }
      const user = await scratch.user({ roles });
      const { name, password } = user;
      // A text with a NUL may be rejected for its form, with any status.
      const behindNul = await gateway.anonymous.call("signIn", {
        json: { name, password: `${password}\u0000more` },
      });
      verify("CORE-AUTH-09").that(!behindNul.accepted, {
        what: "Sign in with the right password followed by a NUL and further characters",
        expected: "rejected",
        observed: behindNul.accepted ? "accepted" : "rejected",
        evidence: behindNul,
      });
      for (const unknown of [scratch.name("nobody"), `${name}x`, name.slice(0, -1)])
        await guess(context, "CORE-AUTH-10", { wrong: { name: unknown, password }, right: user }, 401);
      // What is read as a part of a query or as a condition matches any password.
      for (const odd of ["' OR '1'='1", true, { $ne: "" }, ["x"]])
        await guess(context, "CORE-AUTH-09", { wrong: { name, password: odd }, right: user });
      for (const unknown of [`${name}' --`, `${name}' OR '1'='1`]) {
        const json = { name: unknown, password: other.password };
        verify("CORE-AUTH-10").refused(await gateway.anonymous.callInvalid("signIn", { json }));
      }
      const wrongOf = async (of: Credentials, ...passwords: readonly string[]): Promise<void> => {
        for (const wrong of passwords)
          await guess(context, "CORE-AUTH-09", { wrong: { ...of, password: wrong }, right: of }, 401);
      };
      /** A user with this password; undefined where the gateway rejects it. */
      const userWith = async (newPassword: string): Promise<Credentials | undefined> => {
        const { id, name } = await scratch.user({ roles });
        await gateway.admin.call("updateUserPassword", { path: { id }, json: { newPassword } });
        const json = { name, password: newPassword };
        return (await gateway.anonymous.call("signIn", { json })).accepted ? json : undefined;
      };
      // Long passwords that differ in their last character: some hashes ignore the characters after the 72nd.
      const longPassword = `Long-1!${random.word(83)}`;
      const long = await userWith(longPassword);
      if (long !== undefined) await wrongOf(long, `${longPassword.slice(0, -1)}#`, `${longPassword}x`);
      // Passwords that differ in characters outside ASCII only, or in their form.
      const wide = await userWith("Wide-1!äß\u{1F600}説");
      if (wide !== undefined)
        await wrongOf(
          wide,
          "Wide-1!öß\u{1F600}説",
          "Wide-1!äß\u{1F601}説",
          "Wide-1!äß\u{1F600}明",
          "Wide-1!????",
        );
      const both = { name: scratch.name("nobody"), password: `No-${random.word(10)}9!` };
      await guess(context, "CORE-AUTH-10", { wrong: both, right: other }, 401);
    },
  }),
];

function swapCase(text: string): string {
  return Array.from(text, (c) => c)
    .map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    .join("");
}
