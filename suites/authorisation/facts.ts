// The present state of the gateway, which the calls of the matrix write back unchanged.
import { allServices, isSetting } from "../support/serviceList.ts";
import { type CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { removeLater } from "../users/accounts.ts";

export interface Facts {
  /** Bodies with the present values; undefined where they could not be read. */
  readonly provision: object | undefined;
  readonly log: object | undefined;
  readonly rebootSchedule: object | undefined;
  readonly ssh: object | undefined;
  readonly httpServer: Readonly<Record<string, boolean | number>> | undefined;
  readonly eventConfiguration: object | undefined;
  readonly eventKind: { id: number; enable: boolean } | undefined;
  readonly upgrade: { retryCount: number } | undefined;
  /** The whole upgrade configuration; undefined also where certificates are stored, which cannot be written back. */
  readonly wholeUpgrade: object | undefined;
  /** Ids of services that may be switched and are enabled (or disabled) at present. */
  readonly enabledService: string | undefined;
  readonly disabledService: string | undefined;
  /** An unencrypted export of the configuration. */
  readonly configuration: Uint8Array | undefined;
  readonly appName: string | undefined;
  readonly upgradeJobId: number | undefined;
  /** A job of the case, which may be canceled. */
  readonly ownJobId: number | undefined;
  readonly readableTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  /** Virtual tags of the case: one to write and update, one to delete. */
  readonly virtualTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  readonly doomedTag: { prvdName: string; srcName: string; tagName: string } | undefined;
  /** A role and a user of the case, as the object of calls. */
  readonly role: { readonly id: number; readonly name: string };
  readonly target: { readonly id: number; readonly name: string; readonly password: string };
}

/** A job that installs nothing, where the profile permits jobs. */
async function ownUpgradeJob(context: CaseContext): Promise<number | undefined> {
  if (!context.declares("upgrade-jobs")) return undefined;
  const { admin, host } = context.gateway;
  // Port 9 (discard) sends no data: the download never completes.
  const json = { url: `http://${host.address}:9/rackproof.bin`, download: true, install: false };
  const answer = await admin.call("createUpgradeJob", { json });
  const { id } = answer.data();
  if (context.profile.extensions.has("deleteUpgradeJob"))
    removeLater(context, answer, "deleteUpgradeJob", "upgrade job");
  else
    context.scratch.undo(`download of upgrade job ${id}`, async () => {
      // Rejected where it has ended.
      await admin.call("operateUpgradeJob", {
        path: { id, action: "cancel" },
        query: { deleteFileAfterInstallComplete: true },
      });
    });
  return id;
}

/** Reads everything as the administrator; values that cannot be read are undefined. */
export async function gatherFacts(context: CaseContext): Promise<Facts> {
  const { gateway, profile, scratch } = context;
  const { admin } = gateway;
  const reader = async <T>(
    operation: OperationId,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> => (isOffered(profile, operation) ? read().catch(() => undefined) : undefined);
  const makeTag = (): Promise<Facts["virtualTag"]> =>
    reader("createVirtualTag", () => scratch.virtualTag({ dataType: "uint8" }));
  const services = reader("listServices", async () =>
    allServices((await admin.call("listServices")).data()).filter(
      ({ id, available }) => available && profile.switchableServices.includes(id) && !isSetting(id),
    ),
  );
  const ownJob = reader("createUpgradeJob", () => ownUpgradeJob(context));
  const upgrade = reader("getUpgradeConfiguration", async () =>
    (await admin.call("getUpgradeConfiguration")).data(),
  );
  const found = {
    provision: reader("getProvision", async () => (await admin.call("getProvision")).data()),
    log: reader("getLog", async () => {
      const { desiredDiskCacheSizeMB, disks: _disks, ...rest } = (await admin.call("getLog")).data();
      return { ...rest, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
    }),
    rebootSchedule: reader("getReboot", async () => {
      const { at, enableScheduler } = (await admin.call("getReboot")).data();
      const crontab = [at.minute, at.hour, at.day, at.month, at.dayOfWeek];
      return crontab.includes("") ? { enableScheduler } : { enableScheduler, at: crontab.join(" ") };
    }),
    ssh: reader("getSsh", async () => (await admin.call("getSsh")).data()),
    httpServer: reader("getHttpServer", async () => {
      const { httpEnable, httpPort, httpsEnable, httpsPort } = (await admin.call("getHttpServer")).data();
      return { httpEnable, httpPort, httpsEnable, httpsPort };
    }),
    eventConfiguration: reader("getEventConfiguration", async () => {
      const answer = await admin.call("getEventConfiguration");
      const { desiredDiskCacheSizeMB, disks: _disks, ...rest } = answer.data();
      return { ...rest, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
    }),
    eventKind: reader("getEventCatalogue", async () => {
      const kind = (await admin.call("getEventCatalogue")).data().events[0];
      return kind === undefined ? undefined : { id: kind.id, enable: kind.enable };
    }),
    upgrade: upgrade.then((settings) => settings && { retryCount: settings.retryCount }),
    wholeUpgrade: upgrade.then((settings) => {
      if (settings === undefined) return undefined;
      const { disks: _disks, caName, certFileName, keyFileName, ...rest } = settings;
      return caName + certFileName + keyFileName === "" ? rest : undefined;
    }),
    enabledService: services.then((all) => all?.find(({ enable }) => enable)?.id),
    disabledService: services.then((all) => all?.find(({ enable }) => !enable)?.id),
    configuration: reader("exportConfiguration", async () => {
      const query = { action: "download", encryption: false } as const;
      const answer = await admin.call("exportConfiguration", { query });
      return answer.accepted && answer.bytes.length > 0 ? answer.bytes : undefined;
    }),
    appName: reader("listApps", async () => (await admin.call("listApps")).data()[0]?.name),
    upgradeJobId: ownJob.then(
      async (id) =>
        id ??
        (await reader("listUpgradeJobs", async () => (await admin.call("listUpgradeJobs")).data()[0]?.id)),
    ),
    ownJobId: ownJob,
    readableTag: reader("listTags", async () =>
      (await admin.call("listTags")).data().find((tag) => tag.access !== "w"),
    ),
    virtualTag: makeTag(),
    doomedTag: makeTag(),
    role: scratch.role(profile.permissions.slice(0, 1)),
    target: scratch.user(),
  };
  // All reads run at the same time; Promise.all handles the rejection of each.
  await Promise.all(Object.values(found));
  return {
    provision: await found.provision,
    log: await found.log,
    rebootSchedule: await found.rebootSchedule,
    ssh: await found.ssh,
    httpServer: await found.httpServer,
    eventConfiguration: await found.eventConfiguration,
    eventKind: await found.eventKind,
    upgrade: await found.upgrade,
    wholeUpgrade: await found.wholeUpgrade,
    enabledService: await found.enabledService,
    disabledService: await found.disabledService,
    configuration: await found.configuration,
    appName: await found.appName,
    upgradeJobId: await found.upgradeJobId,
    ownJobId: await found.ownJobId,
    readableTag: await found.readableTag,
    virtualTag: await found.virtualTag,
    doomedTag: await found.doomedTag,
    role: await found.role,
    target: await found.target,
  };
}
