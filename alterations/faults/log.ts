// Faults of the log.
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import { type Fields, fields, items, put } from "../mechanism/edits.ts";
import { doesNotStore, losesAtBoot, accepts } from "./habits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** A zip file without entries. */
const emptyZip = Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6]), Buffer.alloc(18)]);

export const logFaults: readonly Fault[] = faults([
  [
    "disk-of-the-log-names-another-tag",
    "CORE-LOG-09",
    "subtle",
    "The log configuration has the name of no tag in `tags` of its disks.",
    (at) =>
      at.data(["getLog", "setLog"], (data) => ({
        ...data,
        disks: items(data["disks"]).map((disk) => put(fields(disk), "tags.percent", "storagePct")),
      })),
  ],
  [
    "log-refuses-its-own-disk",
    "CORE-LOG-10",
    "plain",
    "`targetDiskName` of the log rejects the name of a listed disk.",
    (at) =>
      at.around("setLog", (call, proceed) => {
        if (call.body["targetDiskName"] !== undefined) throw badInput("targetDiskName: it is no disk");
        return proceed(call);
      }),
  ],
  [
    "log-download-is-text",
    "CORE-LOG-18",
    "plain",
    "A download of the log is plain text with the media type of a zip file.",
    (at) =>
      at.file("getLog", (content, call) =>
        call.query["appName"] === undefined ? Buffer.from("log follows\n") : content,
      ),
  ],
  [
    "log-of-an-app-is-the-same-for-all",
    "CORE-LOG-19",
    "subtle",
    "A log download with `appName` is not a zip file.",
    (at) =>
      at.file("getLog", (content, call) =>
        call.query["appName"] === undefined ? content : content.subarray(0, content.length / 2),
      ),
  ],
  [
    "log-of-an-app-has-those-of-others",
    "CORE-LOG-19",
    "subtle",
    "A log download with the `appName` of an app contains the logs of all apps.",
    (at) =>
      at.query("getLog", ({ appName, ...query }) =>
        appName === "aie" || appName === "device" ? query : { ...query, appName },
      ),
  ],
  [
    "log-of-an-app-is-that-of-another",
    "CORE-LOG-19",
    "subtle",
    "A log download with the `appName` of one app contains the log of another.",
    (at) =>
      at.query("getLog", (query) => (query["appName"] === "aie" ? { ...query, appName: "device" } : query)),
  ],
  [
    "log-cache-size-is-doubled",
    "CORE-LOG-21",
    "plain",
    "`desiredDiskCacheSizeMB` of the log is stored as twice the given value.",
    (at) =>
      at.body("setLog", (body) =>
        body["desiredDiskCacheSizeMB"] === undefined
          ? body
          : { ...body, desiredDiskCacheSizeMB: String(Number(body["desiredDiskCacheSizeMB"]) * 2) },
      ),
  ],
  [
    "log-limit-alone-is-passed-over",
    "CORE-LOG-23",
    "subtle",
    "`enableTimeToLiveSec` of the log is stored only with a `timeToLiveSec` beside it.",
    (at) =>
      at.body("setLog", ({ enableTimeToLiveSec, ...body }) =>
        body["timeToLiveSec"] === undefined ? body : { ...body, enableTimeToLiveSec },
      ),
  ],
  [
    "log-cache-size-is-shown-in-16-bits",
    "CORE-LOG-21",
    "subtle",
    "`Get log configuration` shows `desiredDiskCacheSizeMB` modulo 65536.",
    (at) =>
      at.data("getLog", (data) => ({
        ...data,
        desiredDiskCacheSizeMB: Number(data["desiredDiskCacheSizeMB"]) % 65_536,
      })),
  ],
  [
    "log-enable-is-not-kept",
    "CORE-LOG-22",
    "plain",
    "`enable` of the log is returned as given but not stored.",
    doesNotStore("setLog", "enable"),
  ],
  [
    "log-time-to-live-switch-is-not-kept",
    "CORE-LOG-23",
    "plain",
    "`enableTimeToLiveSec` of the log is returned as given but not stored.",
    doesNotStore("setLog", "enableTimeToLiveSec"),
  ],
  [
    "log-time-to-live-is-not-kept",
    "CORE-LOG-24",
    "plain",
    "`timeToLiveSec` of the log is returned as given but not stored.",
    doesNotStore("setLog", "timeToLiveSec"),
  ],
  [
    "log-refuses-a-negative-time-to-live",
    "CORE-LOG-25",
    "subtle",
    "A `timeToLiveSec` below zero, which means unlimited, is rejected.",
    (at) =>
      at.around("setLog", (call, proceed) => {
        if (Number(call.body["timeToLiveSec"]) < 0) throw badInput("timeToLiveSec: expected 0 or more");
        return proceed(call);
      }),
  ],
  [
    "log-drops-lines-at-a-negative-time-to-live",
    "CORE-LOG-25",
    "subtle",
    "Downloads of the log are empty while an enabled `timeToLiveSec` is below zero.",
    (at) => {
      let isShort = false;
      at.body("setLog", (body) => {
        isShort = body["enableTimeToLiveSec"] === true && Number(body["timeToLiveSec"]) < 0;
        return body;
      });
      at.file("getLog", (content) => (isShort ? emptyZip : content));
    },
  ],
  [
    "log-refuses-a-time-to-live-of-zero",
    "CORE-LOG-25",
    "subtle",
    "A `timeToLiveSec` of zero, which means unlimited, is rejected.",
    (at) =>
      at.around("setLog", (call, proceed) => {
        if (call.body["timeToLiveSec"] === 0) throw badInput("timeToLiveSec: expected 1 or more");
        return proceed(call);
      }),
  ],
  [
    "log-enable-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An `enable` of the log that is not a boolean is accepted as true.",
    accepts("setLog", "enable", true, (value) => value !== undefined && typeof value !== "boolean"),
  ],
  [
    "log-configuration-is-lost-at-boot",
    "CORE-LOG-28",
    "subtle",
    "The log configuration is reset to default by a reboot.",
    losesAtBoot("log"),
  ],
  [
    "log-refuses-a-disk-object",
    "CORE-LOG-29",
    "subtle",
    "`disk` is rejected when it is an object.",
    (at) =>
      at.around("setLog", (call, proceed) => {
        if (typeof call.body["disk"] === "object") throw badInput("disk: expected a text");
        return proceed(call);
      }),
  ],
  [
    "disabled-log-downloads-its-configuration",
    "CORE-LOG-18",
    "subtle",
    "While the log is disabled, a download returns the log configuration.",
    (at) => {
      let isOff = false;
      at.data(["getLog", "setLog"], (data) => {
        isOff = data["enable"] === false;
        return data;
      });
      at.query("getLog", (query) => (isOff ? {} : query));
    },
  ],
  [
    "log-with-names-beyond-ascii-downloads-damaged",
    "CORE-LOG-18",
    "subtle",
    "The zip file of the log is damaged once a sign-in had a name outside ASCII.",
    (at) => {
      let isDamaged = false;
      at.around("signIn", (call, proceed) => {
        isDamaged ||= /[^ -~]/.test(String(call.body["name"]));
        return proceed(call);
      });
      at.file("getLog", (content) => (isDamaged ? content.subarray(0, -30) : content));
    },
  ],
  [
    "log-downloads-at-once-share-a-file",
    "CORE-LOG-19",
    "subtle",
    "Of downloads of the log at the same time, each contains what the last one asked for.",
    (at) => {
      let latest: Fields = {};
      at.around("getLog", async (call, proceed) => {
        if (call.query["download"] !== true) return proceed(call);
        latest = { ...call.query };
        // Until the other requests that have come by now are read as well.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return proceed(changed(call, { query: latest }));
      });
    },
  ],
]);
