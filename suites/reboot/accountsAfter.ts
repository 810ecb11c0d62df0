// What accounts permit and show after a reboot.
import { type Answer, type CaseContext, type ScratchUser, type Session } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { ifMet } from "../support/ifMet.ts";
import { addUser, farFuture, isSameInstant, longPast, needsAnother } from "../users/accounts.ts";

export const afterRebootRequirements = [
  "CORE-AUTH-27",
  "CORE-AUTH-28",
  "CORE-AUTH-34",
  "CORE-AUTH-35",
  "CORE-USER-09",
  "CORE-USER-56",
] as const;

/** Makes accounts that permit little; answers how to check after the reboot that they permit no more. */
export async function accountsAfter(context: CaseContext): Promise<() => Promise<void>> {
  const { profile, verify } = context;
  const needed = ["createRole", "updateRole", "addUser", "updateUser", "updateUserPassword"] as const;
  const isDeclared = needed.every((operation) => isOffered(profile, operation));
  const check = isDeclared ? await ifMet(makeAccounts(context)) : undefined;
  const reason = isDeclared ? "the gateway rejects such accounts" : "the profile does not declare them";
  for (const requirement of afterRebootRequirements)
    verify(requirement).notApplicable("accounts after the reboot", reason);
  return check ?? (() => Promise.resolve());
}

async function makeAccounts(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, profile, random, scratch, verify } = context;
  const { admin, anonymous } = gateway;
  const nothing = await scratch.role([]);
  const inactive = {
    name: scratch.name("user"),
    password: `Pw-${random.word(12)}1!`,
    isActive: false,
    expiredAfter: farFuture,
    roles: [nothing.id],
  };
  const { id } = (await addUser(context, inactive)).data();
  const expired = await scratch.user();
  const json = { expiredAfter: longPast };
  (await admin.call("updateUser", { path: { id: expired.id }, json })).body();
  const changed = await scratch.user();
  const path = { id: changed.id };
  const newPassword = `New-${random.word(12)}2!`;
  const set = await admin.call("updateUserPassword", { path, json: { newPassword } });
  const { changedPasswordAt } = (await admin.call("getUser", { path })).data();
  const role = await scratch.role(profile.permissions);
  const powerless = await scratch.user({ roles: [role.id] });
  const without = { name: role.name, description: "", permissions: [...nothing.permissions] };
  (await admin.call("updateRole", { path: { id: role.id }, json: without })).body();

  const verifyPermitted = await permittedReading(context, powerless);

  return async () => {
    for (const [requirement, { name, password }] of [
      ["CORE-AUTH-27", inactive],
      ["CORE-AUTH-28", expired],
    ] as const)
      verify(requirement).refused(await anonymous.call("signIn", { json: { name, password } }));
    const never = await admin.call("getUser", { path: { id } });
    verify("CORE-USER-09").that(isSameInstant(never.data().loginAt, neverLoggedIn), {
      what: "`loginAt` of a user who has never signed in, after the reboot",
      expected: neverLoggedIn,
      observed: never.data().loginAt,
      evidence: never,
    });
    const after = await admin.call("getUser", { path });
    if (set.accepted)
      verify("CORE-USER-56").equal(
        epochMsOf(after.data().changedPasswordAt ?? ""),
        epochMsOf(changedPasswordAt ?? ""),
        "`changedPasswordAt` (ms since 1970) of a user whose password was changed, after the reboot",
        after,
      );
    await verifyPermitted();
    if (!needsAnother(profile, "updateUser", nothing.permissions)) return;
    const session = await ifMet(powerless.signIn());
    if (session === undefined) return;
    const own = { path: { id }, json: { email: "taken@example.org" } };
    verify("CORE-AUTH-35").refused(await session.call("updateUser", own));
  };
}

const readings = ["listUsers", "listRoles", "getReboot", "getSsh", "getProvision", "getLog"] as const;
/** Status codes by which a gateway rejects the caller, whatever they ask for. */
const callerRejected: ReadonlySet<number> = new Set([401, 403]);

/** Finds a reading that a role permits and that nobody without one has; answers the check that the role still does. */
async function permittedReading(
  { gateway, profile, scratch, verify, waitFor }: CaseContext,
  powerless: ScratchUser,
): Promise<() => Promise<void>> {
  const able = await scratch.user({ permissions: profile.permissions });
  const [without, before] = [await ifMet(powerless.signIn()), await ifMet(able.signIn())];
  for (const reading of readings) {
    if (!isOffered(profile, reading) || without === undefined || before === undefined) continue;
    if (!callerRejected.has((await without.callChecked(reading)).status)) continue;
    if (!(await before.callChecked(reading)).accepted) continue;
    return async () => {
      let session: Session | undefined;
      let answer: Answer | undefined;
      // A service may be ready later than the sign-in.
      const isPermitted = async (): Promise<true | undefined> => {
        session ??= await ifMet(gateway.signIn(able.name, able.password));
        answer = await session?.callChecked(reading);
        return answer?.accepted || undefined;
      };
      const deadlineMs = profile.patience.settleMs;
      await waitFor("a reading that a role permits", isPermitted, { deadlineMs }).catch(() => undefined);
      if (answer !== undefined && (answer.accepted || callerRejected.has(answer.status)))
        verify("CORE-AUTH-34").accepted(answer);
    };
  }
  return () => Promise.resolve();
}
