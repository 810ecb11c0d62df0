// Resets of some scopes: their time, what they reset, and what they leave alone.
import {
  type Answer,
  type CaseContext,
  type Members,
  sameValue,
  setting,
  type SettingName,
  settingNames,
} from "../../harness/index.ts";
import { throughStream } from "../events/throughStream.ts";
import { ifMet } from "../support/ifMet.ts";
import type { ResetMode } from "../../interface/resources/reboot.ts";
import { type CreatedKind, createThings, laterReading } from "../support/createdThings.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { verifyReset } from "./defaults.ts";
import { runFacts } from "../support/runFacts.ts";
import { invertOtherServices, watchOtherServices } from "./otherServices.ts";
import { firstSign, settledAfterReset, resetWaitsMs, signWithinMs, verifyResetTime } from "./resetSign.ts";

/** An immediate reset has ended so long after its answer. */
const doneWithinMs = 1500;
/** So long before and after the time of a reset that waits it is certain which of two comes first. */
const apartMs = 500;

const createdKinds = ["role", "user", "virtual tag", "event", "upgrade job"] as const;
/** Created things that a reset of the setting's scope may remove; it may remove those of the gateway's user as well. */
const ownedThings: Partial<Record<SettingName, CreatedKind>> = {
  "event-configuration": "event",
  "upgrade-configuration": "upgrade job",
};

interface ScopeReset {
  /** Settings whose scopes are reset, in order of preference; each choice is one reset. */
  readonly choices: readonly (readonly SettingName[])[];
  readonly mode?: ResetMode;
  readonly sync?: boolean;
  /** The requirement decided by the time of the reset. */
  readonly timing: string;
  /** Further requirements decided by the acceptance of the reset. */
  readonly acceptance?: readonly string[];
  /** Settings of which the first offered one is reset by a second request, while the first request waits. */
  readonly waitsToo?: readonly SettingName[];
  /** Settings of which the first offered one is named, beside an unknown scope, by a request that is rejected before. */
  readonly rejected?: readonly SettingName[];
  /** A setting that is written while the reset waits, where it is none of the above. */
  readonly written?: SettingName;
  /** The requirement on an event stream that is open during the reset. */
  readonly streams?: string;
}

