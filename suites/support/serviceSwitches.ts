// Service switches that a case inverts, to compare them after a reboot or a reset.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import { allServices } from "./serviceList.ts";

/** `enable` of every listed service that is compared, by id. */
export async function serviceSwitches(
  { gateway: { admin } }: Pick<CaseContext, "gateway">,
  isCompared: (id: string) => boolean = () => true,
): Promise<Readonly<Record<string, boolean>>> {
  const services = allServices((await admin.call("listServices")).data());
  return Object.fromEntries(
    services.filter(({ id }) => isCompared(id)).map(({ id, enable }) => [id, enable]),
  );
}

/** The same as soon as they are as expected, at the latest after the settling time: a service takes time to start. */
export async function laterSwitches(
  context: Pick<CaseContext, "gateway" | "profile" | "waitFor">,
  expected: Readonly<Record<string, boolean>>,
  isCompared?: (id: string) => boolean,
): Promise<Readonly<Record<string, boolean>>> {
  let seen = await serviceSwitches(context, isCompared);
  const areAsExpected = async (): Promise<true | undefined> => {
    if (sameValue(seen, expected)) return true;
    seen = await serviceSwitches(context, isCompared);
    return undefined;
  };
  const { settleMs: deadlineMs } = context.profile.patience;
  await context.waitFor("the services as expected", areAsExpected, { deadlineMs }).catch(() => undefined);
  return seen;
}

/** Without it the events that cases look for would be absent. */
const eventService = "eventlog";

/**
 * Inverts the services that the profile declares switchable, the event log excepted, and returns the states of all that
 * follow. `isRestored` false: they were inverted before, and are restored already.
 */
export async function invertServices(
  { gateway: { admin }, profile, scratch }: Pick<CaseContext, "gateway" | "profile" | "scratch">,
  { isRestored = true }: { readonly isRestored?: boolean } = {},
): Promise<Readonly<Record<string, boolean>>> {
  const services = allServices((await admin.call("listServices")).data());
  const states = new Map(services.map(({ id, enable }) => [id, enable]));
  for (const { id, available, enable } of services) {
    if (!available || !profile.switchableServices.includes(id) || id === eventService) continue;
    const path = { id: id as ServiceId };
    if (isRestored)
      scratch.undo(`service ${id}`, () => admin.call(enable ? "enableService" : "disableService", { path }));
    const answer = await admin.call(enable ? "disableService" : "enableService", { path });
    if (answer.accepted) states.set(id, !enable);
  }
  return Object.fromEntries(states);
}
