// The content of resources: more than the interface lists, other orders, other values where it shows only examples.
import { eventCategories, neutralCloudCategory } from "../../interface/catalogue.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { every } from "../../reference-impl/groups/tags/pace.ts";
import type { Product } from "../../reference-impl/product/product.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { text } from "../mechanism/edits.ts";
import { namedBySender } from "../mechanism/uploadNames.ts";
import { isJsonObject, type JsonObject, mapLists, mapObjects } from "../wire/exactJson.ts";
import type { WireCall } from "../wire/wireEdits.ts";
import { moreApps, moreDisks, moreEventKinds, otherDefaults } from "./products.ts";
import { sealedExports } from "./seal.ts";
import { fewSessions, longTokens, shortTokens } from "./tokens.ts";
import type { Variation, Variations } from "./variation.ts";

const beyond = "the interface lists the members that are present, not those that are absent";
const orders = "the interface states no order for this list";
const observed = "the values in the document are examples, not all possible ones";

type Install = NonNullable<Variation["install"]>;

const isOrdered = ({ id }: WireCall): boolean => id === "getEvents" || id === "monitorTags";
const vendorMember = {
  vendorExtension: { note: "more than the interface lists", list: [1, null, {}] },
  constructor: "none",
};
const uplinkChange = 3;
const eventEveryMs = 120;