/** Marks settings of several scopes, resets some, and checks the time and that only those were reset. */
export async function resetsScopes(context: CaseContext, wish: ScopeReset): Promise<void> {
  const { gateway, profile, declares, verify, waitFor, notApplicable } = context;
  const { system } = (await gateway.admin.call("getResetCapabilities")).data();
  const isOffered = (name: SettingName): boolean => {
    const { capability, resetScope } = setting(name);
    return declares(capability) && resetScope !== undefined && system.scopes.includes(resetScope);
  };
  const isChosen = (names: readonly SettingName[]): boolean =>
    names.every(isOffered) && (declares("factory-reset") || !names.some((name) => ownedThings[name]));
  const choice = wish.choices.find(isChosen) ?? [];
  const owned = choice.map((name) => ownedThings[name]);
  // None of the scopes reset here is named after any of these. Before the settings: the event log may be off then.
  const created = await createThings(
    context,
    createdKinds.filter((kind) => !owned.includes(kind)),
  );
  // Before the settings too: the event log may be off then.
  await using stack = new AsyncDisposableStack();
  const stream =
    wish.streams !== undefined && declares("event-stream")
      ? stack.use(await ifMet(throughStream(context)))
      : undefined;
  if (wish.streams !== undefined)
    verify(wish.streams).notApplicable(
      "an event stream during a reset",
      "the gateway closes it, or opens none",
    );
  await invertOtherServices(context);
  const marked = await markSettings(context, settingNames);
  const targets = choice.flatMap((name) => marked.find((one) => one.name === name) ?? []);
  const [first] = targets;
  if (!system.isSupported || first === undefined)
    return notApplicable("the reset capabilities offer no scope with a setting to compare");
  const scopes = targets.flatMap(({ scope }) => scope ?? []);
  // A restart may end what waits.
  const restarts = (): boolean => runFacts(context).restartsAfterReset.get("few") === true;
  const second = restarts()
    ? undefined
    : marked.find(
        (one) => wish.waitsToo?.includes(one.name) && isOffered(one.name) && !targets.includes(one),
      );
  const verifyOtherServices = await watchOtherServices(context, [
    ...scopes,
    ...(second?.scope === undefined ? [] : [second.scope]),
  ]);
  const spared = (wish.rejected ?? [])
    .flatMap((name) => marked.filter((one) => one.name === name && isOffered(name)))
    .find((one) => !targets.includes(one));
  const rejection =
    spared?.scope === undefined
      ? undefined
      : await gateway.admin.callInvalid("resetToDefault", {
          query: { scopes: [spared.scope, "nosuchscope"], mode: "system", sync: false },
        });
  await using watch = await gateway.watchForRestart();
  const query = {
    scopes,
    ...(wish.mode === undefined ? {} : { mode: wish.mode }),
    ...(wish.sync === undefined ? {} : { sync: wish.sync }),
  };
  let answer = await gateway.admin.call("resetToDefault", { query });
  const what = `answer to a reset of ${scopes.join(", ")}${wish.sync === true ? " with sync" : ""}`;
  const expected = "2xx before the reset";
  verify("CORE-REBOOT-25").that(answer.accepted, {
    what,
    expected,
    observed: answer.summary(),
    evidence: answer,
  });
  // The effect of an immediate reset is visible even without its answer.
  if (answer.status !== 0 || wish.sync !== true) {
    for (const requirement of wish.acceptance ?? []) verify(requirement).accepted(answer);
    if (!verify(wish.timing).accepted(answer)) return;
  }
  const waiting =
    second?.scope === undefined || !answer.accepted
      ? undefined
      : await gateway.admin.call("resetToDefault", {
          query: { scopes: [second.scope], mode: "system", sync: false },
        });
  const outside = marked.find(
    (one) => one.name === wish.written && !targets.includes(one) && one !== second && one !== spared,
  );
  const written = outside && answer.accepted ? await writtenInTime(context, outside, answer) : outside;
  const signMs = signWithinMs(context);
  let sign = await firstSign(context, watch, first, answer.exchange.startedMs, signMs);
  // Whether a request replaces one that waits is not stated.
  const isReplaced =
    sign === undefined &&
    second !== undefined &&
    waiting?.accepted === true &&
    !sameValue(await second.read(), second.value);
  if (isReplaced) {
    answer = await gateway.admin.call("resetToDefault", { query });
    sign = await firstSign(context, watch, first, answer.exchange.startedMs, signMs);
  }
  if (sign === undefined) {
    verify("CORE-REBOOT-31").that(false, {
      what: `${first.what} after a reset of ${first.scope}`,
      expected: `other than ${JSON.stringify(first.value)}`,
      observed: `${JSON.stringify(first.value)} for ${signMs / 1000} s after the request`,
      evidence: answer,
    });
    return;
  }
  // A reset shows that the request arrived: without an answer until then the gateway gave none.
  if (answer.status === 0)
    verify("CORE-REBOOT-25").that(false, { what, expected, observed: `a reset, and ${answer.summary()}` });
  verifyResetTime(context, wish.timing, {
    answer,
    sign,
    what: String(first.scope),
    isSync: wish.sync === true,
  });
  const early = wish.sync === true ? await changedAfterReset(context, first, answer) : undefined;
  await settledAfterReset(context, watch, scopes);
  for (const setting of targets) {
    const now = setting === first && early !== undefined ? early.reset : await setting.read();
    for (const requirement of ["CORE-REBOOT-31", ...(wish.acceptance ?? [])])
      verifyReset(context, requirement, setting, now, answer);
  }
  // Whether a second reset is accepted while the first one waits is not stated; an accepted one is done.
  if (second !== undefined && waiting?.accepted === true && !restarts()) {
    const isReset = async (): Promise<true | undefined> =>
      sameValue(await second.read(), second.value) ? undefined : true;
    const deadlineMs = signMs - profile.patience.settleMs;
    await waitFor("the second reset", isReset, { deadlineMs }).catch(() => undefined);
    verifyReset(context, "CORE-REBOOT-31", second, await second.read(), waiting);
  }
  // One that is accepted is decided by another case.
  if (spared !== undefined && rejection?.rejected === true)
    verify("CORE-REBOOT-26").equal(
      await spared.read(),
      spared.value,
      `${spared.what} more than ${resetWaitsMs / 1000} s after a rejected reset of its scope without sync`,
      rejection,
    );
  else if (wish.rejected !== undefined)
    verify("CORE-REBOOT-26").notApplicable(
      "a setting after a rejected reset of its scope",
      "no further setting has an offered scope, or the gateway takes the unknown one",
    );
  for (const one of marked) {
    if (targets.includes(one) || (one === second && waiting?.accepted === true)) continue;
    if (one === spared && rejection?.rejected !== true) continue;
    const setting = one === outside ? written : one;
    if (setting === undefined) continue;
    verify("CORE-REBOOT-32").equal(
      await setting.read(),
      setting.value,
      `${setting.what} after a reset of ${scopes.join(", ")}`,
      answer,
    );
  }
  await stream?.verifySends(`a reset of ${scopes.join(", ")}`, answer);
  await verifyOtherServices(answer);
  for (const thing of created)
    verify("CORE-REBOOT-32").equal(
      await laterReading(context, thing),
      thing.expected,
      `${thing.what} after a reset of ${scopes.join(", ")}`,
      answer,
    );
  // A restart may reset what was set before it.
  if (early?.changed !== undefined && (await watch.wentDown(1)) === undefined)
    await verifyKept(context, wish.timing, early.changed, answer);
  if (marked.length - targets.length + created.length === 0)
    notApplicable("the profile declares no setting outside the reset scope");
}

