// Group 4: log configuration and download.
import Type, { type Static } from "typebox";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { listDisks, stateDiskName } from "../../foundation/disks.ts";
import { data } from "../../http/handler.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import { cacheSizeOf } from "../../store/cacheSize.ts";
import { openSetting } from "../../store/setting.ts";
import { zipOf } from "../../base/zip.ts";
import type { LogFiles } from "./logFiles.ts";

const Settings = Type.Object({
  desiredDiskCacheSizeMB: Type.Integer(),
  enable: Type.Boolean(),
  enableTimeToLiveSec: Type.Boolean(),
  targetDiskName: Type.String(),
  timeToLiveSec: Type.Integer(),
});
type Settings = Static<typeof Settings>;

const sweepEveryMs = 60_000;

export function createLog(
  foundation: Foundation,
  files: LogFiles,
  knownApps: () => readonly string[],
): Group {
  const settings = openSetting(foundation.store, "log", Settings, () => ({
    desiredDiskCacheSizeMB: 64,
    enable: true,
    enableTimeToLiveSec: false,
    targetDiskName: stateDiskName,
    timeToLiveSec: 0,
  }));
  let sweeper: Disposable | undefined;
  const applySettings = (): void => {
    const { enable, desiredDiskCacheSizeMB, enableTimeToLiveSec, timeToLiveSec } = settings.get();
    files.retain({
      isEnabled: enable,
      maxBytes: desiredDiskCacheSizeMB * 1024 * 1024,
      maxAgeMs: enableTimeToLiveSec && timeToLiveSec > 0 ? timeToLiveSec * 1000 : undefined,
    });
  };
  const sweepLater = (): void => {
    sweeper = foundation.clock.after(sweepEveryMs, () => {
      files.sweep();
      sweepLater();
    });
  };
  applySettings();
  const show = (): object => ({
    ...settings.get(),
    disks: listDisks(foundation.stateFolder, foundation.product.moreDisks).map(
      ({ protect: _protect, ...disk }) => disk,
    ),
  });

  return {
    handlers: {
      async getLog(call) {
        const { download, appName } = call.query as { download?: boolean; appName?: string };
        if (download !== true) return data(show());
        // In memory, because a file may grow while it is packed; the retention bounds it.
        const found = files.contents(appName);
        if (appName !== undefined && found.length === 0 && !knownApps().includes(appName))
          throw notFound(`app ${appName}`);
        const content = await zipOf(found);
        return { kind: "file", contentType: "application/zip", fileName: `${appName ?? "log"}.zip`, content };
      },
      setLog(call) {
        const body = call.body as Partial<Settings>;
        if (
          body.targetDiskName !== undefined &&
          !listDisks(foundation.stateFolder, foundation.product.moreDisks).some(
            (disk) => disk.name === body.targetDiskName,
          )
        ) {
          throw badInput(`targetDiskName: ${JSON.stringify(body.targetDiskName)} is no disk of this gateway`);
        }
        const present = settings.get();
        settings.set({
          desiredDiskCacheSizeMB: cacheSizeOf(
            call.body["desiredDiskCacheSizeMB"],
            present.desiredDiskCacheSizeMB,
          ),
          enable: body.enable ?? present.enable,
          enableTimeToLiveSec: body.enableTimeToLiveSec ?? present.enableTimeToLiveSec,
          targetDiskName: body.targetDiskName ?? present.targetDiskName,
          timeToLiveSec: body.timeToLiveSec ?? present.timeToLiveSec,
        });
        applySettings();
        return data(show());
      },
    },
    settings: [settings],
    resetParts: [
      {
        scopes: ["journald"],
        reset() {
          settings.reset();
          applySettings();
          files.clear();
        },
      },
    ],
    start: sweepLater,
    [Symbol.asyncDispose]() {
      sweeper?.[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
