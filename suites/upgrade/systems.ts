// Installations of the two packages that the profile declares, and what they must not change.
import { readFile } from "node:fs/promises";
import { type Answer, type CaseContext, type RestartWatch, timeOf } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { Unmet } from "../../record/index.ts";
import { markSettings } from "../support/markedSettings.ts";
import { backAgain } from "../support/restart.ts";
import { makeSystemPackage } from "../support/systemPackage.ts";
import type { UpgradeServer } from "../support/upgradeServer.ts";
import { begun, serveFile } from "./downloads.ts";
import { isOver } from "./jobStates.ts";

/** A version of the system, with the file that installs it. */
export interface System {
  readonly version: string;
  readonly load: () => Promise<Buffer>;
}

/** What the cases of installations have in common. */
export const sharedByInstallations = {
  group: "upgrade",
  effect: "changes-firmware",
  touches: ["everything"],
  capabilities: ["upgrade", "upgrade-jobs", "disruptive-reboot", "users", "roles", "virtual-tags", "ssh"],
  tags: ["firmware"],
  deadlineMs: 900_000,
} as const;

/** Pause of the download server between two chunks, by which a download of the reference gateway takes half a second. */
const slowPauseMs = 8;

/** The version of the running system, where the profile says; throws Unmet when the gateway does not answer. */
export async function versionNow({ gateway, profile, notApplicable }: CaseContext): Promise<string> {
  const place = profile.upgrade.versionIn;
  if (place === undefined) return notApplicable("the profile declares no upgrade.versionIn");
  if (!isOffered(profile, place.operation))
    return notApplicable(`the gateway does not offer ${place.operation}, which upgrade.versionIn names`);
  const answer = await gateway.admin.callChecked(place.operation);
  if (!answer.accepted) throw new Unmet(`${place.operation} answered ${answer.summary()}`);
  const found = place.pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) =>
        typeof value === "object" && value !== null
          ? Object.entries(value).find(([name]) => name === part)?.[1]
          : undefined,
      // Not a member of the interface, perhaps.
      answer.json,
    );
  if (typeof found !== "string") throw new Unmet(`no version at ${place.pointer} of ${place.operation}`);
  return found;
}

/** The running system and the other one; the first is installed again when the case ends. */
export async function systemsOf(context: CaseContext): Promise<{ present: System; other: System }> {
  const { profile, notApplicable, unmet, scratch } = context;
  const { packages } = profile.upgrade;
  if (packages === undefined) return notApplicable("the profile declares no upgrade.packages");
  const version = await versionNow(context);
  const systems: readonly System[] =
    packages === "reference"
      ? [version, `${version}-next`].map((one) => ownSystem(context, one))
      : packages.map(({ version: one, file }) => ({ version: one, load: () => readFile(file) }));
  const present = systems.find((one) => one.version === version);
  const other = systems.find((one) => one.version !== version);
  if (present === undefined || other === undefined)
    return unmet(`the gateway runs ${version}, which is neither version of upgrade.packages`);
  scratch.undo(`version ${version}`, async () => {
    if ((await versionNow(context)) !== version) await installed(context, present);
  });
  return { present, other };
}

/** A system of the reference gateway that the suite makes itself. */
export function ownSystem(
  { profile }: CaseContext,
  version: string,
  wish: Partial<Parameters<typeof makeSystemPackage>[0]> = {},
): System {
  const { model } = profile.gateway;
  return { version, load: () => makeSystemPackage({ model, version, ...wish }) };
}

export interface Installation extends AsyncDisposable {
  readonly job: UpgradeJob;
  readonly server: UpgradeServer;
}

