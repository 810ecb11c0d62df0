import {
  type Answer,
  type CaseContext,
  type Evidence,
  sameValue,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { App } from "../../interface/resources/apps.ts";
import { watchRecorded } from "../support/recordedEvents.ts";
import { presence } from "../users/accounts.ts";
import { appActivity, appFacts, isActiveAs, othersOf, verifyAppViews, verifyOthers } from "./appFacts.ts";
import { watchAppEvents } from "./appEvents.ts";
import { type Reading, showsRestarts } from "./restartSigns.ts";

/** Published transient states. */
const isTransient = ({ state }: App): boolean => ["stopping", "starting", "restarting"].includes(state);

/** The activity of an app before an action, in its answer, and in the next answer of Get app. */
interface TakenAction {
  readonly action: string;
  readonly earlier: object;
  readonly answered: object;
  readonly next: object;
  readonly evidence: Evidence;
}

/** A stop, a start and a restart, each of some seconds: usual for apps in containers. */
const threeChangesMs = 15_000;

/** Actions that show a change at once; with fewer, an answer may have been given before the change. */
const leastTelling = 2;

/** Checks that not every answer shows the activity before its action. */
function verifyAnswers({ verify }: CaseContext, taken: readonly TakenAction[]): void {
  const telling = taken.filter(({ earlier, next }) => !sameValue(earlier, next));
  const stale = telling.filter(({ earlier, answered }) => sameValue(earlier, answered));
  const [first] = telling;
  if (first === undefined || telling.length < leastTelling)
    return verify("CORE-APP-51").notApplicable(
      "answers to actions",
      "Get app shows no change right after an action",
    );
  const actions = telling.map(({ action }) => action).join(", ");
  verify("CORE-APP-51").that(stale.length < telling.length, {
    what: `activity in the answers to ${actions}, after which Get app shows a change`,
    expected: "not always that before the action",
    observed: `that before the action in ${stale.length} of ${telling.length} answers`,
    evidence: (stale[0] ?? first).evidence,
  });
}

/** Checks that a stopped app loses the attribute `started`, where it had it. */
async function verifyNotStarted(
  { profile, verify, waitFor }: CaseContext,
  before: App,
  read: () => Promise<App>,
): Promise<void> {
  const what = `attribute \`started\` of ${before.name} after a stop`;
  if (!before.attributes.includes("started"))
    return verify("CORE-APP-54").notApplicable(what, "the started app does not have it");
  const isGone = async (): Promise<true | undefined> =>
    !(await read()).attributes.includes("started") || undefined;
  const wait = { deadlineMs: (profile.apps?.settleSec ?? 1) * 1000 };
  const found = await waitFor(`the loss of the ${what}`, isGone, wait).catch(() => false);
  verify("CORE-APP-54").equal(found ? "absent" : "present", "absent", what);
}

/** Whether the app shows that it is started; one that shows neither sign may be all the same. */
const looksStarted = ({ attributes, state }: App): boolean =>
  attributes.includes("started") || state === "ready";

/** The app in a lasting state, started where it was not; it is stopped again when the case ends. */
async function startedApp(
  { gateway: { admin }, scratch, waitFor }: CaseContext,
  read: () => Promise<App>,
  { appname, deadlineMs }: { readonly appname: string; readonly deadlineMs: number },
): Promise<App> {
  const operate = (action: "start" | "stop"): Promise<Answer> =>
    admin.call("operateApp", { path: { appname, action } });
  // A gateway may just have started: the states before are compared with later ones, and must last.
  const lasting = async (): Promise<App> => {
    let present: App | undefined;
    return waitFor(
      `a lasting state of ${appname}`,
      async () => {
        present = await read();
        return isTransient(present) ? undefined : present;
      },
      { deadlineMs, lastSeen: () => present?.state },
    );
  };
  const found = await lasting();
  const isStarting = !looksStarted(found) && (await operate("start")).accepted;
  scratch.undo(`app ${appname}`, async () => {
    const now = await read();
    if (isActiveAs(now, found)) return undefined;
    return operate(looksStarted(now) && !looksStarted(found) ? "stop" : "start");
  });
  if (!isStarting) return found;
  const isOther = async (): Promise<true | undefined> => !isActiveAs(await read(), found) || undefined;
  await waitFor(`another activity of ${appname}`, isOther, { deadlineMs }).catch(() => undefined);
  return lasting();
}

export const operatingCases: readonly TestCase[] = [
  testCase({
    id: "apps/stop-start-restart",
    title: "Stop, start and restart act on the declared app only",
    group: "apps",
    requirements: [
      "CORE-APP-17",
      "CORE-APP-36",
      "CORE-APP-38",
      "CORE-APP-39",
      "CORE-APP-40",
      "CORE-APP-41",
      "CORE-APP-48",
      "CORE-APP-49",
      "CORE-APP-50",
      "CORE-APP-51",
      "CORE-APP-54",
      "CORE-EVENT-68",
      "CORE-ROBUST-01",
    ],
    effect: "reversible",
    touches: ["apps"],
    // The kinds of its own events.
    addsTo: ["event-catalogue"],
    // A service may switch the app of the same name.
    reliesOn: ["event-configuration", "services"],
    capabilities: ["apps", "app-operations"],
    leastMs: threeChangesMs,
    deadlineMs: 300_000,
    async run(context) {
      const { clock, gateway, profile, signal, verify, waitFor, notApplicable } = context;
      if (profile.apps === undefined) {
        return notApplicable("the profile declares no app that may be stopped (apps.operable)", "not-named");
      }
      const { admin } = gateway;
      const { operable, settleSec } = profile.apps;
      const deadlineMs = settleSec * 1000;
      const readings: Reading[] = [];
      const note = (app: App): App => {
        readings.push({ atMs: clock.nowMs(), activity: appActivity(app) });
        return app;
      };
      const read = async (): Promise<App> =>
        note((await admin.call("getApp", { path: { appname: operable } })).data());
      const before = await startedApp(context, read, { appname: operable, deadlineMs });
      const others = await othersOf(context, operable);
      const asBefore = (app: App): boolean => isActiveAs(app, before);
      // The interface does not show which action is possible in which state: a rejection may be temporary.
      const takenActions: TakenAction[] = [];
      const operate = async (action: "stop" | "start" | "restart", requirement: string): Promise<void> => {
        const path = { appname: operable, action };
        const earlier = appActivity(await read());
        let answer = await admin.call("operateApp", { path });
        const startedMs = clock.nowMs();
        while (answer.status >= 400 && answer.status < 500 && clock.nowMs() - startedMs < deadlineMs) {
          await clock.delay(50, signal);
          answer = await admin.call("operateApp", { path });
        }
        if (!verify(requirement).accepted(answer)) context.unmet(`the action ${action} was rejected`);
        const next = appActivity(await read());
        takenActions.push({ action, earlier, next, answered: appActivity(answer.data()), evidence: answer });
        note(answer.data());
        await verifyAppViews(context, operable, `after the action ${action}`);
        verify("CORE-APP-38").equal(
          { id: answer.data().id, name: answer.data().name },
          { id: before.id, name: before.name },
          `\`id\` and \`name\` in the answer of the action ${action}`,
          answer,
        );
        verify("CORE-APP-17").equal(
          presence(answer, "menuID"),
          "absent",
          `\`menuID\` in the answer of the action ${action}`,
          answer,
        );
      };
      const settled = async (when: string, what: string, holds: (app: App) => boolean): Promise<void> => {
        let last: App | undefined;
        const found = await waitFor(
          `${operable} ${what} ${when}`,
          async () => {
            last = await read();
            return holds(last) || undefined;
          },
          { deadlineMs, lastSeen: () => last && appActivity(last) },
        ).catch((thrown: unknown) => {
          if (context.signal.aborted || last === undefined) throw thrown;
          return false;
        });
        verify("CORE-APP-48").that(found, {
          what: `the app ${operable} ${when}`,
          expected: `${what} within ${settleSec} s`,
          observed: last && appActivity(last),
        });
        await verifyAppViews(context, operable, when);
      };
      const verifyRestart = async (isShown: boolean): Promise<void> => {
        const events = [await watchRecorded(context, "app stop"), await watchRecorded(context, "app start")];
        const earlier = appActivity(await read());
        const from = readings.length;
        await operate("restart", "CORE-APP-41");
        if (!isShown) return;
        const isTold = async (): Promise<true | undefined> => {
          await read();
          if (readings.slice(from).some(({ activity }) => !sameValue(activity, earlier))) return true;
          return (await Promise.all(events.map((one) => one.isNew()))).includes(true) || undefined;
        };
        const sign = await waitFor("a sign of the restart", isTold, { deadlineMs }).catch(() => undefined);
        verify("CORE-APP-48").that(sign === true, {
          what: `signs of a restart of ${operable}, of which a start shows another activity`,
          expected: `another activity for a while, or an event "app stop" or "app start", within ${settleSec} s`,
          observed:
            sign === true ? "as expected" : "the activity before the restart in every reading, no event",
        });
      };
      const recorded = await watchAppEvents(context);
      await operate("stop", "CORE-APP-39");
      await settled(
        "after a stop",
        "other attributes, desiredState, state or health than before, and no transient state",
        (app) => !asBefore(app) && !isTransient(app),
      );
      await recorded.verifyRecorded("app stop", `the stop of ${operable}`);
      await verifyOthers(context, "CORE-APP-49", operable, others, "after the stop");
      await verifyNotStarted(context, before, read);
      const stopped = appActivity(await read());
      const startedAt = readings.length;
      await operate("start", "CORE-APP-40");
      await settled("after a start", "the activity before the stop", asBefore);
      await recorded.verifyRecorded("app start", `the start of ${operable}`);
      const isShown = showsRestarts({
        readings: readings.slice(startedAt),
        ends: [stopped, appActivity(await read())],
        areRecorded: (await recorded.isNew("app stop")) && (await recorded.isNew("app start")),
      });
      await verifyRestart(isShown);
      await settled("after a restart", "the activity before the restart", asBefore);
      await verifyOthers(context, "CORE-APP-49", operable, others, "after stop, start and restart");
      // The interface does not show what an action does in a state that it does not change.
      const tryAction = async (action: "stop" | "start" | "restart", state: string): Promise<boolean> => {
        const answer = await admin.call("operateApp", { path: { appname: operable, action } });
        if (answer.accepted)
          verify("CORE-APP-38").equal(
            answer.data().id,
            before.id,
            `\`id\` in the answer to ${action} of a ${state} app`,
            answer,
          );
        verify("CORE-ROBUST-01").that(answer.accepted || (answer.status >= 400 && answer.status < 500), {
          what: `answer to ${action} of a ${state} app`,
          expected: "2xx or 4xx",
          observed: answer.summary(),
          evidence: answer,
        });
        return answer.accepted;
      };
      await tryAction("start", "started");
      await settled("after a start of the started app", "the activity before it", asBefore);
      await recorded.verifyDisabled(async () => {
        // A stop that is rejected while the app restarts is repeated; one that is accepted counts.
        await tryAction("restart", "started");
        await operate("stop", "CORE-APP-39");
        await settled(
          "after a stop right after a restart",
          "another activity than before them, and no transient state",
          (app) => !asBefore(app) && !isTransient(app),
        );
        await tryAction("stop", "stopped");
        await read();
        if (await tryAction("restart", "stopped"))
          await waitFor("the app after a restart", async () => asBefore(await read()) || undefined, {
            deadlineMs,
          }).catch(() => undefined);
        if (!asBefore(await read())) await operate("start", "CORE-APP-40");
        await settled("after the last start", "the activity before the first stop", asBefore);
      });
      verifyAnswers(context, takenActions);
      verify("CORE-APP-36").equal(
        appFacts(await read()),
        appFacts(before),
        `the app ${operable} after stop, start and restart`,
      );
    },
  }),

  testCase({
    id: "apps/wrong-operations-are-refused",
    title: "Operate an app rejects unknown actions and unknown apps",
    group: "apps",
    requirements: ["CORE-APP-43", "CORE-APP-44"],
    effect: "reversible",
    touches: ["apps"],
    capabilities: ["apps"],
    async run({ gateway, profile, scratch, verify, unmet }) {
      const { admin } = gateway;
      for (const action of ["start", "stop", "restart", "uninstall"] as const) {
        const path = { appname: scratch.name("app"), action };
        verify("CORE-APP-44").refused(await admin.call("operateApp", { path }));
      }
      const appname = profile.apps?.operable ?? (await admin.call("listApps")).data()[0]?.name;
      if (appname === undefined) return unmet("List apps is empty");
      for (const action of ["no-such-action", "no such action", "startx", "star", "restartx", "restar"]) {
        verify("CORE-APP-43").refused(await admin.callInvalid("operateApp", { path: { appname, action } }));
      }
      const apps = (await admin.call("listApps")).data();
      for (const other of [appname.slice(0, -1), `${appname}x`])
        if (
          other !== "" &&
          !apps.some(({ id, name, displayName }) => [id, name, displayName].includes(other))
        )
          verify("CORE-APP-44").refused(
            await admin.call("operateApp", { path: { appname: other, action: "restart" } }),
          );
    },
  }),
];
