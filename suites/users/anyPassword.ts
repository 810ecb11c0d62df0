import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { addUser, farFuture, permissionsFor } from "./accounts.ts";
import { trySignIn } from "./passwords.ts";

/** Forms of a password that stores and forms have lost parts of. */
const forms: readonly { readonly what: string; readonly of: (base: string) => string }[] = [
  { what: "with blanks around", of: (base) => ` ${base} ` },
  { what: "with characters beyond ASCII", of: (base) => `${base}é説\u{1F600}` },
  { what: "with quotes, a backslash and escapes", of: (base) => `${base}"'\\n%20&lt;+` },
  { what: "of 100 characters", of: (base) => base.padEnd(100, "0123456789") },
];

/** Length of a password before its form is given to it. */
const baseLength = "Pw-".length + 10 + "1!".length;

const requirements = ["CORE-AUTH-09", "CORE-USER-43", "CORE-USER-53", "CORE-USER-60"];

/** Checks that the password signs the user in, and that a part of it does not. */
async function verifySignsIn(
  context: CaseContext,
  requirement: string,
  { name, password, what }: { name: string; password: string; what: string },
): Promise<void> {
  const { verify } = context;
  const signedIn = await trySignIn(context, name, password);
  verify(requirement).that(signedIn.accepted, {
    what: `sign-in with a password ${what}`,
    expected: "accepted",
    observed: signedIn.summary(),
    evidence: signedIn,
  });
  if (!signedIn.accepted) return;
  for (const part of new Set([password.trim(), password.trim().slice(0, baseLength)])) {
    if (part === password) continue;
    verify("CORE-AUTH-09").refused(await trySignIn(context, name, part), 401);
    // A successful sign-in resets a failure counter.
    await trySignIn(context, name, password);
  }
}

export const anyPasswordCases: readonly TestCase[] = [
  testCase({
    id: "users/any-password-signs-in",
    title: "Passwords of any form sign in by each operation that sets them",
    group: "users",
    requirements,
    effect: "ends-sign-ins",
    touches: [],
    addsTo: ["accounts"],
    // A gateway may wait some seconds before it answers a wrong sign-in.
    deadlineMs: 180_000,
    capabilities: ["users", "roles", "auth"],
    async run(context) {
      const { gateway, note, profile, random, scratch, verify } = context;
      for (const id of requirements)
        verify(id).notApplicable("a password of another form", "the gateway rejects these forms");
      const permissions = permissionsFor(profile, "updateCurrentUserPassword", "getCurrentUser");
      const byId = await scratch.user();
      const own = await scratch.user({ permissions });
      let oldPassword = own.password;
      const made = (of: (base: string) => string): string => of(`Pw-${random.word(10)}1!`);
      for (const { what, of } of forms) {
        // Which passwords a gateway takes is not stated: an accepted one signs its user in.
        const [added, set, changed] = [made(of), made(of), made(of)];
        const name = scratch.name("user");
        const rest = { expiredAfter: farFuture, isActive: true, roles: [own.roleId] };
        const add = await addUser(context, { name, password: added, ...rest });
        if (add.rejected) note(`Add user rejects a password ${what}: ${add.summary()}`);
        else await verifySignsIn(context, "CORE-USER-60", { name, password: added, what });
        const { id } = byId;
        const update = await gateway.admin.call("updateUserPassword", {
          path: { id },
          json: { newPassword: set },
        });
        if (update.accepted)
          await verifySignsIn(context, "CORE-USER-43", { name: byId.name, password: set, what });
        const session = await gateway.signIn(own.name, oldPassword);
        const change = await session.call("updateCurrentUserPassword", {
          json: { oldPassword, newPassword: changed },
        });
        if (!change.accepted) continue;
        await verifySignsIn(context, "CORE-USER-53", { name: own.name, password: changed, what });
        if ((await trySignIn(context, own.name, changed)).accepted) oldPassword = changed;
        else return;
      }
    },
  }),
];
