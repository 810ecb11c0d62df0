// Faults of the HTTP server, provisioning, the log and the system services.
import { badInput } from "../http/refusal.ts";
import { at as valueAt, fields, items, put } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNothing, forgets, losesAtBoot, pretends, swallows, takes } from "./habits.ts";
import { changed, type Switchboard } from "./switchboard.ts";

const setters = ["updateHttpServer", "setHttpServer"] as const;

const httpServerFaults = faults([
  [
    "http-port-moves-on-paper-only",
    "CORE-HTTP-10",
    "plain",
    "httpPort is shown as it was set, and the listener stays where it was.",
    pretends(setters, "getHttpServer", "httpPort"),
  ],
  [
    "https-port-moves-on-paper-only",
    "CORE-HTTP-11",
    "plain",
    "httpsPort is shown as it was set, and the listener stays where it was.",
    pretends(setters, "getHttpServer", "httpsPort"),
  ],
  [
    "http-is-off-on-paper-only",
    "CORE-HTTP-20",
    "plain",
    "httpEnable is shown as false, and HTTP is served all the same.",
    pretends(setters, "getHttpServer", "httpEnable"),
  ],
  [
    "https-is-off-on-paper-only",
    "CORE-HTTP-21",
    "plain",
    "httpsEnable is shown as false, and HTTPS is served all the same.",
    pretends(setters, "getHttpServer", "httpsEnable"),
  ],
  [
    "http-port-takes-the-names-along",
    "CORE-HTTP-09",
    "subtle",
    "Setting httpPort alone changes the name of the certificate file.",
    (at) =>
      at.body("updateHttpServer", (body) =>
        body["httpPort"] === undefined ? body : { certFilename: "other.crt", ...body },
      ),
  ],
  [
    "certificate-is-not-served",
    "CORE-HTTP-12",
    "plain",
    "A certificate and key that were set are not those that HTTPS serves.",
    (at) => at.body("updateHttpServer", ({ cert: _cert, key: _key, ...body }) => body),
  ],
  [
    "certificate-of-a-form-is-not-served",
    "CORE-HTTP-15",
    "plain",
    "A certificate and key of a form are not those that HTTPS serves.",
    (at) => at.around("setHttpServer", (call, next) => next(changed(call, { files: [] }))),
  ],
  [
    "certificate-names-are-made-up",
    "CORE-HTTP-13",
    "plain",
    "certFilename and keyFilename are not shown.",
    (at) => at.body("updateHttpServer", ({ certFilename: _cert, keyFilename: _key, ...body }) => body),
  ],
  [
    "private-key-is-shown",
    "CORE-HTTP-16",
    "subtle",
    "The answer to setting a key shows it.",
    (at) =>
      at.data("updateHttpServer", (data, call) =>
        call.body["key"] === undefined ? data : { ...data, key: call.body["key"] },
      ),
  ],
  [
    "port-as-text-is-taken",
    "CORE-HTTP-17",
    "plain",
    "A port that is a text is taken and passed over.",
    takes("updateHttpServer", "httpPort", undefined, (value) => typeof value !== "number"),
  ],
  [
    "certificate-of-any-suffix-is-taken",
    "CORE-HTTP-18",
    "plain",
    "A certFile of any name is taken.",
    (at) =>
      at.around("setHttpServer", (call, next) =>
        next(changed(call, { files: call.files.map((file) => ({ ...file, fileName: "any.pem" })) })),
      ),
  ],
  [
    "form-scalars-are-ignored",
    "CORE-HTTP-22",
    "plain",
    "The scalar fields of a form have no effect.",
    (at) => at.around("setHttpServer", (call, next) => next(changed(call, { body: {} }))),
  ],
  [
    "answer-names-are-taken",
    "CORE-HTTP-23",
    "subtle",
    "certFileName and keyFileName, which are for answers only, are taken as input.",
    (at) =>
      at.body("updateHttpServer", (body) => ({
        ...(body["certFileName"] === undefined ? {} : { certFilename: body["certFileName"] }),
        ...(body["keyFileName"] === undefined ? {} : { keyFilename: body["keyFileName"] }),
        ...body,
      })),
  ],
]);

