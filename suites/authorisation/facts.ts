// What the gateway holds at the moment, so that the calls of the matrix can write back what is there already.
import type { CaseContext } from "../../harness/suite/context.ts";
import type { Answer } from "../../harness/client/answer.ts";
import { type OperationId, operations } from "../../interface/operations/index.ts";

export interface Facts {
  /** Bodies that say what the gateway says already; undefined where it could not be read. */
  readonly provision: object | undefined;
  readonly log: object | undefined;
  readonly rebootSchedule: object | undefined;
  readonly ssh: object | undefined;
  readonly httpServer: object | undefined;
  readonly eventConfiguration: object | undefined;
  readonly eventKind: { id: number; enable: boolean } | undefined;
  readonly upgrade: { retryCount: number } | undefined;
  /** Ids of services that may be switched and are in that position already. */
  readonly enabledService: string | undefined;
  readonly disabledService: string | undefined;
  /** An unencrypted export of the configuration. */
  readonly configuration: Uint8Array | undefined;
  readonly appName: string | undefined;
  readonly upgradeJobId: number | undefined;
  readonly readableTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  /** Virtual tags of the case: one that stays and one that the deletion aims at. */
  readonly virtualTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  readonly doomedTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  /** A role and a user of the case that calls may aim at. */
  readonly role: { readonly id: number; readonly name: string };
  readonly target: { readonly id: number; readonly name: string; readonly password: string };
}

/** Reads everything as the administrator; what cannot be read is left out, and what needs it does without. */
export async function gatherFacts(context: CaseContext): Promise<Facts> {
  const { gateway, profile, scratch } = context;
  const { admin } = gateway;
  const reader = async <T>(
    operation: OperationId,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> =>
    isOffered(context, operation) ? read().catch(() => undefined) : Promise.resolve(undefined);

  const provision = await reader("getProvision", async () => (await admin.call("getProvision")).data());
  const log = await reader("getLog", async () => {
    const { desiredDiskCacheSizeMB, enable, enableTimeToLiveSec, targetDiskName, timeToLiveSec } = (
      await admin.call("getLog")
    ).data();
    const size = String(desiredDiskCacheSizeMB);
    return { desiredDiskCacheSizeMB: size, enable, enableTimeToLiveSec, targetDiskName, timeToLiveSec };
  });
  const rebootSchedule = await reader("getReboot", async () => {
    const { at, enableScheduler } = (await admin.call("getReboot")).data();
    const crontab = [at.minute, at.hour, at.day, at.month, at.dayOfWeek];
    return crontab.includes("") ? { enableScheduler } : { enableScheduler, at: crontab.join(" ") };
  });
  const httpServer = await reader("getHttpServer", async () => {
    const { httpEnable, httpPort, httpsEnable, httpsPort } = (await admin.call("getHttpServer")).data();
    return { httpEnable, httpPort, httpsEnable, httpsPort };
  });
  const eventConfiguration = await reader("getEventConfiguration", async () => {
    const {
      desiredDiskCacheSizeMB,
      disks: _disks,
      ...rest
    } = (await admin.call("getEventConfiguration")).data();
    return { ...rest, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
  });
  const services = await reader("listServices", async () =>
    Object.values((await admin.call("listServices")).data()).flat(),
  );
  const switchable = (services ?? []).filter(({ id }) => profile.switchableServices.includes(id));
  const tags = await reader("listTags", async () => (await admin.call("listTags")).data());
  const readable = (tags ?? []).filter((tag) => tag.access !== "w" && !tag.tagName.includes("/"));
  const makeTag = () => reader("createVirtualTag", () => scratch.virtualTag({ dataType: "uint8" }));
  const target = await scratch.user({ permissions: [] });

  return {
    provision,
    log,
    rebootSchedule,
    ssh: await reader("getSsh", async () => (await admin.call("getSsh")).data()),
    httpServer,
    eventConfiguration,
    eventKind: await reader("getEventCatalogue", async () => {
      const kind = (await admin.call("getEventCatalogue")).data().events[0];
      return kind === undefined ? undefined : { id: kind.id, enable: kind.enable };
    }),
    upgrade: await reader("getUpgradeConfiguration", async () => {
      const { retryCount } = (await admin.call("getUpgradeConfiguration")).data();
      return { retryCount };
    }),
    enabledService: switchable.find((service) => service.enable && service.available)?.id,
    disabledService: switchable.find((service) => !service.enable && service.available)?.id,
    configuration: await reader("exportConfiguration", async () => {
      const answer: Answer = await admin.call("exportConfiguration", {
        query: { action: "download", encryption: false },
      });
      return answer.accepted && answer.bytes.length > 0 ? answer.bytes : undefined;
    }),
    appName: await reader("listApps", async () => (await admin.call("listApps")).data()[0]?.name),
    upgradeJobId: await reader(
      "listUpgradeJobs",
      async () => (await admin.call("listUpgradeJobs")).data()[0]?.id,
    ),
    readableTag: readable[0],
    virtualTag: await makeTag(),
    doomedTag: await makeTag(),
    role: await scratch.role(profile.permissions.slice(0, 1)),
    target,
  };
}

/** Whether the profile declares the operation as served, by itself and by its capability. */
export function isOffered({ profile }: Pick<CaseContext, "profile">, operation: OperationId): boolean {
  if (profile.binding.get(operation)?.served !== true) return false;
  return capabilitiesOf(operation).every((capability) => profile.capabilities.has(capability));
}

function capabilitiesOf(operation: OperationId): string[] {
  const special: Partial<Record<OperationId, string[]>> = {
    getSsh: ["ssh"],
    setSsh: ["ssh"],
    getResetCapabilities: ["reset"],
    resetToDefault: ["reset"],
    createVirtualTag: ["tags", "virtual-tags"],
    updateVirtualTag: ["tags", "virtual-tags"],
    deleteVirtualTag: ["tags", "virtual-tags"],
  };
  return special[operation] ?? [operations[operation].group];
}
