// Settings of which every member has a value of the suite's own, so that a case can see what a reset, a reboot or an
// applied configuration has changed.
import {
  type Answer,
  type CaseContext,
  crontabOf,
  type Members,
  type SettingName,
  setting,
  settingBody,
  shownMembers,
  writeSetting,
} from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { makeCertificate } from "./certificate.ts";
import {
  isCrontab,
  otherValue,
  settingValues,
  valueAt,
  type ValueFacts,
  withValue,
} from "./settingValues.ts";

/** A setting with values of its own; it is restored when the case ends. */
export interface MarkedSetting {
  readonly name: SettingName;
  /** The setting in words. */
  readonly what: string;
  /** The reset scope it belongs to; undefined where the interface does not say. */
  readonly scope: ResetScope | undefined;
  /** All its members, as read after they were written. */
  readonly value: Members;
  /** Members that were written and whose value no default is likely to equal. */
  readonly telling: readonly string[];
  /** What it is now; Unmet when it cannot be read. */
  readonly read: () => Promise<Members>;
  /** Gives its members other values, and every flag the one that is given; without one, another than now. */
  readonly change: (flags?: boolean) => Promise<MarkedSetting>;
}

export interface MarkOptions {
  /** Value for every flag, or false and true by turns; absent: other than the present one. */
  readonly flags?: boolean | "by turns";
  /** Writes numbers that narrower integers do not hold, where the gateway accepts them. */
  readonly isWide?: boolean;
  /** Writes numbers and words once more, each member alone; a gateway that does not take it so has the earlier value. */
  readonly isAlone?: boolean;
}

/** The operation that writes every member at once, files included. */
const markWriters: Partial<Record<SettingName, OperationId>> = {
  "upgrade-configuration": "setUpgradeConfiguration",
};

/**
 * The numbers of each attempt, until the gateway accepts them; usual ones twice, because a port may be taken. At last
 * without another disk, which may be absent or read-only.
 */
const usualNumbers: readonly Numbers[] = [
  {},
  {},
  { isSmall: true },
  { disks: [] },
  { isSmall: true, disks: [] },
];
const wideNumbers: readonly Numbers[] = [{ width: "widest" }, { width: "wide" }, ...usualNumbers];

type Numbers = Partial<Pick<ValueFacts, "width" | "isSmall" | "disks">>;

/** Marks those of the settings that the profile declares. Unmet when one cannot be set. */
export async function markSettings(
  context: CaseContext,
  names: readonly SettingName[],
  options: MarkOptions = {},
): Promise<MarkedSetting[]> {
  const marked: MarkedSetting[] = [];
  for (const name of names.filter((one) => context.declares(setting(one).capability)))
    marked.push(await markSetting(context, name, options));
  return marked;
}

async function markSetting(
  context: CaseContext,
  name: SettingName,
  options: MarkOptions,
): Promise<MarkedSetting> {
  const { gateway, scratch } = context;
  const { what } = settingValues[name];
  const before = await readShown(context, name);
  scratch.undo(what, () => writeSetting(gateway, name, before.members));
  const seen = async (telling: readonly string[]): Promise<MarkedSetting> => ({
    name,
    what,
    scope: setting(name).resetScope,
    value: (await readShown(context, name)).members,
    telling,
    read: async () => (await readShown(context, name)).members,
    change: async (flags) =>
      seen(await writeOthers(context, name, flags === undefined ? options : { ...options, flags })),
  });
  return seen(await writeOthers(context, name, options));
}

/** Writes another value to every member; returns the telling ones among those written. */
async function writeOthers(
  context: CaseContext,
  name: SettingName,
  options: MarkOptions,
): Promise<readonly string[]> {
  const { gateway } = context;
  const { members, telling } = settingValues[name];
  const facts = await shownFacts(context, name);
  const { present } = facts;
  const files = await heldFiles(context, name);
  const attempts = options.isWide === true ? wideNumbers : usualNumbers;
  for (const [tried, numbers] of attempts.entries()) {
    let wanted: Members = { ...present };
    let turn = true;
    for (const [member, values] of Object.entries(members)) {
      if (values.kind === "flag") turn = !turn;
      const flags = options.flags === "by turns" ? turn : options.flags;
      const value =
        values.kind === "listener"
          ? await freePortFor(context, present, values.scheme)
          : otherValue(member, values, { ...facts, ...numbers, ...(flags === undefined ? {} : { flags }) });
      if (value !== undefined) wanted = withValue(wanted, member, value);
    }
    const answer = await writeSetting(gateway, name, { ...wanted, ...files }, markWriters[name]);
    // The greatest number that a gateway accepts is not stated, and a port may be taken by another listener.
    if (!answer.accepted && tried < attempts.length - 1) continue;
    answer.body();
    await diskShown(context, name, wanted);
    if (options.isAlone === true) await writeEachAlone(context, name);
    const hasFiles = Object.keys(files).length > 0;
    return telling.filter((member) => hasFiles || members[member]?.kind !== "file");
  }
  return telling;
}

