// Service switches that a case inverts, to compare them after a reboot or a reset.
import type { CaseContext } from "../../harness/index.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import { allServices } from "./serviceList.ts";

/** `enable` of every listed service, by id. */
export async function serviceSwitches({
  gateway: { admin },
}: Pick<CaseContext, "gateway">): Promise<Readonly<Record<string, boolean>>> {
  return Object.fromEntries(
    allServices((await admin.call("listServices")).data()).map(({ id, enable }) => [id, enable]),
  );
}

/** Without it the events that cases look for would be absent. */
const eventService = "eventlog";

/**
 * Inverts the services that the profile declares switchable, the event log excepted. `isRestored` false: they were inverted
 * before, and are restored already.
 */
export async function invertServices(
  { gateway: { admin }, profile, scratch }: Pick<CaseContext, "gateway" | "profile" | "scratch">,
  { isRestored = true }: { readonly isRestored?: boolean } = {},
): Promise<void> {
  const services = allServices((await admin.call("listServices")).data());
  for (const { id, available, enable } of services) {
    if (!available || !profile.switchableServices.includes(id) || id === eventService) continue;
    const path = { id: id as ServiceId };
    if (isRestored)
      scratch.undo(`service ${id}`, () => admin.call(enable ? "enableService" : "disableService", { path }));
    await admin.call(enable ? "disableService" : "enableService", { path });
  }
}
