import {
  type Answer,
  type CaseContext,
  type SettingName,
  setting,
  settingBody,
  settingNames,
  type TestCase,
  testCase,
  writeSetting,
} from "../../harness/index.ts";
import { readShown, shownFacts } from "../support/markedSettings.ts";
import { rejectedRequirement, rejectedUpdates, type Updatable } from "../support/rejectedUpdates.ts";
import { otherValue, settingValues } from "../support/settingValues.ts";
import { type SettingWriter, settingWriters } from "./writers.ts";

/** Beyond every port, and no crontab expression: rejected or not, of a right type. */
const outside: Readonly<Record<string, unknown>> = { port: 70_000, at: "61 25 * * *" };
/** Input-only names of files, which an answer shows under other names. */
const fileNames: Partial<Record<SettingName, readonly string[]>> = {
  "http-server": ["certFilename", "keyFilename"],
};

export const rejectingCases: readonly TestCase[] = [
  testCase({
    id: "settings/rejected-sets-change-nothing",
    title: "A rejected set changes none of the members sent with it",
    group: "general",
    requirements: [rejectedRequirement],
    effect: "reversible",
    touches: [...settingNames, "services"],
    deadlineMs: 120_000,
    async run(context) {
      const { declares, notApplicable } = context;
      let rejected = 0;
      for (const writer of settingWriters)
        if (declares(setting(writer.setting).capability))
          rejected += await rejectedUpdates(context, await updatable(context, writer));
      if (rejected === 0) notApplicable("the gateway rejected no set with a wrong value");
    },
  }),
];

/** The setting with other values of all members and wrong values of each. */
export async function updatable(context: CaseContext, writer: SettingWriter): Promise<Updatable> {
  const { gateway, scratch } = context;
  const { setting: name, operation, isPartial } = writer;
  const { what, members } = settingValues[name];
  const facts = await shownFacts(context, name);
  const before = facts.present;
  const restore = (): Promise<Answer> => writeSetting(gateway, name, before);
  scratch.undo(what, restore);
  const others = Object.entries(members).flatMap(([member, values]) => {
    const value = member.includes(".") ? undefined : otherValue(member, values, facts);
    return value === undefined ? [] : [[member, value] as const];
  });
  const files = (fileNames[name] ?? []).map((one) => [one, `rejected-${one.slice(0, 3)}.pem`] as const);
  const present = settingBody(operation, name, before);
  return {
    what,
    operation,
    body: settingBody(operation, name, {
      ...(isPartial ? {} : before),
      ...Object.fromEntries([...others, ...files]),
    }),
    wrong: Object.fromEntries(
      Object.entries(present).map(([member, value]) => [member, wrongValues(member, value)]),
    ),
    read: async () => (await readShown(context, name)).members,
    restore,
  };
}

function wrongValues(member: string, present: unknown): readonly unknown[] {
  return [...wrongTypes(present), ...(member in outside ? [outside[member]] : [])];
}

/** A value of another type; of an object also one with other values and one wrong member each. */
function wrongTypes(present: unknown): readonly unknown[] {
  if (typeof present === "boolean") return ["maybe"];
  if (typeof present === "number") return ["many"];
  if (typeof present !== "object" || present === null) return [{ wrong: 1 }];
  const inner = Object.entries(present);
  const others = inner.map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "boolean" ? !value : typeof value === "number" ? value + 7 : value,
  ]);
  return inner.map(([name, value]: [string, unknown]) => ({
    ...Object.fromEntries(others),
    [name]: wrongTypes(value)[0],
  }));
}
