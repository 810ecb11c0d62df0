// One member of each setting, changed while the others stay unchanged: a gateway may keep it beside other changes only.
import {
  type CaseContext,
  type Members,
  type SettingName,
  setting,
  writeSetting,
} from "../../harness/index.ts";
import { readShown, shownFacts } from "./markedSettings.ts";
import { notDeclared, persistence } from "./persisted.ts";
import { otherValue, settingValues, withValue } from "./settingValues.ts";

/** The same settings may be switched meanwhile, by themselves or by a service. */
const withoutFlags = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value !== "boolean"));

/** Settings whose numbers and words no other look of these cases changes. */
const names: readonly SettingName[] = ["log", "event-configuration", "upgrade-configuration", "ssh"];

/** The requirements that `changeOneEach` decides. */
export const loneRequirements = names.flatMap((name) => persistence[name]);

/**
 * Changes a number or a word of each setting, by turns the first, the second and so on, and restores them when the case
 * ends. Returns the check that they persist across a reboot.
 */
export async function changeOneEach(context: CaseContext, turn: number): Promise<() => Promise<void>> {
  const { declares, gateway, scratch, verify } = context;
  const checks: (() => Promise<void>)[] = [];
  for (const name of names) {
    const { what, members } = settingValues[name];
    const changeable = Object.entries(members).filter(([, { kind }]) =>
      ["number", "near", "word"].includes(kind),
    );
    const [member, values] = changeable[turn % Math.max(1, changeable.length)] ?? [];
    const notChecked = (reason: string): void => {
      for (const requirement of persistence[name])
        verify(requirement).notApplicable(`${what} after a reboot`, reason);
    };
    if (!declares(setting(name).capability)) notChecked(notDeclared);
    else if (member === undefined || values === undefined) notChecked("it has no number and no word");
    else {
      const facts = await shownFacts(context, name);
      const { present } = facts;
      const value = otherValue(member, values, facts);
      if (value === undefined || Number.isNaN(value)) {
        notChecked(`no other \`${member}\` is known`);
        continue;
      }
      scratch.undo(what, () => writeSetting(gateway, name, present));
      const sent = withValue(setting(name).isPartial ? {} : present, member, value);
      const answer = await writeSetting(gateway, name, sent);
      if (!answer.accepted) {
        notChecked(`the gateway rejected another \`${member}\``);
        continue;
      }
      const changed = withoutFlags((await readShown(context, name)).members);
      checks.push(async () => {
        const { members: now, answer: evidence } = await readShown(context, name);
        for (const requirement of persistence[name])
          verify(requirement).equal(
            withoutFlags(now),
            changed,
            `${what} after a reboot, when \`${member}\` alone was changed`,
            evidence,
          );
      });
    }
  }
  return async () => {
    for (const check of checks) await check();
  };
}
