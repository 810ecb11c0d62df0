import { type Answer, type CaseContext, type Session, type TestCase, testCase } from "../../harness/index.ts";
import { waitIfAccepted } from "../configuration/rejecting.ts";
import { download, upload } from "../configuration/support.ts";
import { permissionField } from "./matrix.ts";
import { settledAfterReset } from "../reboot/resetSign.ts";
import { markSettings } from "../support/markedSettings.ts";
import { gatesOf, permissionsFor } from "../users/accounts.ts";
import { strangeTokens } from "./forgedTokens.ts";

/** A call with valid inputs: the matrix sends harmless ones, which a gateway may reject for every caller. */
interface EffectiveCall {
  readonly operation: "resetToDefault" | "applyConfiguration";
  readonly send: (caller: Session) => Promise<Answer>;
  /** Waits for the end of the effect. */
  readonly settled: (answer: Answer) => Promise<void>;
}

export const effectCases: readonly TestCase[] = [
  testCase({
    id: "authorisation/resets-and-applies-need-it",
    title: "Valid resets and applies need a token and the permission declared for them",
    group: "auth",
    requirements: ["CORE-AUTH-18", "CORE-AUTH-19", "CORE-AUTH-23", "CORE-AUTH-24"],
    effect: "resets",
    touches: ["everything"],
    capabilities: ["auth", "users", "roles", "reset", "disruptive-reset"],
    tags: ["authorisation"],
    deadlineMs: 240_000,
    async run(context) {
      const { gateway, verify, notApplicable } = context;
      const { system } = (await gateway.admin.call("getResetCapabilities")).data();
      const marked = await markSettings(context, ["ssh", "provision", "reboot-schedule"]);
      const target = marked.find(({ scope }) => scope !== undefined && system.scopes.includes(scope));
      if (!system.isSupported || target?.scope === undefined)
        return notApplicable("the reset capabilities offer no scope with a setting to compare");
      const scopes = [target.scope];
      await using watch = await gateway.watchForRestart();
      const reset: EffectiveCall = {
        operation: "resetToDefault",
        send: (caller) => caller.call("resetToDefault", { query: { mode: "system", sync: true, scopes } }),
        settled: () => settledAfterReset(context, watch, scopes),
      };
      const apply = await applyOf(context, (answer) => waitIfAccepted(context, watch, answer));
      for (const call of apply === undefined ? [reset] : [reset, apply])
        for (const { requirement, caller } of await rejectedCallers(context, call.operation)) {
          const answer = await call.send(caller);
          if (!verify(requirement, permissionField(call.operation)).refused(answer))
            return await call.settled(answer);
        }
      verify("CORE-AUTH-18").equal(await target.read(), target.value, `${target.what} after rejected resets`);
      const permissions = permissionsFor(context.profile, "resetToDefault");
      if (permissions.length === 0) {
        verify("CORE-AUTH-23").notApplicable("a reset without its permission", "none is declared for it");
        verify("CORE-AUTH-24").notApplicable("a reset with its permission", "none is declared for it");
        return;
      }
      const user = await context.scratch.user({ permissions });
      const answer = await reset.send(await user.signIn());
      verify("CORE-AUTH-24", permissionField("resetToDefault")).that(answer.accepted || answer.status === 0, {
        what: "resetToDefault by a user who has exactly the permission declared for it",
        expected: "2xx, or no answer because of an immediate reset",
        observed: answer.summary(),
        evidence: answer,
      });
      await reset.settled(answer);
    },
  }),
];

/** Undefined where no configuration can be uploaded or applied. */
async function applyOf(
  { gateway, declares }: CaseContext,
  settled: EffectiveCall["settled"],
): Promise<EffectiveCall | undefined> {
  if (!declares("configuration") || !declares("disruptive-reboot")) return undefined;
  const file = await download(gateway, false);
  const uploaded = await upload(gateway, file.bytes, { encryption: false });
  if (!file.accepted || !uploaded.accepted) return undefined;
  const { fileName } = uploaded.data();
  return {
    operation: "applyConfiguration",
    send: (caller) => caller.call("applyConfiguration", { path: { filename: fileName } }),
    settled,
  };
}

/** Callers whom the operation must reject, with the requirement. */
async function rejectedCallers(
  { gateway, profile, scratch }: CaseContext,
  operation: EffectiveCall["operation"],
): Promise<{ requirement: string; caller: Session }[]> {
  const [strange] = strangeTokens;
  const [gate] = gatesOf(profile, operation);
  const others = profile.permissions.filter((one) => gate?.includes(one) !== true);
  return [
    { requirement: "CORE-AUTH-18", caller: gateway.anonymous },
    ...(strange === undefined
      ? []
      : [{ requirement: "CORE-AUTH-19", caller: gateway.withToken(strange.token, strange.what) }]),
    ...(gate === undefined
      ? []
      : [
          {
            requirement: "CORE-AUTH-23",
            caller: await (await scratch.user({ permissions: others })).signIn(),
          },
        ]),
  ];
}