const provisionFaults = faults([
  [
    "provision-enable-is-not-kept",
    "CORE-PROVISION-06",
    "plain",
    "enable of the provisioning is answered as it was set and not kept.",
    forgets("setProvision", "enable"),
  ],
  [
    "provision-schedule-is-not-kept",
    "CORE-PROVISION-07",
    "plain",
    "enable of the provisioning's schedule is answered as it was set and not kept.",
    forgets("setProvision", "schedule.enable"),
  ],
  [
    "provision-seconds-are-whole-minutes",
    "CORE-PROVISION-08",
    "subtle",
    "disableAfterSec is kept in whole minutes.",
    (at) =>
      at.body("setProvision", (body) => {
        const seconds = valueAt(body, "schedule.disableAfterSec");
        return typeof seconds === "number"
          ? put(body, "schedule.disableAfterSec", Math.ceil(seconds / 60) * 60)
          : body;
      }),
  ],
  [
    "provision-never-disables-itself",
    "CORE-PROVISION-09",
    "plain",
    "Provisioning stays enabled after the seconds of its schedule.",
    pretends(["setProvision"], "getProvision", "schedule.enable"),
  ],
  [
    "provision-disables-itself-late",
    "CORE-PROVISION-09",
    "subtle",
    "Provisioning is disabled after twice the seconds of its schedule.",
    (at) => {
      at.body("setProvision", (body) => {
        const seconds = valueAt(body, "schedule.disableAfterSec");
        return typeof seconds === "number" ? put(body, "schedule.disableAfterSec", seconds * 2) : body;
      });
      at.data(["setProvision", "getProvision"], (data) =>
        put(data, "schedule.disableAfterSec", Number(valueAt(data, "schedule.disableAfterSec")) / 2),
      );
    },
  ],
  [
    "provision-disables-itself-without-a-schedule",
    "CORE-PROVISION-10",
    "subtle",
    "Provisioning is disabled after its seconds though its schedule is off.",
    (at) => {
      let isOff = false;
      at.around("setProvision", async (call, next) => {
        isOff = valueAt(call.body, "schedule.enable") === false;
        const schedule = { ...fields(call.body["schedule"]), enable: true };
        const answer = await next(isOff ? changed(call, { body: { ...call.body, schedule } }) : call);
        return answer.kind === "json" && isOff
          ? { ...answer, body: put(answer.body, "data.schedule.enable", false) }
          : answer;
      });
      at.data("getProvision", (data) => (isOff ? put(data, "schedule.enable", false) : data));
    },
  ],
  [
    "provision-is-lost-at-boot",
    "CORE-PROVISION-11",
    "subtle",
    "The provisioning configuration is the default again after a reboot.",
    losesAtBoot("provision"),
  ],
  [
    "provision-enable-as-text-is-taken",
    "CORE-PROVISION-12",
    "plain",
    "An enable that is no boolean is taken as true.",
    takes("setProvision", "enable", true, (value) => value !== undefined && typeof value !== "boolean"),
  ],
]);

