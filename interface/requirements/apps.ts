import type { Requirement } from "./requirement.ts";

const shared = { group: "apps", level: "stated", capability: "apps" } as const;
const app = (field: string) => ({ ...shared, place: `Resources, App: ${field}` });
const job = (field: string) => ({ ...shared, place: `Resources, Background job: ${field}` });
const listing = { ...shared, place: "Endpoints 11, List apps" };
const getting = { ...shared, place: "Endpoints 11, Get app" };
const operating = {
  ...shared,
  place: "Endpoints 11, Operate an app",
  capability: "app-operations",
} as const;
const listingJobs = { ...shared, place: "Endpoints 11, List jobs" };
const operable = {
  ...operating,
  level: "declared",
  declaredBy: "apps",
  place: "Profile: apps.operable",
} as const;

const expendable = { ...operable, place: "Profile: apps.expendable" } as const;

export const appsRequirements: readonly Requirement[] = [
  { id: "CORE-APP-01", ...app("id"), statement: "`id` of an app is a string." },
  { id: "CORE-APP-02", ...app("name"), statement: "`name` of an app is a string." },
  { id: "CORE-APP-03", ...app("displayName"), statement: "`displayName` of an app is a string." },
  { id: "CORE-APP-04", ...app("description"), statement: "`description` of an app is a string." },
  { id: "CORE-APP-05", ...app("arch"), statement: "`arch` of an app is a string." },
  { id: "CORE-APP-06", ...app("attributes"), statement: "`attributes` of an app is an array of strings." },
  { id: "CORE-APP-07", ...app("availableVersions"), statement: "`availableVersions` of an app is an array." },
  { id: "CORE-APP-08", ...app("category"), statement: "`category` of an app is a string." },
  { id: "CORE-APP-09", ...app("desiredState"), statement: "`desiredState` of an app is a string." },
  { id: "CORE-APP-10", ...app("state"), statement: "`state` of an app is a string." },
  { id: "CORE-APP-11", ...app("health"), statement: "`health` of an app is a string." },
  { id: "CORE-APP-12", ...app("hardwares"), statement: "`hardwares` of an app is an array." },
  { id: "CORE-APP-13", ...app("icon"), statement: "`icon` of an app is a string: a path or empty." },
  { id: "CORE-APP-14", ...app("imageSize"), statement: "`imageSize` of an app is an integer." },
  {
    id: "CORE-APP-15",
    ...app("license"),
    statement: "`license` of an app holds a boolean `paid` and a string `type`.",
  },
  { id: "CORE-APP-16", ...app("menuID"), statement: "`menuID` of an app in `List apps` is a string." },
  { id: "CORE-APP-17", ...app("menuID"), statement: "`menuID` is absent from single-app responses." },
  { id: "CORE-APP-18", ...app("version"), statement: "`version` of an app is a string." },
  {
    id: "CORE-APP-19",
    ...shared,
    place: "Resources, App; States, App states",
    statement:
      "`attributes`, `category`, `state`, `desiredState`, `health` and `license.type` of an app have the observed values.",
    untestable: "the values are observations, not closed sets; any other string is allowed",
  },
  { id: "CORE-APP-20", ...job("id"), statement: "`id` of a background job is an integer." },
  { id: "CORE-APP-21", ...job("owner"), statement: "`owner` of a background job is a string." },
  { id: "CORE-APP-22", ...job("resourceID"), statement: "`resourceID` of a background job is an integer." },
  { id: "CORE-APP-23", ...job("resourceType"), statement: "`resourceType` of a background job is a string." },
  { id: "CORE-APP-24", ...job("now"), statement: "`now` of a background job is a boolean." },
  { id: "CORE-APP-25", ...job("at"), statement: "`at` of a background job is null or a schedule." },
  { id: "CORE-APP-26", ...job("state"), statement: "`state` of a background job is a string." },
  { id: "CORE-APP-27", ...job("lastState"), statement: "`lastState` of a background job is a string." },
  {
    id: "CORE-APP-28",
    ...job("createdAt"),
    statement: "`createdAt` of a background job is a timestamp, or null when unset.",
  },
  {
    id: "CORE-APP-29",
    ...job("pendingAt"),
    statement: "`pendingAt` of a background job is a timestamp, or null when unset.",
  },
  {
    id: "CORE-APP-30",
    ...job("startedAt"),
    statement: "`startedAt` of a background job is a timestamp, or null when unset.",
  },
  {
    id: "CORE-APP-31",
    ...job("completedAt"),
    statement: "`completedAt` of a background job is a timestamp, or null when unset.",
  },
  {
    id: "CORE-APP-32",
    ...job("nextTriggerAt"),
    statement: "`nextTriggerAt` of a background job is a timestamp, or null when unset.",
  },
  { id: "CORE-APP-33", ...listing, statement: "`List apps` returns the apps in `data`." },
  { id: "CORE-APP-34", ...listing, statement: "`count` of `List apps` is the number of apps in `data`." },
  { id: "CORE-APP-35", ...getting, statement: "`Get app` returns the app in `data`." },
  {
    id: "CORE-APP-36",
    ...getting,
    statement:
      "`Get app` returns the requested app with the values that `List apps` shows, and rejects an unknown name.",
  },
  { id: "CORE-APP-37", ...operating, statement: "`Operate an app` returns the app in `data`." },
  { id: "CORE-APP-38", ...operating, statement: "`Operate an app` returns the app named by `appname`." },
  { id: "CORE-APP-39", ...operating, statement: "`Operate an app` accepts the action `stop`." },
  { id: "CORE-APP-40", ...operating, statement: "`Operate an app` accepts the action `start`." },
  { id: "CORE-APP-41", ...operating, statement: "`Operate an app` accepts the action `restart`." },
  {
    id: "CORE-APP-42",
    ...operating,
    statement: "`Operate an app` accepts the action `uninstall`.",
  },
  {
    id: "CORE-APP-43",
    ...operating,
    capability: "apps",
    statement:
      "The gateway rejects `Operate an app` with an action other than `start`, `stop`, `uninstall` and `restart`.",
  },
  {
    id: "CORE-APP-44",
    ...operating,
    capability: "apps",
    statement: "The gateway rejects `Operate an app` with an unknown `appname`.",
  },
  { id: "CORE-APP-45", ...listingJobs, statement: "`List jobs` returns the background jobs in `data`." },
  {
    id: "CORE-APP-46",
    ...listingJobs,
    statement: "`count` of `List jobs` is the number of jobs in `data`.",
  },
  {
    id: "CORE-APP-47",
    ...shared,
    place: "States, App states",
    statement: "An app changes its state by the actions `start`, `stop`, `restart` and `uninstall`.",
    untestable: "the interface does not show the transitions",
  },
  {
    id: "CORE-APP-48",
    ...operable,
    statement:
      "The operable app shows that it is stopped after `stop`, and its previous state after `start` and `restart`, within the settling time.",
  },
  {
    id: "CORE-APP-49",
    ...operable,
    statement: "Stopping and starting the operable app changes no other app.",
  },
  {
    id: "CORE-APP-50",
    ...operating,
    level: "published",
    place: "Events, catalogue: app stop, app start",
    statement:
      "The gateway records the events `app stop` and `app start` for a stopped and a started app if and only if their kinds are enabled.",
  },
  {
    id: "CORE-APP-51",
    ...operating,
    level: "recommended",
    source: "RFC 9110, 15.3.1: a 200 answer to an action describes its result",
    statement: "`Operate an app` returns the app as it is after the action.",
  },
  {
    id: "CORE-APP-54",
    ...app("attributes"),
    capability: "app-operations",
    level: "recommended",
    source: "Resources, App: the interface has the attribute `started` and does not state which apps have it",
    statement: "A stopped app does not have the attribute `started`.",
  },
  {
    id: "CORE-APP-52",
    ...expendable,
    statement:
      "The expendable app is not installed any more after `uninstall`, within the settling time, and after a later reboot.",
  },
  {
    id: "CORE-APP-53",
    ...expendable,
    statement: "Uninstalling the expendable app changes no other app.",
  },
];
