import {
  type Answer,
  type CaseContext,
  type Members,
  type SettingName,
  setting,
  settingBody,
  settingNames,
  type TestCase,
  testCase,
  writeSetting,
} from "../../harness/index.ts";
import { readShown } from "../support/markedSettings.ts";
import { otherValue, settingValues } from "../support/settingValues.ts";
import { type SettingWriter, settingWriters } from "./writers.ts";

const requirement = "CORE-GENERAL-10";
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
    requirements: [requirement],
    effect: "reversible",
    touches: [...settingNames, "services"],
    deadlineMs: 120_000,
    async run(context) {
      const { declares, notApplicable } = context;
      let rejected = 0;
      for (const writer of settingWriters)
        if (declares(setting(writer.setting).capability)) rejected += await rejectedSets(context, writer);
      if (rejected === 0) notApplicable("the gateway rejected no set with a wrong value");
    },
  }),
];

/** Sends a wrong value of each member, with other values of all others; returns the number of rejected sets. */
async function rejectedSets(context: CaseContext, writer: SettingWriter): Promise<number> {
  const { gateway, scratch, verify, random, clock } = context;
  const { setting: name, operation } = writer;
  const { members: before, disks } = await readShown(context, name);
  scratch.undo(settingValues[name].what, () => writeSetting(gateway, name, before));
  const facts = {
    present: before,
    disks,
    integer: (min: number, max: number) => random.integer(min, max),
    epochMs: clock.epochMs(),
  };
  let rejected = 0;
  const present = settingBody(operation, name, before);
  for (const member of Object.keys(present)) {
    const others = othersThan(member, name, (one) =>
      otherValue(one, settingValues[name].members[one] ?? fixed, facts),
    );
    const rest = without(
      settingBody(operation, name, { ...(writer.isPartial ? {} : before), ...others }),
      member,
    );
    for (const wrong of wrongValues(member, present[member]))
      // A gateway may store what it has read so far: the wrong member comes last, and first.
      for (const json of [
        { ...rest, [member]: wrong },
        { [member]: wrong, ...rest },
      ]) {
        const answer: Answer = await gateway.admin.callInvalid(operation, { json });
        if (answer.status >= 400 && answer.status < 500) {
          rejected += 1;
          verify(requirement).equal(
            (await readShown(context, name)).members,
            before,
            `${settingValues[name].what} after the rejected body ${JSON.stringify(json)}`,
            answer,
          );
        } else await writeSetting(gateway, name, before);
      }
  }
  return rejected;
}

const fixed = { kind: "fixed", why: "a member without other values" } as const;

/** Other values of all members but one; of nested members the whole object is another. */
function othersThan(member: string, name: SettingName, other: (member: string) => unknown): Members {
  const chosen = Object.keys(settingValues[name].members)
    .filter((one) => one !== member && !one.includes("."))
    .flatMap((one) => {
      const value = other(one);
      return value === undefined ? [] : [[one, value] as const];
    });
  const files = (fileNames[name] ?? []).map((one) => [one, `rejected-${one.slice(0, 3)}.pem`] as const);
  return Object.fromEntries([...chosen, ...files]);
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

function without(members: Members, member: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([one]) => one !== member));
}
