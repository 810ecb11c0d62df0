// Faults of apps and of the job list.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { losesAtBoot, withoutEvents } from "./habits.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";

export const appFaults: readonly Fault[] = faults([
  [
    "job-list-exchanges-the-states-of-canceled-jobs",
    "CORE-UPGRADE-56",
    "subtle",
    "List jobs shows `state` and `lastState` of canceled jobs in each other's place.",
    (at) =>
      at.data("listJobs", (job) =>
        job["state"] === "canceled" ? { ...job, state: job["lastState"], lastState: job["state"] } : job,
      ),
  ],
  [
    "job-list-shows-no-state-of-open-jobs",
    "CORE-APP-26",
    "subtle",
    "List jobs shows an empty `state` of jobs that have not ended.",
    (at) => at.data("listJobs", (job) => (job["completedAt"] === null ? { ...job, state: "" } : job)),
  ],
  [
    "job-count-leaves-canceled-jobs-out",
    "CORE-APP-46",
    "subtle",
    "`count` of List jobs leaves out canceled jobs.",
    (at) =>
      at.answer("listJobs", (body) => ({
        ...body,
        count: items(body["data"]).filter((job) => fields(job)["state"] !== "canceled").length,
      })),
  ],
  [
    "app-stop-is-not-recorded",
    "CORE-APP-50",
    "plain",
    "Stopping an app is not recorded as an event.",
    withoutEvents(50),
  ],
  [
    "app-start-is-not-recorded",
    "CORE-APP-50",
    "subtle",
    "Starting an app is not recorded as an event, although its kind is enabled.",
    withoutEvents(51),
  ],
  [
    "single-app-has-a-menu",
    "CORE-APP-17",
    "plain",
    "Get app returns `menuID`.",
    (at) => at.data("getApp", (app) => ({ ...app, menuID: app["id"] })),
  ],
  [
    "apps-count-one-less",
    "CORE-APP-34",
    "plain",
    "`count` of the apps is one too low.",
    (at) => at.answer("listApps", (body) => ({ ...body, count: Number(body["count"]) - 1 })),
  ],
  [
    "single-app-has-another-version",
    "CORE-APP-36",
    "subtle",
    "Get app returns another version than the list.",
    (at) => at.data("getApp", (app) => ({ ...app, version: `${String(app["version"])}-1` })),
  ],
  [
    "list-shows-image-sizes-in-another-unit",
    "CORE-APP-36",
    "subtle",
    "List apps returns `imageSize` in kilobytes.",
    (at) => at.data("listApps", (app) => ({ ...app, imageSize: Math.ceil(Number(app["imageSize"]) / 1024) })),
  ],
  [
    "operated-app-is-answered-as-before",
    "CORE-APP-51",
    "plain",
    "Operating an app returns the app with its state before the action.",
    (at) =>
      at.around("operateApp", async (call, proceed, ask) => {
        const earlier = await ask("getApp", { path: { appname: call.path["appname"] ?? "" } });
        await proceed(call);
        return earlier;
      }),
  ],
  [
    "unknown-app-is-the-device",
    "CORE-APP-36",
    "plain",
    "An unknown app name returns another app.",
    (at) =>
      at.around("getApp", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { path: { appname: "device" } }))),
      ),
  ],
  [
    "operated-app-is-answered-as-another",
    "CORE-APP-38",
    "subtle",
    "Operating an app returns the id of another app.",
    (at) => at.data("operateApp", (app) => ({ ...app, id: "device", name: "device" })),
  ],
  [
    "app-cannot-be-stopped",
    "CORE-APP-39",
    "plain",
    "The action stop is rejected.",
    (at) => at.around("operateApp", rejectsAction("stop")),
  ],
  [
    "app-cannot-be-started",
    "CORE-APP-40",
    "plain",
    "The action start is rejected.",
    (at) => at.around("operateApp", rejectsAction("start")),
  ],
  [
    "app-cannot-be-restarted",
    "CORE-APP-41",
    "plain",
    "The action restart is rejected.",
    (at) => at.around("operateApp", rejectsAction("restart")),
  ],
  [
    "unknown-action-is-taken",
    "CORE-APP-43",
    "plain",
    "An unknown action is answered with the app.",
    (at) => {
      at.lenient("operateApp", "path", "action");
      at.around("operateApp", (call, proceed) =>
        ["start", "stop", "restart", "uninstall"].includes(call.path["action"] ?? "")
          ? proceed(call)
          : proceed(changed(call, { path: { ...call.path, action: "restart" } })),
      );
    },
  ],
  [
    "unknown-app-is-operated",
    "CORE-APP-44",
    "plain",
    "An action on an unknown app name is answered with another app.",
    (at) =>
      at.around("operateApp", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          if (!(thrown instanceof Refusal) || thrown.status !== 404) throw thrown;
          return { kind: "json", status: 200, body: { data: { id: "device", name: "device" } } };
        }),
      ),
  ],
  [
    "job-belongs-to-its-reader",
    "CORE-APP-45",
    "subtle",
    "List jobs returns the user who reads as `owner` of every job.",
    (at) => at.data("listJobs", (job, call) => ({ ...job, owner: call.caller?.name ?? "" })),
  ],
  [
    "periodic-job-is-immediate",
    "CORE-APP-24",
    "subtle",
    "`now` of a job is true whatever its schedule.",
    (at) => at.data("listJobs", (job) => ({ ...job, now: true })),
  ],
  [
    "job-without-a-schedule-has-an-empty-text",
    "CORE-APP-25",
    "subtle",
    "`at` of a job without a schedule is an empty text.",
    (at) => at.data("listJobs", (job) => ({ ...job, at: job["at"] ?? "" })),
  ],
  [
    "job-starts-before-its-creation",
    "CORE-APP-30",
    "subtle",
    "`startedAt` of a job is an hour before its creation.",
    (at) =>
      at.data("listJobs", (job) => ({
        ...job,
        startedAt: new Date(Date.parse(String(job["createdAt"])) - 3_600_000).toISOString(),
      })),
  ],
  [
    "jobs-count-zero",
    "CORE-APP-46",
    "plain",
    "`count` of the jobs is always zero.",
    (at) => at.answer("listJobs", (body) => ({ ...body, count: 0 })),
  ],
  [
    "stopped-app-goes-on",
    "CORE-APP-48",
    "plain",
    "The action stop is answered with success, but the app keeps running.",
    (at) => at.around("operateApp", ignores("stop")),
  ],
  [
    "app-cannot-be-uninstalled",
    "CORE-APP-42",
    "plain",
    "The action uninstall is rejected.",
    (at) => at.around("operateApp", rejectsAction("uninstall")),
  ],
  [
    "uninstalled-app-is-back-after-a-reboot",
    "CORE-APP-52",
    "subtle",
    "An uninstalled app is installed again after a reboot.",
    losesAtBoot("apps"),
  ],
  [
    "uninstalling-an-app-stops-another",
    "CORE-APP-53",
    "subtle",
    "Uninstalling an app stops modbusmaster-tcp.",
    (at) => at.around("operateApp", alsoStops("uninstall")),
  ],
  [
    "stopping-an-app-stops-another",
    "CORE-APP-49",
    "subtle",
    "Stopping an app also stops modbusmaster-tcp.",
    (at) => at.around("operateApp", alsoStops("stop")),
  ],
  [
    "apps-act-one-at-a-time",
    "CORE-APP-52",
    "subtle",
    "An action on an app within a second after one on another app is answered, and nothing is done.",
    (at) => {
      let last = { name: "", atMs: -Infinity };
      at.around("operateApp", (call, proceed, ask) => {
        const appname = call.path["appname"] ?? "";
        const nowMs = performance.now();
        if (last.name !== appname && nowMs - last.atMs < 1000) return ask("getApp", { path: { appname } });
        last = { name: appname, atMs: nowMs };
        return proceed(call);
      });
    },
  ],
  [
    "app-start-is-not-recorded",
    "CORE-APP-50",
    "plain",
    "Starting an app is not recorded as an event.",
    withoutEvents(51),
  ],
  [
    "restart-of-a-running-app-does-nothing",
    "CORE-APP-48",
    "subtle",
    "The action restart is answered with the app, and the app is not restarted.",
    (at) =>
      at.around("operateApp", (call, proceed, ask) =>
        call.path["action"] === "restart"
          ? ask("getApp", { path: { appname: call.path["appname"] ?? "" } })
          : proceed(call),
      ),
  ],
  [
    "stop-during-a-restart-is-lost",
    "CORE-APP-48",
    "subtle",
    "The action stop of an app that is restarting is answered with the app, and nothing is done.",
    (at) =>
      at.around("operateApp", async (call, proceed, ask) => {
        const app = await ask("getApp", { path: { appname: call.path["appname"] ?? "" } });
        const isRestarting = app.kind === "json" && valueAt(app.body, "data.state") === "restarting";
        return call.path["action"] === "stop" && isRestarting ? app : proceed(call);
      }),
  ],
  [
    "stopped-app-has-the-attribute-started",
    "CORE-APP-54",
    "subtle",
    "`attributes` of a stopped app still has started.",
    (at) =>
      at.data(["listApps", "getApp", "operateApp"], (app) => {
        const { attributes } = app;
        const isStopped = app["state"] === "stopped" && Array.isArray(attributes);
        return isStopped ? { ...app, attributes: ["started", ...attributes] } : app;
      }),
  ],
  ...(
    [
      ["ten", 10],
      ["sixteen", 16],
    ] as const
  ).map(
    ([name, most]) =>
      [
        `job-list-ends-at-${name}`,
        "CORE-APP-45",
        "subtle",
        `List jobs returns the last ${most} jobs only.`,
        (at: GatewayAlterations) =>
          at.answer("listJobs", (body) => {
            const data = items(body["data"]).slice(-most);
            return { count: data.length, data };
          }),
      ] as const,
  ),
  ...(
    [
      ["longer", "begins with", (word: string, action: string) => action.startsWith(word)],
      ["shorter", "is the beginning of", (word: string, action: string) => word.startsWith(action)],
    ] as const
  ).flatMap(
    ([id, is, fits]) =>
      [
        [
          `${id}-action-is-taken`,
          "CORE-APP-43",
          "subtle",
          `An action that ${is} a known one is accepted as that one.`,
          (at: GatewayAlterations) => {
            at.lenient("operateApp", "path", "action");
            at.around("operateApp", (call, proceed) => {
              const sent = call.path["action"] ?? "";
              const action = ["start", "stop", "restart", "uninstall"].find((word) => fits(word, sent));
              if (action === undefined) throw new Refusal(400, `action: ${sent} is not known`);
              return proceed(changed(call, { path: { ...call.path, action } }));
            });
          },
        ],
        [
          `app-of-a-${id}-name-is-operated`,
          "CORE-APP-44",
          "subtle",
          `*Operate an app* accepts a name that ${is} that of an app, and operates this app.`,
          (at: GatewayAlterations) =>
            at.around("operateApp", async (call, proceed, ask) => {
              const listed = await ask("listApps");
              const sent = call.path["appname"] ?? "";
              const names = items(listed.kind === "json" ? fields(listed.body)["data"] : []).map((app) =>
                String(app["name"]),
              );
              const appname = names.includes(sent) ? sent : names.find((name) => fits(name, sent));
              return proceed(
                appname === undefined ? call : changed(call, { path: { ...call.path, appname } }),
              );
            }),
        ],
      ] as const,
  ),
]);

/** The action also stops modbusmaster-tcp. */
function alsoStops(action: string): Step {
  return async (call, proceed) => {
    if (call.path["action"] === action && call.path["appname"] !== "modbusmaster-tcp")
      await proceed(changed(call, { path: { appname: "modbusmaster-tcp", action: "stop" } })).catch(
        () => undefined,
      );
    return proceed(call);
  };
}

/** The action is answered with the present app but not carried out. */
function ignores(action: string): Step {
  return async (call, proceed) =>
    call.path["action"] === action
      ? proceed(changed(call, { path: { ...call.path, action: "restart" } })).then((answer) =>
          answer.kind === "json"
            ? { ...answer, body: { data: { ...fields(fields(answer.body)["data"]), state: "ready" } } }
            : answer,
        )
      : proceed(call);
}

function rejectsAction(action: string): Step {
  return (call, proceed) => {
    if (call.path["action"] === action) throw new Refusal(400, `action: ${action} is not possible`);
    return proceed(call);
  };
}