/**
 * Writes the setting while a reset waits, and leaves its switch on or off. Undefined where the gateway rejects it, or
 * answers about when the reset is due: which of the two comes first is not certain then.
 */
async function writtenInTime(
  context: CaseContext,
  setting: MarkedSetting,
  { exchange: { startedMs } }: Answer,
): Promise<MarkedSetting | undefined> {
  const changed = await ifMet(setting.change(setting.value["enable"] === true));
  const safeMs = resetWaitsMs - context.profile.tolerances.resetDelaySec * 1000 - apartMs;
  if (changed === undefined || context.clock.nowMs() > startedMs + safeMs) return undefined;
  return { ...changed, what: `${changed.what}, written while the reset waited,` };
}

/**
 * Sets the setting again after an immediate reset, before the time of one that waits. Answers what the setting was before,
 * and the setting as changed, where the gateway answers in time.
 */
async function changedAfterReset(
  { clock, signal }: CaseContext,
  setting: MarkedSetting,
  { exchange: { startedMs, durationMs } }: Answer,
): Promise<{ readonly reset: Members; readonly changed: MarkedSetting | undefined } | undefined> {
  await clock.delay(Math.max(0, startedMs + durationMs + doneWithinMs - clock.nowMs()), signal);
  const reset = await ifMet(setting.read());
  if (reset === undefined) return undefined;
  const isInTime = clock.nowMs() < startedMs + resetWaitsMs - apartMs;
  return { reset, changed: isInTime ? await ifMet(setting.change()) : undefined };
}

/** Checks that the setting is stored beyond the time of a reset that waits. */
async function verifyKept(
  { clock, signal, verify }: CaseContext,
  requirement: string,
  changed: MarkedSetting,
  answer: Answer,
): Promise<void> {
  const { startedMs, durationMs } = answer.exchange;
  const readMs = startedMs + durationMs + resetWaitsMs + apartMs;
  await clock.delay(Math.max(0, readMs - clock.nowMs()), signal);
  verify(requirement).equal(
    await changed.read(),
    changed.value,
    `${changed.what}, set again after a reset with sync, more than ${resetWaitsMs / 1000} s after the reset`,
    answer,
  );
}
