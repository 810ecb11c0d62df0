import type { LogConfiguration } from "../../interface/resources/log.ts";

/** A body of Set log configuration with every member: the effect of an absent member is not stated. */
export function bodyOf(settings: Omit<LogConfiguration, "disks">): Readonly<Record<string, unknown>> {
  return {
    desiredDiskCacheSizeMB: String(settings.desiredDiskCacheSizeMB),
    enable: settings.enable,
    enableTimeToLiveSec: settings.enableTimeToLiveSec,
    targetDiskName: settings.targetDiskName,
    timeToLiveSec: settings.timeToLiveSec,
  };
}
