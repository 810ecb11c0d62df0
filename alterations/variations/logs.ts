// Disks that take no log, a log that takes time to move, apps without a log, and logs in a bundle.
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { zipOf } from "../../reference-impl/base/zip.ts";
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

const facts = Buffer.from(JSON.stringify({ model: "support bundle", about: "the device and its firmware" }));

/** Every download of the log has its files in one folder, beside one about the device. */
function bundled(at: GatewayAlterations): void {
  at.around("getLog", async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind !== "file" || !Buffer.isBuffer(answer.content)) return answer;
    const zip = await fromBufferPromise(answer.content);
    const files = [{ name: "device/device.json", content: facts }];
    for await (const entry of zip.eachEntry())
      files.push({
        name: `device/logs/${entry.fileName}`,
        content: await buffer(await zip.openReadStreamPromise(entry)),
      });
    return { ...answer, content: await zipOf(files) };
  });
}

export const logVariations = {
  "logs-in-a-bundle": {
    differs: "Every download of the log has a folder and a file that are named `device`, as an app is",
    freedom: "Get configuration or download log: the layout of the zip is not shown",
    install: bundled,
  },
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
