import type { App } from "../../interface/resources/apps.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { restoreScheduleLater } from "../support/rebootSchedule.ts";
import { backAgain } from "../support/restart.ts";
import { othersOf, verifyOthers } from "./appFacts.ts";

/**
 * The app, or undefined once it is not installed: whether an uninstalled app is still listed is not stated. One that was
 * shown as installed says by its state or its attributes that it is no more.
 */
async function installed(
  { gateway: { admin } }: CaseContext,
  name: string,
  before?: App,
): Promise<App | undefined> {
  const app = (await admin.call("listApps")).data().find((one) => one.name === name);
  const isShown = (one: App): boolean => one.attributes.includes("installed");
  const isNoMore = app?.state === "uninstalled" || (before && isShown(before) && app && !isShown(app));
  return isNoMore === true ? undefined : app;
}

export const uninstallingCases: readonly TestCase[] = [
  testCase({
    id: "apps/uninstall",
    title: "Uninstall removes the declared app only, and for good",
    group: "apps",
    requirements: ["CORE-APP-38", "CORE-APP-42", "CORE-APP-52", "CORE-APP-53"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["apps", "app-operations"],
    deadlineMs: 300_000,
    async run(context) {
      const { gateway, profile, verify, declares, notApplicable, waitFor } = context;
      const name = profile.apps?.expendable;
      if (profile.apps === undefined || name === undefined)
        return notApplicable(
          "the profile names no app that may be uninstalled (apps.expendable)",
          "not-named",
        );
      const { admin } = gateway;
      const deadlineMs = profile.apps.settleSec * 1000;
      const before = await installed(context, name);
      if (before === undefined) return context.unmet(`the app ${name} is not installed, install it again`);
      const others = await othersOf(context, name);
      const operate = (action: "stop" | "uninstall") =>
        admin.call("operateApp", { path: { appname: name, action } });
      // While another one restarts: an action is about its own app.
      const { operable } = profile.apps;
      if (others.some((one) => one.name === operable && one.isStarted))
        await admin.call("operateApp", { path: { appname: operable, action: "restart" } });
      let answer = await operate("uninstall");
      // The interface does not show the transitions: an app may have to be stopped first.
      if (!answer.accepted) {
        await operate("stop");
        const isDecided = async (): Promise<true | undefined> => {
          answer = await operate("uninstall");
          return answer.status < 400 || answer.status >= 500 || undefined;
        };
        const wait = { deadlineMs: 2 * deadlineMs, lastSeen: () => answer.summary() };
        await waitFor(`the app ${name} to be uninstalled after a stop`, isDecided, wait).catch(
          () => undefined,
        );
      }
      if (!verify("CORE-APP-42").accepted(answer)) return context.unmet("the action uninstall was rejected");
      context.note(`the app ${name} is uninstalled: no operation installs it again`);
      verify("CORE-APP-38").equal(
        { id: answer.data().id, name: answer.data().name },
        { id: before.id, name },
        "`id` and `name` in the answer of the action uninstall",
        answer,
      );
      const verifyGone = async (when: string): Promise<void> => {
        let last: App | undefined = before;
        const isGone = async (): Promise<true | undefined> => {
          last = await installed(context, name, before);
          return last === undefined || undefined;
        };
        const wait = { deadlineMs, lastSeen: () => last?.state };
        await waitFor(`the app ${name} to be gone ${when}`, isGone, wait).catch(() => undefined);
        verify("CORE-APP-52").that(last === undefined, {
          what: `the app ${name} in List apps ${when}`,
          expected: `absent or uninstalled within ${deadlineMs / 1000} s`,
          observed: last?.state ?? "absent or uninstalled",
        });
        await verifyOthers(context, "CORE-APP-53", name, others, when);
      };
      await verifyGone("after the action uninstall");
      if (!declares("reboot") || !declares("disruptive-reboot")) return;
      await restoreScheduleLater(context);
      await using watch = await gateway.watchForRestart();
      await admin.call("setReboot", { json: { now: true } });
      const limitMs = 2 * profile.patience.settleMs;
      if ((await watch.wentDown(limitMs)) === undefined)
        return context.unmet(`no reboot within ${limitMs / 1000} s`);
      await backAgain(context, watch);
      await verifyGone("after a reboot");
    },
  }),
];