const logFaults = faults([
  [
    "log-refuses-its-own-disk",
    "CORE-LOG-10",
    "plain",
    "targetDiskName refuses the name of a disk that is listed.",
    (at) =>
      at.around("setLog", (call, next) => {
        if (call.body["targetDiskName"] !== undefined) throw badInput("targetDiskName: it is no disk");
        return next(call);
      }),
  ],
  [
    "log-download-is-text",
    "CORE-LOG-18",
    "plain",
    "A download of the log is plain text under the media type of a zip.",
    (at) =>
      at.file("getLog", (content, call) =>
        call.query["appName"] === undefined ? Buffer.from("log follows\n") : content,
      ),
  ],
  [
    "log-of-an-app-is-the-same-for-all",
    "CORE-LOG-19",
    "subtle",
    "A download with appName answers no zip.",
    (at) =>
      at.file("getLog", (content, call) =>
        call.query["appName"] === undefined ? content : content.subarray(0, content.length / 2),
      ),
  ],
  [
    "log-cache-size-is-doubled",
    "CORE-LOG-21",
    "plain",
    "desiredDiskCacheSizeMB is kept as twice what was sent.",
    (at) =>
      at.body("setLog", (body) =>
        body["desiredDiskCacheSizeMB"] === undefined
          ? body
          : { ...body, desiredDiskCacheSizeMB: String(Number(body["desiredDiskCacheSizeMB"]) * 2) },
      ),
  ],
  [
    "log-enable-is-not-kept",
    "CORE-LOG-22",
    "plain",
    "enable of the log is answered as it was set and not kept.",
    forgets("setLog", "enable"),
  ],
  [
    "log-time-to-live-switch-is-not-kept",
    "CORE-LOG-23",
    "plain",
    "enableTimeToLiveSec of the log is answered as it was set and not kept.",
    forgets("setLog", "enableTimeToLiveSec"),
  ],
  [
    "log-time-to-live-is-not-kept",
    "CORE-LOG-24",
    "plain",
    "timeToLiveSec of the log is answered as it was set and not kept.",
    forgets("setLog", "timeToLiveSec"),
  ],
  [
    "log-refuses-a-negative-time-to-live",
    "CORE-LOG-25",
    "subtle",
    "A timeToLiveSec below zero, which means unlimited, is refused.",
    (at) =>
      at.around("setLog", (call, next) => {
        if (Number(call.body["timeToLiveSec"]) < 0) throw badInput("timeToLiveSec: expected 0 or more");
        return next(call);
      }),
  ],
  [
    "log-refuses-a-time-to-live-of-zero",
    "CORE-LOG-25",
    "subtle",
    "A timeToLiveSec of zero, which means unlimited, is refused.",
    (at) =>
      at.around("setLog", (call, next) => {
        if (call.body["timeToLiveSec"] === 0) throw badInput("timeToLiveSec: expected 1 or more");
        return next(call);
      }),
  ],
  [
    "log-enable-as-text-is-taken",
    "CORE-LOG-26",
    "plain",
    "An enable that is no boolean is taken as true.",
    takes("setLog", "enable", true, (value) => value !== undefined && typeof value !== "boolean"),
  ],
  [
    "log-configuration-is-lost-at-boot",
    "CORE-LOG-28",
    "subtle",
    "The log configuration is the default again after a reboot.",
    losesAtBoot("log"),
  ],
  [
    "log-refuses-a-disk-object",
    "CORE-LOG-29",
    "subtle",
    "disk is refused when it is an object.",
    (at) =>
      at.around("setLog", (call, next) => {
        if (typeof call.body["disk"] === "object") throw badInput("disk: expected a text");
        return next(call);
      }),
  ],
]);

