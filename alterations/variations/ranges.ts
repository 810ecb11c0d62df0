// Ranges and combinations of inputs that a gateway takes, where the interface states none.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { at, drop, fields, items, put, text } from "../mechanism/edits.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import type { Step } from "../mechanism/operationAlterations.ts";
import type { Variations } from "./variation.ts";

const longestHistoryMs = 60_000;
const shortestIntervalMs = 200;
const longestScheduleSec = 86_400;
const longestName = 255;

const historyRange: Step = (call, proceed) => {
  if (Number(call.query["ms"] ?? 0) > longestHistoryMs) throw badInput(`ms: at most ${longestHistoryMs}`);
  const interval = call.query["streamInterval"];
  if (interval !== undefined && Number(interval) < shortestIntervalMs)
    throw badInput(`streamInterval: at least ${shortestIntervalMs}`);
  return proceed(call);
};

const scheduleRange: Step = (call, proceed) => {
  const { disableAfterSec } = fields(call.body["schedule"]);
  if (Number(disableAfterSec ?? 0) > longestScheduleSec)
    throw badInput(`disableAfterSec: at most ${longestScheduleSec}`);
  return proceed(call);
};

/** Names of a log entry end after so many characters. */
const cutNames: Step = (call, proceed) => {
  const cut = ["category", "event", "origin", "user"].filter(
    (name) => text(call.body[name]).length > longestName,
  );
  const names = Object.fromEntries(cut.map((name) => [name, text(call.body[name]).slice(0, longestName)]));
  return proceed({ ...call, body: { ...call.body, ...names } });
};

/** An entry has a category of the catalogue. */
const listedCategory: Step = async (call, proceed, ask) => {
  const catalogue = await ask("getEventCatalogue");
  const listed = catalogue.kind === "json" ? at(catalogue.body, "data.categories") : undefined;
  if (!Array.isArray(listed) || !listed.includes(call.body["category"]))
    throw badInput(`category: expected one of ${JSON.stringify(listed)}`);
  return proceed(call);
};

/** A certificate and its key come together; a name alone has no effect. */
const certificatePairs: Step = (call, proceed) => {
  const { cert, key, certFile, keyFile } = call.body;
  const isPair = (cert ?? certFile) !== undefined;
  if (isPair && (key ?? keyFile) === undefined) throw badInput("cert: expected its key beside it");
  return proceed(isPair ? call : { ...call, body: drop(drop(call.body, "certFilename"), "keyFilename") });
};

/** One upgrade job runs at a time. */
const oneJobAtATime: Step = async (call, proceed, ask) => {
  if (call.path["action"] !== "start") return proceed(call);
  const listed = await ask("listUpgradeJobs");
  const jobs = listed.kind === "json" ? items(fields(listed.body)["data"]) : [];
  const isBusy = jobs.some(({ id, state }) => String(id) !== call.path["id"] && text(state).endsWith("ing"));
  if (isBusy) throw new Refusal(409, "another upgrade job is running");
  return proceed(call);
};

const plainUrls: Step = (call, proceed) => {
  if (text(call.body["url"]).startsWith("https:")) throw badInput("url: expected an http URL");
  return proceed(call);
};

export const rangeVariations = {
  "narrow-ranges": {
    differs: `Histories of at most ${longestHistoryMs / 1000} s, intervals of streams from ${shortestIntervalMs} ms and schedules of at most a day are taken; names of log entries end after ${longestName} characters`,
    freedom: "the interface states no range for these inputs",
    install(at) {
      at.around("monitorTags", historyRange);
      at.around("setProvision", scheduleRange);
      at.around("createEvent", cutNames);
    },
  },
  "catalogue-categories": {
    differs: "A log entry is taken only with a category of the catalogue",
    freedom: "Create log: whether the category can be any text is not stated",
    install: (at) => at.around("createEvent", listedCategory),
  },
  "managers-are-admins": {
    differs:
      "A role that may manage users counts as an admin role: its users change passwords without the old one",
    freedom: "Authentication 5: what makes a role an admin role is not stated",
    install: (at) =>
      at.around(["updateUserPassword", "updateCurrentUserPassword"], (call, proceed) =>
        proceed(
          call.caller?.permissions.has("SYS_USER_RW") === true
            ? { ...call, caller: { ...call.caller, hasAdminRole: true } }
            : call,
        ),
      ),
  },
  "password-times-of-their-users": {
    differs: "`changedPasswordAt` tells when the user changed the password, not when somebody else did",
    freedom: "Resources, User: whose changes `changedPasswordAt` tells of is not stated",
    install(at) {
      let store: Store | undefined;
      at.boot((opened) => {
        store = opened;
      });
      at.around("updateUserPassword", async (call, proceed) => {
        const id = Number(call.path["id"]);
        const told = store?.get("SELECT changed_password_at AS time FROM user WHERE id = ?", id);
        const before = text(told?.["time"]) || null;
        const answer = await proceed(call);
        store?.run("UPDATE user SET changed_password_at = ? WHERE id = ?", before, id);
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.changedPasswordAt", before) }
          : answer;
      });
    },
  },
  "certificates-with-keys": {
    differs:
      "A certificate is taken with its key only, and a name of either has no effect without its content",
    freedom: "Set configuration of the HTTP server: which members belong together is not stated",
    install: (at) => at.around(["setHttpServer", "updateHttpServer"], certificatePairs),
  },
  "one-upgrade-at-a-time": {
    differs: "While an upgrade job is under way no other one starts; files come over HTTP only",
    freedom: "States: how many jobs run at a time is not stated; neither are the schemes of url",
    install(at) {
      at.around("operateUpgradeJob", oneJobAtATime);
      at.around("createUpgradeJob", plainUrls);
    },
  },
} as const satisfies Variations;
