// Disks that take no log, a log that takes time to move, and apps without a log.
import type { Disk } from "../../interface/resources/disk.ts";
import { badInput, notFound } from "../../reference-impl/base/refusal.ts";
import { text } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { moreDisks } from "./products.ts";
import type { Variations } from "./variation.ts";

const disks = "Disk entry: `name` is used as a value of targetDiskName; the state of the disk is not shown";
const movesForMs = 2000;
const setters = { setLog: "getLog", setEventConfiguration: "getEventConfiguration" } as const;

/** The configuration shows the former disk until the log has moved. */
function movesFirst(at: GatewayAlterations): void {
  for (const setter of ["setLog", "setEventConfiguration"] as const) {
    let shown = "";
    let former = "";
    let untilMs = 0;
    at.body(setter, (body) => {
      const wanted = text(body["targetDiskName"]);
      if (wanted !== "" && shown !== "" && wanted !== shown) {
        former = shown;
        untilMs = performance.now() + movesForMs;
      }
      return body;
    });
    at.data([setter, setters[setter]], (data) => {
      shown = text(data["targetDiskName"]);
      return performance.now() < untilMs ? { ...data, targetDiskName: former } : data;
    });
  }
}

const targetSetters = [
  "setLog",
  "setEventConfiguration",
  "updateUpgradeConfiguration",
  "setUpgradeConfiguration",
] as const;

const isFull = ({ free }: Disk): boolean => free === 0;

function withDisks(more: readonly Disk[], isRejected = isFull): (at: GatewayAlterations) => void {
  const rejected = new Set(more.filter(isRejected).map(({ name }) => name));
  return (at) => {
    at.product((plain) => ({ ...plain, moreDisks: more }));
    at.around(targetSetters, (call, proceed) => {
      if (rejected.has(text(call.body["targetDiskName"])))
        throw badInput("targetDiskName: the disk takes no files");
      return proceed(call);
    });
  };
}

export const logVariations = {
  "full-disk-takes-no-log": {
    differs: "A disk without free space is listed, and rejected as `targetDiskName`",
    freedom: disks,
    aspect: "disks",
    install: withDisks(moreDisks),
  },
  "full-disk-alone": {
    differs: "Beside the target one disk without free space is listed, and rejected as `targetDiskName`",
    freedom: disks,
    aspect: "disks",
    install: withDisks(moreDisks.filter(isFull)),
  },
  "read-only-disk-alone": {
    differs:
      "Beside the target one read-only disk with free space is listed, and rejected as `targetDiskName`",
    freedom: disks,
    aspect: "disks",
    install: withDisks(
      moreDisks.filter((disk) => !isFull(disk)),
      () => true,
    ),
  },
  "log-moves-to-its-disk": {
    differs: "`targetDiskName` shows the former disk for 2 s, until the log has moved",
    freedom: "Set log and event configuration: when a change takes effect is not stated",
    install: movesFirst,
  },
  "apps-without-a-log": {
    differs: "The log is that of the system alone, and the download of the log of an app is rejected",
    freedom: "Get configuration or download log: what is returned for an app without a log is not stated",
    install: (at) =>
      at.around("getLog", (call, proceed) => {
        const { download, appName } = call.query;
        if (download !== true) return proceed(call);
        if (appName !== undefined) throw notFound("a log of the app");
        return proceed(changed(call, { query: { ...call.query, appName: "system" } }));
      }),
  },
} as const satisfies Variations;