/** Changes the successful answers of some operations. */
/** Changes the answers of these operations. */
export function ofOperations(ids: readonly string[], change: (body: JsonObject) => unknown): Install {
  return (at) =>
    at.jsonValue((value, { id = "" }, status) =>
      status < 300 && ids.includes(id) && isJsonObject(value) ? change(value) : value,
    );
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function withData(change: (data: JsonObject) => object): (body: JsonObject) => unknown {
  return (body) => (isJsonObject(body["data"]) ? { ...body, data: change(body["data"]) } : body);
}

function withApps(change: (app: JsonObject) => object): Install {
  return ofOperations(["listApps", "getApp", "operateApp"], (body) => {
    const { data } = body;
    if (Array.isArray(data)) return { ...body, data: data.filter(isJsonObject).map(change) };
    return { ...body, data: isJsonObject(data) ? change(data) : data };
  });
}

/** Another product. */
function product(change: (plain: Product) => Partial<Product>): Install {
  return (at) => at.product((plain) => ({ ...plain, ...change(plain) }));
}

function changingMembers(at: GatewayAlterations): void {
  // Goes up with every object that is shown, so that no two readings are the same.
  let readings = 0;
  at.jsonValue((value) => mapObjects(value, (object) => ({ ...object, readingNumber: (readings += 1) })));
}

function busyLog(at: GatewayAlterations): void {
  at.background(({ clock, events }) => {
    let count = 0;
    return every(clock, eventEveryMs, () => {
      count += 1;
      events.raise(uplinkChange, { message: `uplink ${count}` });
    });
  });
}

/** Of an event that no user triggered. */
function withoutUsers(at: GatewayAlterations): void {
  at.jsonValue((value, { id }) =>
    id === "getEvents"
      ? mapObjects(value, (object) =>
          Object.fromEntries(
            Object.entries(object).filter(
              ([member, text]) => !["user", "userOrigin"].includes(member) || text !== "",
            ),
          ),
        )
      : value,
  );
  at.streamText(
    ({ id }) =>
      (text) =>
        id === "getEvents" ? text.replaceAll(/,"(?:user|userOrigin)":""/g, "") : text,
  );
}

const zeroTime = "0001-01-01T00:00:00Z";

/** What stands for the next reboot while none is scheduled. */
function noNextTrigger<Id extends string>(
  id: Id,
  shown: string,
  change: (schedule: JsonObject) => object,
): Record<`no-trigger-${Id}`, Variation> {
  const definition: Variation = {
    differs: `While no reboot is scheduled, nextTriggerAt is ${shown}`,
    freedom: "Reboot schedule: what stands in nextTriggerAt while nothing is scheduled is open",
    aspect: "no next trigger",
    install: ofOperations(
      ["getReboot", "setReboot"],
      withData((data) => (data["nextTriggerAt"] === zeroTime ? change(data) : data)),
    ),
  };
  return { [`no-trigger-${id}`]: definition } as Record<`no-trigger-${Id}`, Variation>;
}

/** The next whole second of a date-time with a fraction. */
function roundedUp(dateTime: string): string {
  const ms = epochMsOf(dateTime);
  return ms % 1000 === 0 ? dateTime : new Date(Math.ceil(ms / 1000) * 1000).toISOString();
}

const vendorCategory = (category: string): string =>
  category === neutralCloudCategory ? "Example Cloud" : category;

export const contentVariations = {
  "more-members": {
    differs: "Every object has members beyond those the interface lists",
    freedom: beyond,
    install: (at) => at.jsonValue((value) => mapObjects(value, (object) => ({ ...vendorMember, ...object }))),
  },
  "changing-members": {
    differs: "Every object has a member beyond the interface whose value changes at each reading",
    freedom: beyond,
    install: changingMembers,
  },
  "more-envelope": {
    differs: "Answers have meta, links, status and other members beside data",
    freedom: beyond,
    install: (at) =>
      at.jsonValue((value) =>
        isJsonObject(value)
          ? { success: true, status: "ok", meta: { tookMs: 3 }, links: [], ...value, apiVersion: "9" }
          : value,
      ),
  },
  "lists-in-changing-order": {
    differs: "All lists except pages of events begin with another entry in each answer",
    freedom: orders,
    install: (at) => {
      let turn = 0;
      at.jsonValue((value, call) => {
        turn += 1;
        return isOrdered(call) ? value : mapLists(value, (list) => rotated(list, turn % list.length));
      });
    },
  },
  "lists-reversed": {
    differs: "All lists except pages of events are in the opposite order",
    freedom: orders,
    install: (at) =>
      at.jsonValue((value, call) => (isOrdered(call) ? value : mapLists(value, (list) => list.toReversed()))),
  },
  "history-newest-first": {
    differs: "The history of a tag begins with the newest value",
    freedom: orders,
    install: ofOperations(["monitorTags"], (body) => ({
      ...body,
      data: listOf(body["data"]).toReversed(),
    })),
  },
  "one-value-bare": {
    differs: "A monitor answer with one value shows it without an array",
    freedom: "Endpoints 13: data is a tag value; published as an array and as an object",
    install: ofOperations(["monitorTags"], (body) => {
      const values = listOf(body["data"]);
      return values.length === 1 ? { ...body, data: values[0] } : body;
    }),
  },
  "more-event-kinds": {
    differs: "The catalogue has event kinds and categories beyond the stated ones",
    freedom: observed,
    install: product(({ eventKinds }) => ({ eventKinds: [...eventKinds, ...moreEventKinds] })),
  },
  "other-cloud-vendor": {
    differs: "The category of the cloud vendor has the vendor's name",
    freedom: "Events: a neutral word stands in the place of a name",
    install: product(({ eventKinds }) => ({
      eventCategories: eventCategories.map(vendorCategory),
      eventKinds: eventKinds.map((kind) => ({ ...kind, category: vendorCategory(kind.category) })),
    })),
  },
  "more-apps": {
    differs: "More apps are installed, with unusual ids",
    freedom: observed,
    install: product(({ apps }) => ({ apps: [...apps, ...moreApps] })),
  },
  "app-details": {
    differs: "Versions, hardwares, icon, arch and license of apps are filled in",
    freedom: observed,
    install: withApps((app) => ({
      ...app,
      arch: "arm64",
      availableVersions: [{ version: "2.0.0", at: null }, "1.9", 3],
      hardwares: [{ kind: "tpm", required: false }],
      icon: "/img/app.svg?x=1",
      license: { paid: true, type: "site", until: null },
      imageSize: 4_294_967_296 * 4,
    })),
  },
  "app-ids": {
    differs: "Ids of apps differ from their names",
    freedom: "App: id and name are two members, and the path of an app has its name",
    install: withApps((app) => ({ ...app, id: `app-${Buffer.from(String(app["id"])).toString("hex")}` })),
  },
  "events-without-users": {
    differs: "An event that no user triggered has neither user nor userOrigin",
    freedom: "Event record: what stands there for an event that no user triggered is not stated",
    install: withoutUsers,
  },
  "more-services": {
    differs: "Services have ids that the list does not name, and a group of their own",
    freedom: observed,
    install: ofOperations(
      ["listServices"],
      withData((data) => ({
        ...data,
        network: [{ available: false, enable: false, id: "lan3" }, ...listOf(data["network"])],
        fieldbus: [{ available: true, enable: true, id: "canbus" }],
        service: [...listOf(data["service"]), { available: true, enable: false, id: "snmp v3" }],
      })),
    ),
    // Its author lists what may be switched without regard to the interface.
    profile: {
      switchableServices: ["cloud", "ntp", "dhcpserver1", "syslog", "sshserver", "canbus", "snmp v3"],
    },
  },
  "more-permissions": {
    differs: "There are more permissions than the two shown in the document",
    freedom: observed,
    install: ofOperations(["listPermissions"], (body) => {
      const data = [...listOf(body["data"]), { id: "vendor:audit.read", name: "", description: "Audit" }];
      return { ...body, data, count: data.length };
    }),
  },
  "more-accounts": {
    differs: "Users and roles exist from the start, some with unusual names",
    freedom: "the interface does not state which users and roles exist",
    install: product(() => ({ moreAccounts: ["operator", "Night.Shift@example", "o_brien-2+x"] })),
  },
  "more-disks": {
    differs: "There are several disks, some without free space",
    freedom: "Log configuration: an array of disk entries",
    install: product(() => ({ moreDisks })),
  },
  "email-empty": {
    differs: "A user without an e-mail address shows an empty text",
    freedom: "User: email is a string or null",
    install: (at) =>
      at.jsonValue((value) =>
        mapObjects(value, (object) => (object["email"] === null ? { ...object, email: "" } : object)),
      ),
  },
  ...noNextTrigger("null", "null", (object) => ({ ...object, nextTriggerAt: null })),
  ...noNextTrigger("absent", "absent", ({ nextTriggerAt: _none, ...object }) => object),
  ...noNextTrigger("empty", "an empty text", (object) => ({ ...object, nextTriggerAt: "" })),
  "next-trigger-rounded-up": {
    differs: "nextTriggerAt has whole seconds, rounded up",
    freedom: "Reboot schedule: the precision of nextTriggerAt is not stated",
    install: ofOperations(
      ["getReboot", "setReboot"],
      withData((data) => ({ ...data, nextTriggerAt: roundedUp(text(data["nextTriggerAt"])) })),
    ),
  },
  "reminder-value": {
    differs: "remindToChangePassword has a value",
    freedom: "User: null or value",
    install: ofOperations(
      ["getCurrentUser"],
      withData((data) => ({ ...data, remindToChangePassword: { inDays: 3, at: "soon" } })),
    ),
  },
  "busy-log": {
    differs: `The gateway records an event of its own every ${eventEveryMs} ms`,
    freedom: "the interface does not state how often a gateway records events",
    install: busyLog,
  },
  "large-ids": {
    differs: "Ids exceed 32 bits",
    freedom: "ids are integers; no range is stated",
    install: product(() => ({ idsAfter: 8_999_999_999_000 })),
  },
  "other-model": {
    differs: "Model, version and serial number are different",
    freedom: "model and tpeversion are strings",
    profile: { gateway: { model: "Gate/9 (é)", version: "7.0-rc.1+b5" }, serialNumber: "SN#0042-7/A b" },
    install: product(() => ({
      model: "Gate/9 (é)",
      tpeversion: "7.0-rc.1+b5",
      serialNumber: "SN#0042-7/A b",
    })),
  },
  "other-defaults": {
    differs: "Settings have other defaults than the reference gateway's",
    freedom: "the interface does not state defaults of settings",
    install: product(() => ({ defaults: otherDefaults })),
  },
  "odd-upload-names": {
    differs: "The file name of an upload has blanks, punctuation and letters beyond ASCII",
    freedom: "Configuration upload result: fileName is a string",
    install: product(() => ({ uploadName: "settings & more (%s) é.cfg" })),
  },
  "sent-upload-names": {
    differs: "An uploaded file has the name that was sent, and replaces an earlier one of that name",
    freedom: "Configuration upload result: fileName is a string",
    install: (at) => namedBySender(at, "last"),
  },
  "exports-with-parts": {
    differs: "An exported configuration names models of parts beside the model of the device",
    freedom: "Endpoints 1: the content of a downloaded file is open",
    install: product(() => ({ parts: { modem: { model: "EC 25" } } })),
  },
  "numbered-entries": {
    differs: "Entries of an exported configuration are numbered in each file",
    freedom: "Endpoints 1: the content of a downloaded file is open",
    install: product(() => ({ areEntriesNumbered: true })),
  },
  "sealed-exports": {
    differs: "An exported configuration has another file format",
    freedom: "Endpoints 1: the content of a downloaded file is open",
    install: sealedExports,
  },
  "long-tokens": {
    differs: "Sign-in tokens have four thousand characters and are not JWTs",
    freedom: "token is a string",
    aspect: "token form",
    install: longTokens,
  },
  "short-tokens": {
    differs: "Sign-in tokens are short, opaque and invalid after a reboot",
    freedom: "token is a string, and its lifetime is open",
    aspect: "token form",
    install: shortTokens,
  },
  "few-sessions": {
    differs:
      "At most six sign-ins are valid at once; with another, the one that was unused for the longest ends",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    aspect: "token form",
    install: fewSessions,
  },
  "token-life": {
    differs: "A sign-in lasts two minutes",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    profile: { tokenLifetimeSec: 120 },
    install: (at) => at.options((options) => ({ ...options, tokenLifetimeSec: 120 })),
  },
  "plain-task-names": {
    differs: "Names of tasks have letters, digits, `.`, `_` and `-` only; other characters are `_`",
    freedom: "Task: name is a file name; which characters a gateway permits in one is not stated",
    install: ofOperations(
      ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"],
      (body) =>
        mapObjects(body, ({ name, ...object }) =>
          typeof name === "string" ? { name: name.replaceAll(/[^\w.-]/gu, "_"), ...object } : object,
        ),
    ),
  },
  "speed-while-running": {
    differs: "Tasks of upgrade jobs show `speed` only while they run",
    freedom: "Task: whether `speed` remains on tasks that have ended is not stated",
    install: ofOperations(
      ["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"],
      (body) =>
        mapObjects(body, ({ speed, ...object }) =>
          speed === undefined || object["state"] !== "running" ? object : { ...object, speed },
        ),
    ),
  },
} as const satisfies Variations;
