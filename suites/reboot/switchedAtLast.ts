// A service that is switched right before a reboot: what was acknowledged and listed is stored.
import type { CaseContext } from "../../harness/index.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import { allServices, isSetting } from "../support/serviceList.ts";
import { laterSwitches, serviceSwitches } from "../support/serviceSwitches.ts";

/** Switches a service; answers the check after the reboot. */
export async function switchedAtLast(context: CaseContext): Promise<() => Promise<void>> {
  const switched = await switchedService(context);
  const what = `\`enable\` of ${switched?.service ?? "a service"}, switched right before a reboot`;
  // A service may take a moment to be listed as switched.
  const before = switched === undefined ? undefined : (await serviceSwitches(context))[switched.service];
  return async () => {
    const verify = context.verify("CORE-SERVICE-31");
    if (switched === undefined || before !== switched.enable)
      verify.notApplicable(what, "no service was switched");
    else {
      const { service } = switched;
      const after = await laterSwitches(context, { [service]: before }, (id) => id === service);
      verify.equal(after[service], before, what);
    }
  };
}

/** Switches a service that no setting switches as well; undefined without one. */
async function switchedService({
  gateway: { admin },
  declares,
  profile,
  random,
  scratch,
}: CaseContext): Promise<{ readonly service: ServiceId; readonly enable: boolean } | undefined> {
  if (!declares("services")) return undefined;
  const candidates = allServices((await admin.call("listServices")).data()).filter(
    ({ id, available }) => available && profile.switchableServices.includes(id) && !isSetting(id),
  );
  if (candidates.length === 0) return undefined;
  const { id, enable: wasOn } = random.pick(candidates);
  const service = id as ServiceId;
  const turn = (enable: boolean) =>
    admin.call(enable ? "enableService" : "disableService", { path: { id: service } });
  scratch.undo(`service ${id}`, () => turn(wasOn));
  return (await turn(!wasOn)).accepted ? { service, enable: !wasOn } : undefined;
}
