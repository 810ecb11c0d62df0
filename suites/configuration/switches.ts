// Service switches that an export contains: some on, some off, to be restored in both directions by an apply.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import { allServices, isSetting } from "../support/serviceList.ts";
import { readTarGz } from "../support/tarGz.ts";
import { download } from "./support.ts";

/** Switches in each direction; each needs two exports to be found in the file. */
const ofEach = 3;

/** Switches by id with their states at the export. */
export type ExportedSwitches = ReadonlyMap<ServiceId, boolean>;

/** Sets some services on and some off; returns those that the unencrypted export shows. They are restored at the end. */
export async function exportedSwitches(context: CaseContext): Promise<ExportedSwitches> {
  const { gateway, profile, scratch, random, declares } = context;
  if (!declares("services")) return new Map();
  const services = await gateway.admin.call("listServices");
  const candidates = allServices(services.data()).filter(
    ({ id, available }) => available && profile.switchableServices.includes(id) && !isSetting(id),
  );
  const wanted = new Map<ServiceId, boolean>();
  for (const [index, { id, enable }] of random
    .shuffle(candidates)
    .slice(0, 2 * ofEach)
    .entries()) {
    const service = id as ServiceId;
    scratch.undo(`service ${id}`, () => turn(context, service, enable));
    if (await turn(context, service, index % 2 === 0)) wanted.set(service, index % 2 === 0);
  }
  const first = await entriesNow(context);
  const second = await entriesNow(context);
  const steady = [...first].filter(([name, content]) => second.get(name) === content);
  const shown = new Map<ServiceId, boolean>();
  for (const [id, enable] of wanted) {
    await turn(context, id, !enable);
    const other = await entriesNow(context);
    await turn(context, id, enable);
    const again = await entriesNow(context);
    if (steady.some(([name, content]) => other.get(name) !== content && again.get(name) === content))
      shown.set(id, enable);
  }
  // One switch may turn another.
  const now = await states(context);
  return new Map([...shown].filter(([id, enable]) => now.get(id) === enable));
}

/** Sets each service to the other state. */
export async function switchAway(context: CaseContext, exported: ExportedSwitches): Promise<void> {
  for (const [id, enable] of exported) await turn(context, id, !enable);
}

/**
 * Checks the switches after the file was applied. That an applied file restores them is recommended; where it restores some
 * of those that it contains, a gateway that leaves others unchanged has not applied the file.
 */
export async function verifySwitches(
  context: CaseContext,
  exported: ExportedSwitches,
  requirement: string,
): Promise<void> {
  const { profile, verify, waitFor } = context;
  const what = "`enable` of the services that the applied file contains";
  if (exported.size === 0)
    return verify(requirement).notApplicable(
      what,
      "the unencrypted export does not show a change of a service switch",
    );
  const wanted = Object.fromEntries(exported);
  let found: Readonly<Record<string, boolean | undefined>> = {};
  const areRestored = async (): Promise<true | undefined> => {
    const now = await states(context);
    found = Object.fromEntries([...exported.keys()].map((id) => [id, now.get(id)]));
    return sameValue(found, wanted) || undefined;
  };
  // A service may take time to start after the boot.
  const wait = { deadlineMs: profile.patience.settleMs, lastSeen: () => found };
  await waitFor("the services that the file contains", areRestored, wait).catch(() => undefined);
  verify("CORE-CONFIG-32").equal(found, wanted, what);
  if (![...exported].some(([id, enable]) => found[id] === enable))
    return verify(requirement).notApplicable(what, "no service switch was restored");
  verify(requirement).equal(found, wanted, `${what}, where some of them were restored`);
}

async function states({ gateway }: CaseContext): Promise<ReadonlyMap<string, boolean>> {
  const answer = await gateway.admin.call("listServices");
  return new Map(allServices(answer.data()).map(({ id, enable }) => [id, enable]));
}

async function turn({ gateway }: CaseContext, id: ServiceId, enable: boolean): Promise<boolean> {
  const answer = await gateway.admin.call(enable ? "enableService" : "disableService", { path: { id } });
  return answer.accepted;
}

/** The entries of the unencrypted export by name; none where its layout is another. */
async function entriesNow({ gateway }: CaseContext): Promise<ReadonlyMap<string, string>> {
  const entries = (await readTarGz((await download(gateway, false)).bytes)) ?? [];
  return new Map(entries.map(({ name, content }) => [name, content.toString("latin1")]));
}
