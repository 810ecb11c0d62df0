import type { Behaviour, VariedCall } from "./behaviour.ts";
import { isJsonObject, type JsonObject, mapLists, mapObjects } from "./exactJson.ts";
import { longToken, shortTokens, type TokenForm } from "./tokens.ts";

/** Changes the successful answers of some operations. */
function ofOperations(ids: readonly string[], change: (body: JsonObject) => unknown): Behaviour {
  return {
    value: (value, { id = "" }, status) =>
      status < 300 && ids.includes(id) && isJsonObject(value) ? change(value) : value,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function withData(change: (data: JsonObject) => object): (body: JsonObject) => unknown {
  return (body) => (isJsonObject(body["data"]) ? { ...body, data: change(body["data"]) } : body);
}

function withApps(change: (app: JsonObject) => object): Behaviour {
  return ofOperations(["listApps", "getApp", "operateApp"], (body) => {
    const { data } = body;
    return {
      ...body,
      data: Array.isArray(data)
        ? data.filter(isJsonObject).map(change)
        : isJsonObject(data)
          ? change(data)
          : data,
    };
  });
}

/** The sign-in token in another form, given out and taken back. */
function withTokens(form: TokenForm): Behaviour {
  return {
    request({ headers }) {
      const { authorization } = headers;
      const ownHeader = headers["mx-api-token"];
      if (typeof ownHeader === "string") headers["mx-api-token"] = form.inner(ownHeader);
      if (typeof authorization === "string" && authorization.startsWith("Bearer "))
        headers.authorization = `Bearer ${form.inner(authorization.slice("Bearer ".length))}`;
      return undefined;
    },
    ...ofOperations(
      ["signIn"],
      withData((data) => ({ ...data, token: form.outer(String(data["token"])) })),
    ),
  };
}

const isOrdered = ({ id }: VariedCall): boolean => id === "getEvents" || id === "monitorTags";
const vendorMember = {
  vendorExtension: { note: "more than the interface lists", list: [1, null, {}] },
  constructor: "none",
};

/** Goes up with every object that is shown, so that no two readings are the same. */
let readings = 0;

export const contentBehaviours = {
  "more-members": { value: (value) => mapObjects(value, (object) => ({ ...vendorMember, ...object })) },
  "changing-members": {
    value: (value) => mapObjects(value, (object) => ({ ...object, readingNumber: (readings += 1) })),
  },
  "strict-inputs": { delivery: { isStrict: true } },
  "more-envelope": {
    value: (value) =>
      isJsonObject(value)
        ? { success: true, status: "ok", meta: { tookMs: 3 }, links: [], ...value, apiVersion: "9" }
        : value,
  },
  "lists-reversed": {
    value: (value, call) => (isOrdered(call) ? value : mapLists(value, (list) => list.toReversed())),
  },
  "history-newest-first": ofOperations(["monitorTags"], (body) => ({
    ...body,
    data: listOf(body["data"]).toReversed(),
  })),
  "one-value-bare": ofOperations(["monitorTags"], (body) => {
    const values = listOf(body["data"]);
    return values.length === 1 ? { ...body, data: values[0] } : body;
  }),
  "more-event-kinds": {
    delivery: {
      moreKinds: [
        { id: 32, category: "can", event: "bus off", enable: true, severity: "alert" },
        { id: 4001, category: "system", event: "watchdog, late", enable: false, severity: "warning" },
        { id: 5_000_000_001, category: "", event: "", enable: true, severity: "info" },
      ],
    },
  },
  "other-cloud-vendor": { delivery: { cloudCategory: "example cloud" } },
  "more-apps": {
    delivery: {
      moreApps: ["com.example.edge app", "ünïcode_1.2"].map((id, index) => ({
        id,
        displayName: "",
        description: "line one\nline two",
        category: "vendor",
        attributes: [],
        paid: index > 0,
        imageSize: 0,
        isEssential: false,
        initial: index > 0 ? "stopped" : "ready",
        providers: [],
      })),
    },
  },
  "app-details": withApps((app) => ({
    ...app,
    arch: "arm64",
    availableVersions: [{ version: "2.0.0", at: null }, "1.9", 3],
    hardwares: [{ kind: "tpm", required: false }],
    icon: "/img/app.svg?x=1",
    license: { paid: true, type: "site", until: null },
    imageSize: 4_294_967_296 * 4,
  })),
  "more-services": ofOperations(
    ["listServices"],
    withData((data) => ({
      ...data,
      network: [{ available: false, enable: false, id: "lan3" }, ...listOf(data["network"])],
      fieldbus: [{ available: true, enable: true, id: "canbus" }],
      service: [...listOf(data["service"]), { available: true, enable: false, id: "snmp v3" }],
    })),
  ),
  "more-permissions": ofOperations(["listPermissions"], (body) => {
    const data = [...listOf(body["data"]), { id: "vendor:audit.read", name: "", description: "Audit" }];
    return { ...body, data, count: data.length };
  }),
  "more-accounts": { delivery: { moreAccounts: ["operator", "Night.Shift@example", "o_brien-2+x"] } },
  "more-disks": {
    delivery: {
      moreDisks: [
        {
          device: "/dev/sdb1",
          mount: "/media/usb stick",
          name: "usb stick",
          total: 0,
          used: 0,
          free: 0,
          percent: 0,
          protect: 0,
          tags: { free: "", percent: "", used: "" },
        },
        {
          device: "/dev/mapper/big",
          mount: "/big",
          name: "big",
          total: 8_000_000_000_000_000,
          used: 1,
          free: 7_999_999_999_999_999,
          percent: 1e-13,
          protect: 10,
          tags: { free: "bigFree", percent: "bigPercent", used: "bigUsed" },
        },
      ],
    },
  },
  "reminder-value": ofOperations(
    ["getCurrentUser"],
    withData((data) => ({ ...data, remindToChangePassword: { inDays: 3, at: "soon" } })),
  ),
  "busy-log": { delivery: { eventEveryMs: 120 } },
  "large-ids": { delivery: { idsAfter: 8_999_999_999_000 } },
  "other-model": {
    delivery: { identity: { model: "Gate/9 (é)", tpeversion: "7.0-rc.1+b5", serialNumber: "SN#0042-7/A b" } },
  },
  "other-defaults": {
    delivery: {
      settings: {
        ssh: { enable: true, port: 2222 },
        log: { desiredDiskCacheSizeMB: 7, enableTimeToLiveSec: true, timeToLiveSec: 604_800 },
        events: { desiredDiskCacheSizeMB: 129, enableTimeToLiveSec: true, timeToLiveSec: 31_536_000 },
        provision: { enable: true },
        upgrade: { allowOverCellular: true, retryCount: 4, retryInterval: 1 },
      },
    },
  },
  "odd-upload-names": { delivery: { uploadName: "settings & more (%s) é.cfg" } },
  "exports-with-parts": { delivery: { hasModemInExports: true } },
  "sealed-exports": { delivery: { hasSealedExports: true } },
  "long-tokens": withTokens(longToken),
  "short-tokens": withTokens(shortTokens()),
  "token-life": { delivery: { tokenLifetimeSec: 120 } },
} as const satisfies Readonly<Record<string, Behaviour>>;
