// Accounts, jobs and entries: what a reset of the scope all removes, and what the scopes that are named after them do.
import { type Answer, type CaseContext, sameValue } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { ifMet } from "../support/ifMet.ts";
import { type CreatedKind, type CreatedThing, createThings, laterReading } from "../support/createdThings.ts";
import { settledAfterReset } from "./resetSign.ts";

/** Scopes named after things that clients create; of several kinds a change of one is enough. */
const namedAfter = {
  account: ["role", "user"],
  job: ["upgrade job"],
} as const satisfies Partial<Record<ResetScope, readonly CreatedKind[]>>;

/** Creates one of each kind. */
export function createForScopes(context: CaseContext): Promise<CreatedThing[]> {
  return createThings(context, Object.values(namedAfter).flat());
}

/** Kinds of which none is left, read at once after a reset of everything. */
export async function removedKinds(things: readonly CreatedThing[]): Promise<ReadonlySet<CreatedKind>> {
  const removed = new Set<CreatedKind>();
  for (const { kind, read } of things) if ((await read()) === "absent") removed.add(kind);
  return removed;
}

/** State of the upgrade jobs, beside what is compared of a created one: a canceled job has changed. */
async function jobStates({ gateway: { admin }, declares }: CaseContext): Promise<unknown> {
  if (!declares("upgrade-jobs")) return undefined;
  const jobs = (await admin.call("listUpgradeJobs")).data();
  return jobs.map(({ id, state, isDeleted }) => ({ id, state, isDeleted }));
}

/**
 * Watches things of kinds that a reset of everything removes. The check after a reset of single scopes fails where a scope
 * that is named after them left all of them unchanged; which of them it covers is not stated.
 */
export async function watchNamedThings(
  context: CaseContext,
  scopes: readonly ResetScope[],
  removed: ReadonlySet<CreatedKind>,
): Promise<(answer: Answer) => Promise<void>> {
  const { verify, waitFor, profile } = context;
  const created = removed.size === 0 ? [] : await createForScopes(context);
  const states = await jobStates(context);
  return async (answer) => {
    for (const [scope, kinds] of Object.entries(namedAfter)) {
      const things = created.filter(
        ({ kind }) => removed.has(kind) && (kinds as readonly CreatedKind[]).includes(kind),
      );
      if (things.length === 0 || !(scopes as readonly string[]).includes(scope)) continue;
      const isChanged = async (): Promise<true | undefined> => {
        for (const { expected, read } of things) if (!sameValue(await read(), expected)) return true;
        return scope === "job" && !sameValue(await jobStates(context), states) ? true : undefined;
      };
      const { settleMs } = profile.patience;
      await waitFor(`a change by the scope ${scope}`, isChanged, { deadlineMs: settleMs }).catch(
        () => undefined,
      );
      // Read once more: what cannot be read must not count as unchanged.
      const isReset = (await isChanged()) === true;
      verify("CORE-REBOOT-31").that(isReset, {
        what: `${things.map(({ what }) => what).join("; ")} after a reset of the scope ${scope}`,
        expected: "changed or absent, as after a reset of the scope all",
        observed: isReset ? "changed or absent" : "unchanged",
        evidence: answer,
      });
    }
  };
}

/** Things that may remain after a reset of everything, with the single scope that may remove them. */
const mayRemain = { event: "eventlog", "upgrade job": "job" } as const satisfies Partial<
  Record<CreatedKind, ResetScope>
>;

/** Creates entries and a job where the gateway takes them. */
export async function createMayRemain(context: CaseContext): Promise<CreatedThing[]> {
  const things: CreatedThing[] = [];
  for (const kind of ["event", "upgrade job"] as const)
    things.push(...((await ifMet(createThings(context, [kind]))) ?? []));
  return things;
}

/**
 * Checks that what remains after a reset of everything remains after a reset of its single scope as well, where that is
 * offered: everything contains every scope.
 */
export async function verifyContained(
  context: CaseContext,
  requirement: string,
  things: readonly CreatedThing[],
  offered: readonly ResetScope[],
): Promise<void> {
  const { gateway, verify } = context;
  for (const thing of things) {
    const scope = mayRemain[thing.kind as keyof typeof mayRemain];
    const absent = { ...thing, expected: "absent" };
    if (!offered.includes(scope) || (await laterReading(context, absent)) === "absent") continue;
    await using watch = await gateway.watchForRestart();
    const answer = await gateway.admin.call("resetToDefault", {
      query: { mode: "system", sync: true, scopes: [scope] },
    });
    await settledAfterReset(context, watch, [scope]);
    const isRemoved = (await laterReading(context, absent)) === "absent";
    verify(requirement).that(!isRemoved, {
      what: `${thing.what} after a reset of the scope all, compared with one of ${scope}`,
      expected: "absent after both, or after neither",
      observed: isRemoved ? `absent after that of ${scope} only` : "present after both",
      evidence: answer,
    });
  }
}