/** Waits until the written disks are shown: a log may have to move first. Answers those that the first reading did not show. */
export async function diskShown(context: CaseContext, name: SettingName, wanted: Members): Promise<Members> {
  const { settleMs: deadlineMs } = context.profile.patience;
  const late: Record<string, unknown> = {};
  for (const [member, { kind }] of Object.entries(settingValues[name].members)) {
    if (kind !== "disk" || !Object.hasOwn(wanted, member)) continue;
    let readings = 0;
    const isShown = async (): Promise<true | undefined> => {
      readings += 1;
      return (await readShown(context, name)).members[member] === wanted[member] || undefined;
    };
    const isIt = await context
      .waitFor(`${member} to show the written disk`, isShown, { deadlineMs })
      .catch(() => false);
    if (isIt && readings > 1) late[member] = wanted[member];
  }
  return late;
}

async function writeEachAlone(context: CaseContext, name: SettingName): Promise<void> {
  const { gateway } = context;
  for (const [member, values] of Object.entries(settingValues[name].members)) {
    if (values.kind !== "number" && values.kind !== "word") continue;
    const value = otherValue(member, values, await shownFacts(context, name));
    const { write } = setting(name);
    if (value !== undefined)
      await gateway.admin.callInvalid(write, {
        json: settingBody(write, name, withValue({}, member, value)),
      });
  }
}

/** Files with their names, where the setting has some and sending them disturbs no connection of the harness. */
export async function heldFiles(context: CaseContext, name: SettingName): Promise<Members> {
  const { random } = context;
  const wanted = Object.values(settingValues[name].members).filter((values) => values.kind === "file");
  if (wanted.length === 0 || (name === "http-server" && !canMoveHttps(context))) return {};
  const own = `rp-${random.word(8)}`;
  const { certificatePem, keyPem } = await makeCertificate(context, `${own}.invalid`);
  return Object.fromEntries(
    wanted.flatMap(({ content, name: member }) => [
      [content, content === "key" ? keyPem : certificatePem],
      [member, `${own}-${content}.${content === "key" ? "key" : "crt"}`],
    ]),
  );
}

/** A free port for the listener that the harness does not use; undefined for the one in use. */
export async function freePortFor(
  context: CaseContext,
  present: Members,
  scheme: "http" | "https",
): Promise<number | undefined> {
  const isInUse = context.gateway.currentBaseUrl().startsWith(`${scheme}:`);
  // A listener that is off may be moved to any port; one that is on is moved where the profile permits it.
  const isOn = present[`${scheme}Enable`] === true;
  return isInUse || (isOn && !context.declares("listener-changes")) ? undefined : context.gateway.freePort();
}

/** Whether the certificate and the port of HTTPS may be changed without a loss of the harness's own connection. */
export function canMoveHttps({ gateway, declares }: CaseContext): boolean {
  return declares("listener-changes") && gateway.currentBaseUrl().startsWith("http:");
}

/** What a setting shows. */
export interface ShownSetting {
  readonly members: Members;
  /** Names of the disks that it lists, those with more free space first. */
  readonly disks: readonly string[];
  readonly answer: Answer;
}

/** Reads the setting. Unmet when it cannot be read. */
export async function readShown(context: CaseContext, name: SettingName): Promise<ShownSetting> {
  const answer = await answered(context, setting(name).read);
  const body = answer.body();
  const disks = valueAt(body, "data.disks");
  return {
    members: shownMembers(name, body) ?? {},
    disks: Array.isArray(disks)
      ? disks
          .toSorted((one, other) => Number(valueAt(other, "free")) - Number(valueAt(one, "free")))
          .map((disk) => String(valueAt(disk, "name")))
      : [],
    answer,
  };
}

/** What the choice of other values depends on, as the setting shows it now. */
export async function shownFacts(context: CaseContext, name: SettingName): Promise<ValueFacts> {
  const { clock, random } = context;
  const { members: present, disks } = await readShown(context, name);
  return { present, disks, integer: (min, max) => random.integer(min, max), epochMs: clock.epochMs() };
}

/** The answer to a reading; a gateway may restart its server after a change of certificates or ports. */
async function answered({ gateway, waitFor, profile }: CaseContext, operation: OperationId): Promise<Answer> {
  const read = (): Promise<Answer> => gateway.admin.callChecked(operation);
  const first = await read();
  if (first.status !== 0) return first;
  return waitFor(
    `an answer of ${operation}`,
    async () => {
      const answer = await read();
      return answer.status === 0 ? undefined : answer;
    },
    { deadlineMs: profile.patience.settleMs },
  );
}

/** A shorter text may stand in a file by chance. */
const shortestTelling = 5;

/** The telling values as texts by which a file that holds them is recognised. */
export function tellingTexts({ value, telling }: MarkedSetting): string[] {
  const texts = telling.map((member) => {
    const own = valueAt(value, member);
    return isCrontab(own) ? crontabOf(own) : String(own);
  });
  return texts.filter((text) => text.length >= shortestTelling);
}
