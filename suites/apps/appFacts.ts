import { type CaseContext, sameValue } from "../../harness/index.ts";
import { App } from "../../interface/resources/apps.ts";

const members = Object.keys(App.properties) as readonly (keyof App)[];

/** Every stated member of an app that two views share, in a form that can be compared. */
export function appMembers(app: App | undefined): object {
  if (app === undefined) return { name: "absent" };
  return {
    ...Object.fromEntries(members.map((name) => [name, app[name]])),
    attributes: app.attributes.toSorted(),
  };
}

/** The same without the members that change by themselves. */
export function appFacts(app: App): object {
  const { attributes: _attributes, desiredState: _desired, state: _state, health: _health, ...facts } = app;
  return appMembers({ ...facts, attributes: [], desiredState: "", state: "", health: "" });
}

/**
 * Checks that List apps shows an app as Get app does, between equal answers of Get app. A list may follow the single view
 * with a delay: it must differ for the settling time.
 */
export async function verifyAppViews(
  { gateway: { admin }, clock, profile, signal, verify }: CaseContext,
  appname: string,
  phase: string,
): Promise<void> {
  const get = async (): Promise<object> =>
    appMembers((await admin.call("getApp", { path: { appname } })).data());
  const first = await get();
  const startedMs = clock.nowMs();
  for (;;) {
    const list = await admin.call("listApps");
    const listed = appMembers(list.data().find(({ name }) => name === appname));
    if (!sameValue(first, await get()))
      return verify("CORE-APP-36").notApplicable(
        `views of the app ${appname} ${phase}`,
        "the app changes between readings",
      );
    if (!sameValue(listed, first) && clock.nowMs() - startedMs < profile.patience.settleMs) {
      await clock.delay(100, signal);
      continue;
    }
    verify("CORE-APP-36").equal(
      listed,
      first,
      `app ${appname} ${phase} in List apps, compared with Get app`,
      list,
    );
    return;
  }
}

/** The members that show whether an app runs. */
export function appActivity({ attributes, desiredState, state, health }: App): object {
  return { attributes: attributes.toSorted(), desiredState, state, health };
}

/** Which of these follows a start is not stated. */
const healthy: ReadonlySet<string> = new Set(["good", "running"]);

/** Whether both show the same activity, in good health or in the same. */
export function isActiveAs(app: App, other: App): boolean {
  return (
    (app.health === other.health || (healthy.has(app.health) && healthy.has(other.health))) &&
    sameValue({ ...appActivity(app), health: "" }, { ...appActivity(other), health: "" })
  );
}

interface RequestedState {
  readonly name: string;
  readonly desiredState: string;
  readonly isStarted: boolean;
}

/** What the apps but one are asked to be, which unlike state and health does not fluctuate, by their names. */
export async function othersOf({ gateway: { admin } }: CaseContext, name: string): Promise<RequestedState[]> {
  return (await admin.call("listApps"))
    .data()
    .filter((app) => app.name !== name)
    .map((app) => ({
      name: app.name,
      desiredState: app.desiredState,
      isStarted: app.attributes.includes("started"),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Checks that the apps but `name` are unchanged. An app that had not started may start at any time: the gateway may have
 * booted shortly before. One that had started may do so again within the time of a profile for changes of apps.
 */
export async function verifyOthers(
  context: CaseContext,
  requirement: string,
  name: string,
  before: readonly RequestedState[],
  when: string,
): Promise<void> {
  const { profile, verify, waitFor } = context;
  let last: readonly RequestedState[] = [];
  const areKept = async (): Promise<true | undefined> => {
    last = (await othersOf(context, name)).map((one) => {
      const earlier = before.find((app) => app.name === one.name);
      return earlier?.isStarted === false ? { ...one, isStarted: false } : one;
    });
    return sameValue(last, before) || undefined;
  };
  const wait = { deadlineMs: (profile.apps?.settleSec ?? 1) * 1000, lastSeen: () => last };
  await waitFor(`the other apps unchanged ${when}`, areKept, wait).catch(() => undefined);
  verify(requirement).equal(last, before, `the other apps ${when}`);
}