/** Creates a job that downloads and installs the system, and waits until the download begins. */
export async function install(
  context: CaseContext,
  { load }: System,
  chunkPauseMs = slowPauseMs,
): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await serveFile(context, { sizeBytes: 0, load, chunkPauseMs, failures: 0 }));
  const json = { url: server.url, download: true, install: true };
  const job = (await context.gateway.admin.call("createUpgradeJob", { json })).data();
  await begun(context, server, job.id);
  const owned = stack.move();
  return { job, server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A job with the reason why it failed, which is no member of the interface. */
export interface EndedJob extends UpgradeJob {
  readonly error: string;
}

function ended(answer: Answer<"getUpgradeJob">): EndedJob {
  // First: it throws Unmet where the answer is no job.
  const job = answer.data();
  const { errorMessage = "" } = (answer.json as { data: { errorMessage?: unknown } }).data;
  return { ...job, error: typeof errorMessage === "string" ? errorMessage : "" };
}

/**
 * The job when it has ended, through the restarts that it orders; the last reading when it has not within a boot.
 * `silent` is called while the gateway gives no answer.
 */
export async function endOf(
  context: CaseContext,
  id: number,
  hasEnded: (job: UpgradeJob) => boolean = isOver,
  silent: () => void = () => undefined,
): Promise<EndedJob | undefined> {
  const { gateway, waitFor, profile } = context;
  let last: EndedJob | undefined;
  await waitFor(
    "the end of the job",
    async () => {
      const answer = await gateway.admin.call("getUpgradeJob", { path: { id } }).catch(whenSilent);
      if (answer?.accepted !== true) {
        silent();
        gateway.signInsWereLost();
        return undefined;
      }
      last = ended(answer);
      return hasEnded(last) ? true : undefined;
    },
    { deadlineMs: profile.patience.bootMs, everyMs: 50 },
  ).catch(whenSilent);
  return last;
}

/** The version, once the gateway has answered with it, or with another one for some time. */
export async function versionAfter(context: CaseContext, expected: string): Promise<string | undefined> {
  const { gateway, waitFor, profile, clock, outside } = context;
  const now = (): number => outside.read(timeOf("a version"), () => clock.nowMs());
  let last: string | undefined;
  let silentMs = now();
  await waitFor(
    `version ${expected}`,
    async () => {
      last = await versionNow(context).catch(whenSilent);
      if (last === undefined) {
        gateway.signInsWereLost();
        silentMs = now();
      }
      return last === expected || now() - silentMs > profile.patience.settleMs ? true : undefined;
    },
    { deadlineMs: profile.patience.bootMs, everyMs: 50 },
  ).catch(whenSilent);
  return last;
}

/** Installs the system to its end; answers the job and the version that runs then. */
export async function installed(
  context: CaseContext,
  system: System,
): Promise<{ job: EndedJob | undefined; version: string | undefined }> {
  await using watch = await context.gateway.watchForRestart();
  await using installation = await install(context, system);
  const job = await endOf(context, installation.job.id);
  // A gateway that has not come back by then has no version.
  if (job === undefined || !isOver(job)) return { job, version: undefined };
  await restartedLate(context, watch);
  return { job, version: await versionAfter(context, system.version) };
}

/** How long a gateway with two systems may take to restart into the installed one. */
const lateRestartSec = 5;

/** Waits for the restart that follows an installation, where one comes: later it would fall into another case. */
export async function restartedLate(context: CaseContext, watch: RestartWatch): Promise<void> {
  const { packages, restartWithinSec } = context.profile.upgrade;
  const withinSec = restartWithinSec ?? (packages === undefined ? 0 : lateRestartSec);
  if (withinSec > 0 && (await watch.wentDown(withinSec * 1000)) !== undefined)
    await backAgain(context, watch);
}

/** A gateway that restarts does not answer. */
function whenSilent(thrown: unknown): undefined {
  if (!(thrown instanceof Unmet)) throw thrown;
  return undefined;
}

type Requirements = Readonly<Record<"users" | "settings" | "tags", string>>;

/** Makes a user, a virtual tag and settings; answers the check that they are still there. */
export async function keepThings(
  context: CaseContext,
  requirements: Requirements,
): Promise<(when: string) => Promise<void>> {
  const { gateway, scratch, verify } = context;
  const user = await scratch.user();
  const tag = await scratch.virtualTag({ dataType: "int32", access: "rw" });
  const marked = await markSettings(context, ["provision", "log", "event-configuration", "ssh"], {
    flags: true,
  });
  const users = async (): Promise<string[]> =>
    (await gateway.admin.call("listUsers"))
      .data()
      .map(({ id, name }) => `${id} ${name}`)
      .toSorted();
  const before = await users();
  return async (when) => {
    verify(requirements.users).equal(await users(), before, `users ${when}`);
    const json = { name: user.name, password: user.password, acceptEULA: true };
    verify(requirements.users).accepted(await gateway.anonymous.call("signIn", { json }));
    for (const { what, value, read } of marked)
      verify(requirements.settings).equal(await read(), value, `${what} ${when}`);
    const tags = (await gateway.admin.call("listTags")).data();
    verify(requirements.tags).equal(
      tags.some(({ tagName }) => tagName === tag.tagName),
      true,
      `presence of a virtual tag ${when}`,
    );
  };
}
