// Service switches after two resets of everything, before each of which they were inverted.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { sameValue } from "../../harness/index.ts";
import { isSetting } from "../support/serviceList.ts";
import { invertServices, serviceSwitches } from "../support/serviceSwitches.ts";

type Switches = Readonly<Record<string, boolean>>;

/** The switches that no setting of its own switches; that of a listener may depend on the rig. */
async function ownSwitches(context: CaseContext): Promise<Switches> {
  return Object.fromEntries(Object.entries(await serviceSwitches(context)).filter(([id]) => !isSetting(id)));
}

/**
 * Inverts the switches before the first reset. Called after it, what is answered inverts them anew, and answers the check
 * after the second one: a switch that was inverted has the state that it had after the first reset.
 */
export async function watchSwitchDefaults(
  context: CaseContext,
): Promise<() => Promise<(requirement: string, answer: Answer) => Promise<void>>> {
  const { declares, verify, waitFor, profile } = context;
  if (!declares("services")) return async () => async () => undefined;
  await invertServices(context);
  return async () => {
    const defaults = await ownSwitches(context);
    await invertServices(context, { isRestored: false });
    const before = await ownSwitches(context);
    const inverted = Object.keys(defaults).filter((id) => before[id] !== defaults[id]);
    const of = (all: Switches): Record<string, boolean | undefined> =>
      Object.fromEntries(inverted.map((id) => [id, all[id]]));
    return async (requirement, answer) => {
      const isDefault = async (): Promise<true | undefined> =>
        sameValue(of(await ownSwitches(context)), of(defaults)) || undefined;
      const { settleMs } = profile.patience;
      await waitFor("the services after a reset", isDefault, { deadlineMs: settleMs }).catch(() => undefined);
      const what = "`enable` of inverted services after a second reset of the scope all";
      verify(requirement).equal(of(await ownSwitches(context)), of(defaults), what, answer);
    };
  };
}
