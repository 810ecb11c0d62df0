// Settings that one operation reads and another writes: their operations, members and reset scopes in one table.
import type { OperationId } from "../../interface/operations/index.ts";
import { operation } from "../../interface/operations/index.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Answer } from "../transport/answer.ts";
import { scheduleBody } from "./crontab.ts";

/** Members by name, as the interface lists them. */
export type Members = Readonly<Record<string, unknown>>;

interface SettingDefinition {
  readonly capability: CapabilityId;
  readonly read: OperationId;
  readonly write: OperationId;
  /** True where members that are not sent keep their values; otherwise all of them are sent. */
  readonly isPartial: boolean;
  /** Absent where the interface names none. */
  readonly resetScope?: ResetScope;
  /** Members that are neither compared nor restored, with the reason. */
  readonly volatile: Readonly<Record<string, string>>;
  /** Members that change with a file only, and are neither compared nor restored: why. */
  readonly files?: Readonly<Record<string, string>>;
  /** Members that are compared but cannot always be restored, with the reason. */
  readonly unrestored?: Readonly<Record<string, string>>;
  /** The body that writes the members back; default: those that the write lists, in the types that it takes. */
  readonly body?: (members: Members) => Members;
}

const usage = "the usage of disks changes without a request";
const file = "a file cannot be read back";
const key = "the key of a certificate cannot be read, and the former pair cannot be sent again";

const settings = {
  ssh: {
    capability: "ssh",
    read: "getSsh",
    write: "setSsh",
    isPartial: false,
    resetScope: "sshserver",
    volatile: {},
  },
  provision: {
    capability: "provision",
    read: "getProvision",
    write: "setProvision",
    isPartial: false,
    resetScope: "provision",
    volatile: {},
  },
  log: { capability: "log", read: "getLog", write: "setLog", isPartial: false, volatile: { disks: usage } },
  "event-configuration": {
    capability: "events",
    read: "getEventConfiguration",
    write: "setEventConfiguration",
    isPartial: false,
    resetScope: "eventlog",
    volatile: { disks: usage },
  },
  "upgrade-configuration": {
    capability: "upgrade",
    read: "getUpgradeConfiguration",
    write: "updateUpgradeConfiguration",
    isPartial: true,
    resetScope: "upgrade",
    volatile: { disks: usage },
    files: { caName: file, certFileName: file, keyFileName: file },
  },
  "reboot-schedule": {
    capability: "reboot",
    read: "getReboot",
    write: "setReboot",
    isPartial: false,
    resetScope: "reboot",
    volatile: {
      lastBootAt: "the time of the last boot cannot be set",
      nextTriggerAt: "it follows from the schedule and the clock",
    },
    unrestored: { at: "no operation clears a schedule: one that was never set is only disabled" },
    body: scheduleBody,
  },
  "http-server": {
    capability: "httpserver",
    read: "getHttpServer",
    write: "updateHttpServer",
    isPartial: true,
    resetScope: "httpserver",
    volatile: {},
    unrestored: { certFileName: key, keyFileName: key },
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

export function setting(name: SettingName): SettingDefinition {
  return settings[name];
}

/** What is compared and restored; undefined when it cannot be read. */
export async function readSetting(
  gateway: GatewayUnderTest,
  name: SettingName,
): Promise<Members | undefined> {
  const answer = await gateway.admin.callChecked(settings[name].read);
  return answer.accepted ? membersOf(name, answer.json) : undefined;
}

/** The members that are compared and restored in the body of an answer. */
export function membersOf(name: SettingName, body: unknown): Members | undefined {
  const { files = {} } = setting(name);
  const shown = shownMembers(name, body);
  return shown && pick(shown, (member) => !Object.hasOwn(files, member));
}

/** The members in the body of an answer, without volatile ones and those beyond the interface. */
export function shownMembers(name: SettingName, body: unknown): Members | undefined {
  const { read, volatile } = setting(name);
  const { answer } = operation(read);
  const data = objectOf(objectOf(answer === undefined ? body : keepListed(answer, body))?.["data"]);
  return data && pick(data, (member) => !Object.hasOwn(volatile, member));
}

/** Sends the members, in the form that the write takes; `by`: another operation that writes the setting. */
export function writeSetting(
  gateway: GatewayUnderTest,
  name: SettingName,
  members: Members,
  by: OperationId = settings[name].write,
): Promise<Answer> {
  return gateway.admin.callChecked(by, { json: settingBody(by, name, members) });
}

/** The body of an operation that writes the setting. */
export function settingBody(by: OperationId, name: SettingName, members: Members): Members {
  return by === settings[name].write ? bodyOf(name, members) : asWritten(by, members);
}

/**
 * Writes an earlier reading back. `present` limits a partial write to the members that differ. Answers undefined when
 * no member differs that can be written.
 */
export async function writeBack(
  gateway: GatewayUnderTest,
  name: SettingName,
  before: Members,
  present: Members | undefined,
): Promise<Answer | undefined> {
  const body = bodyOf(name, before);
  const now = present === undefined ? {} : bodyOf(name, present);
  const different = pick(body, (member) => !isSame(body[member], now[member]));
  if (Object.keys(different).length === 0) return undefined;
  const json = setting(name).isPartial ? different : body;
  return gateway.admin.callChecked(settings[name].write, { json });
}

/** Why members that still differ after a restore cannot be restored. */
export function unrestored(name: SettingName, before: Members, now: Members | undefined): string[] {
  const reasons = Object.entries(setting(name).unrestored ?? {});
  return [
    ...new Set(
      reasons.flatMap(([member, reason]) => (isSame(before[member], now?.[member]) ? [] : [reason])),
    ),
  ];
}

function bodyOf(name: SettingName, members: Members): Members {
  const { write, body } = setting(name);
  return body === undefined ? asWritten(write, members) : body(members);
}

/** The members that the request lists. Numbers become text where it takes text, as for desiredDiskCacheSizeMB. */
function asWritten(write: OperationId, members: Members): Members {
  const properties = propertiesOf(operation(write).json);
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, value]) => {
      const type = properties.get(member);
      if (type === undefined) return [];
      return [[member, type === "string" && typeof value === "number" ? String(value) : value]];
    }),
  );
}

/** Type of each property of an object's schema. */
function propertiesOf(schema: object | undefined): ReadonlyMap<string, unknown> {
  const properties = schema !== undefined && "properties" in schema ? schema.properties : undefined;
  if (typeof properties !== "object" || properties === null) return new Map();
  return new Map(
    Object.entries(properties).map(([member, inner]) => [
      member,
      typeof inner === "object" && inner !== null && "type" in inner ? inner.type : "any",
    ]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function pick(members: Members, isKept: (member: string) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([member]) => isKept(member)));
}

/** The `data` of an answer without members beyond the interface, which may differ at each reading. */
export function listedDataOf(answer: Answer): unknown {
  return objectOf(answer.listed)?.["data"];
}

export function objectOf(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}
