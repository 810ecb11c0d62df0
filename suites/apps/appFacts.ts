import { isDeepStrictEqual } from "node:util";
import type { CaseContext } from "../../harness/index.ts";
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

/** A list may follow the single view with a delay: it must differ this long while the single view stays the same. */
const leastDifferentMs = 1500;

/** Checks that List apps shows an app as Get app does, between equal answers of Get app. */
export async function verifyAppViews(
  { gateway: { admin }, clock, signal, verify }: CaseContext,
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
    if (!isDeepStrictEqual(first, await get()))
      return verify("CORE-APP-36").notApplicable(
        `views of the app ${appname} ${phase}`,
        "the app changes between readings",
      );
    if (!isDeepStrictEqual(listed, first) && clock.nowMs() - startedMs < leastDifferentMs) {
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

/** The requested state of an app, which unlike state and health does not fluctuate. */
export function requestedState({ name, desiredState, attributes }: App): object {
  return { name, desiredState, isStarted: attributes.includes("started") };
}