const serviceFaults = faults([
  [
    "service-listed-in-two-groups",
    "CORE-SERVICE-11",
    "plain",
    "ntp is listed under service and under network.",
    (at) =>
      at.answer("listServices", (body) => {
        const ntp = items(valueAt(body, "data.service")).filter(({ id }) => id === "ntp");
        return put(body, "data.network", [...items(valueAt(body, "data.network")), ...ntp]);
      }),
  ],
  [
    "enabling-answers-false",
    "CORE-SERVICE-13",
    "plain",
    "Enabling a service answers the state that it had before.",
    (at) => at.data("enableService", (data) => ({ ...data, enable: false })),
  ],
  [
    "enabling-does-nothing",
    "CORE-SERVICE-14",
    "plain",
    "Enabling a service answers true and leaves it off.",
    doesNothing("enableService", () => ({ data: { enable: true } })),
  ],
  [
    "disabling-answers-true",
    "CORE-SERVICE-15",
    "plain",
    "Disabling a service answers enable true.",
    (at) => at.data("disableService", (data) => ({ ...data, enable: true })),
  ],
  [
    "disabling-does-nothing",
    "CORE-SERVICE-16",
    "plain",
    "Disabling a service answers false and leaves it on.",
    doesNothing("disableService", () => ({ data: { enable: false } })),
  ],
  [
    "switching-ntp-takes-its-neighbour-along",
    "CORE-SERVICE-17",
    "subtle",
    "Switching ntp switches internetcheckalive, too.",
    (at) =>
      at.around(["enableService", "disableService"], async (call, next) => {
        if (call.path["id"] === "ntp") await next(changed(call, { path: { id: "internetcheckalive" } }));
        return next(call);
      }),
  ],
  [
    "unknown-service-is-enabled",
    "CORE-SERVICE-18",
    "plain",
    "An id that no service has is enabled as if it had one.",
    (at) => {
      at.lenient("enableService", "path", "id");
      swallows(at, "enableService", { data: { enable: true } }, () => true);
    },
  ],
  [
    "unknown-service-is-disabled",
    "CORE-SERVICE-19",
    "plain",
    "An id that no service has is disabled as if it had one.",
    (at) => {
      at.lenient("disableService", "path", "id");
      swallows(at, "disableService", { data: { enable: false } }, () => true);
    },
  ],
  [
    "enabling-twice-answers-off",
    "CORE-SERVICE-20",
    "subtle",
    "Enabling a service that is on already answers that it is off.",
    (at) => secondTime(at, "enableService", "disableService"),
  ],
  [
    "disabling-twice-answers-on",
    "CORE-SERVICE-21",
    "subtle",
    "Disabling a service that is off already answers that it is on.",
    (at) => secondTime(at, "disableService", "enableService"),
  ],
  [
    "unavailable-service-is-enabled",
    "CORE-SERVICE-22",
    "plain",
    "A service that the device does not have can be enabled.",
    (at) => swallows(at, "enableService", { data: { enable: true } }, () => true),
  ],
  [
    "ssh-port-is-not-kept",
    "CORE-SERVICE-27",
    "plain",
    "The SSH port that was set is answered and not kept.",
    (at) => {
      at.around("setSsh", async (call, next) => {
        const answer = await next(changed(call, { body: { ...call.body, port: 22 } }));
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.port", call.body["port"]) }
          : answer;
      });
    },
  ],
  [
    "ssh-switch-is-not-kept",
    "CORE-SERVICE-28",
    "plain",
    "The SSH switch that was set is answered and not kept.",
    (at) => {
      at.around("setSsh", async (call, next) => {
        const answer = await next(changed(call, { body: { ...call.body, enable: false } }));
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.enable", call.body["enable"]) }
          : answer;
      });
    },
  ],
  [
    "ssh-is-lost-at-boot",
    "CORE-SERVICE-30",
    "subtle",
    "The SSH configuration is the default again after a reboot.",
    losesAtBoot("ssh"),
  ],
  [
    "switches-are-lost-at-boot",
    "CORE-SERVICE-31",
    "subtle",
    "Services are as delivered again after a reboot.",
    losesAtBoot("services"),
  ],
  [
    "one-service-cannot-be-switched",
    "CORE-SERVICE-32",
    "subtle",
    "dhcpserver2 is listed as available and refuses to be switched.",
    (at) =>
      at.around(["enableService", "disableService"], (call, next) => {
        if (call.path["id"] === "dhcpserver2") throw badInput("id: dhcpserver2 cannot be switched");
        return next(call);
      }),
  ],
]);

/** The same action on the same service a second time answers the opposite of what is true. */
function secondTime(
  at: Switchboard,
  action: "enableService" | "disableService",
  opposite: "enableService" | "disableService",
): void {
  const done = new Set<string>();
  at.data(action, (data, { path: { id = "" } }) => {
    const isSecond = done.has(id);
    done.add(id);
    return isSecond ? { enable: data["enable"] !== true } : data;
  });
  at.data(opposite, (data, { path: { id = "" } }) => {
    done.delete(id);
    return data;
  });
}

export const systemFaults: readonly Fault[] = [
  ...httpServerFaults,
  ...provisionFaults,
  ...logFaults,
  ...serviceFaults,
];
