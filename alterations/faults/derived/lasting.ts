// Faults of what lasts: values that a reboot loses, and resets that reach too far or not far enough.
import type { ResetScope } from "../../../interface/resources/reboot.ts";
import type { Store } from "../../../reference-impl/store/store.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

/** Stored documents with the defaults of their members, by the place that faults name. */
const documents: readonly {
  readonly place: string;
  readonly setting: string;
  readonly requirement: string;
  readonly also: readonly string[];
  readonly defaults: Readonly<Record<string, unknown>>;
}[] = [
  {
    place: "log",
    setting: "log",
    requirement: "CORE-LOG-28",
    also: ["CORE-POWER-03"],
    defaults: { desiredDiskCacheSizeMB: 64, enable: true, enableTimeToLiveSec: false, timeToLiveSec: 0 },
  },
  {
    place: "event-configuration",
    setting: "events",
    requirement: "CORE-EVENT-77",
    also: ["CORE-POWER-03", "CORE-EVENT-47", "CORE-CONFIG-32"],
    defaults: {
      desiredDiskCacheSizeMB: 64,
      enable: true,
      enableTimeToLiveSec: false,
      timeToLiveSec: 0,
      reachThresholdPolicy: "rotate",
    },
  },
  {
    place: "ssh",
    setting: "ssh",
    requirement: "CORE-SERVICE-30",
    also: ["CORE-POWER-03"],
    defaults: { enable: false, port: 22 },
  },
  {
    place: "provision",
    setting: "provision",
    requirement: "CORE-PROVISION-11",
    also: ["CORE-POWER-03"],
    defaults: {
      "configuration.enable": false,
      "configuration.schedule.enable": false,
      "configuration.schedule.disableAfterSec": 900,
    },
  },
  {
    place: "upgrade-configuration",
    setting: "upgrade",
    requirement: "CORE-UPGRADE-71",
    also: ["CORE-POWER-03", "CORE-UPGRADE-12", "CORE-UPGRADE-16"],
    defaults: {
      allowOverCellular: false,
      enableSnapshot: false,
      retryCount: 3,
      retryInterval: 5,
      certFileName: "",
      keyFileName: "",
      caName: "",
    },
  },
  {
    place: "reboot-schedule",
    setting: "reboot",
    requirement: "CORE-REBOOT-19",
    also: ["CORE-POWER-03"],
    defaults: { enableScheduler: false, cron: null },
  },
  {
    place: "http-server",
    setting: "httpserver",
    requirement: "CORE-HTTP-24",
    also: ["CORE-POWER-03", "CORE-HTTP-07"],
    defaults: { certFileName: "default.crt", keyFileName: "default.key" },
  },
];

/** Members whose values may need more than 16 bits. */
const wideMembers: Readonly<Record<string, readonly string[]>> = {
  log: ["timeToLiveSec"],
  "event-configuration": ["timeToLiveSec"],
  provision: ["configuration.schedule.disableAfterSec"],
  "upgrade-configuration": ["retryCount", "retryInterval"],
};

/** Statement that loses two characters beyond ASCII. */
const withoutAccents = (table: string, column: string): string =>
  `UPDATE ${table} SET ${column} = replace(replace(${column}, 'é', '?'), '説', '?')`;

/** Members in tables, with the statement that loses them. */
const tables: readonly {
  readonly place: string;
  readonly table: string;
  readonly sql: string;
  readonly requirement: string;
  readonly also: readonly string[];
}[] = [
  row("user.email", "user", "UPDATE user SET email = NULL", "CORE-USER-20"),
  row("user.isActive", "user", "UPDATE user SET is_active = 1", "CORE-USER-20"),
  row("user.expiredAfter", "user", "UPDATE user SET expired_after = NULL WHERE id > 1", "CORE-USER-20"),
  row("user.roles", "user_role", "DELETE FROM user_role WHERE user_id > 1", "CORE-USER-20"),
  row("user.loginAt", "user", "UPDATE user SET login_at = '0001-01-01T00:00:00Z'", "CORE-USER-09"),
  row("user.createdAt", "user", "UPDATE user SET created_at = '2020-01-01T00:00:00Z'", "CORE-USER-09"),
  row("user.email-beyond-ascii", "user", withoutAccents("user", "email"), "CORE-USER-20"),
  row("role.description-beyond-ascii", "role", withoutAccents("role", "description"), "CORE-ROLE-18"),
  row("event.message-beyond-ascii", "event", withoutAccents("event", "message"), "CORE-EVENT-33"),
  row("role.description", "role", "UPDATE role SET description = '' WHERE id > 1", "CORE-ROLE-18"),
  row("role.permissions", "role", "UPDATE role SET permissions = '[]' WHERE id > 1", "CORE-ROLE-18"),
  row(
    "event-kind.enable",
    "setting",
    "UPDATE setting SET value = '{}' WHERE name = 'event-kinds'",
    "CORE-EVENT-78",
  ),
  row("event.message", "event", "UPDATE event SET message = ''", "CORE-EVENT-33"),
  row(
    "event.message-of-4-KiB",
    "event",
    "DELETE FROM event WHERE id >= (SELECT min(id) FROM event WHERE length(message) > 3900)",
    "CORE-EVENT-33",
  ),
  row("event.user", "event", "UPDATE event SET user = ''", "CORE-EVENT-33"),
  row("event.severity", "event", "UPDATE event SET severity = 'info'", "CORE-EVENT-33"),
  row(
    "tag.dataUnit",
    "virtual_tag",
    "UPDATE virtual_tag SET tag = json_set(tag, '$.dataUnit', '')",
    "CORE-TAG-27",
  ),
  row(
    "tag.dataSize",
    "virtual_tag",
    "UPDATE virtual_tag SET tag = json_set(tag, '$.dataSize', 0)",
    "CORE-TAG-27",
  ),
  row(
    "tag.access",
    "virtual_tag",
    "UPDATE virtual_tag SET tag = json_set(tag, '$.access', 'rw')",
    "CORE-TAG-27",
  ),
];

function row(place: string, table: string, sql: string, requirement: string): (typeof tables)[number] {
  return {
    place,
    table,
    sql,
    requirement,
    also: [
      "CORE-POWER-03",
      "CORE-POWER-04",
      "CORE-POWER-06",
      "CORE-POWER-02",
      // Created things are compared after a reboot under the requirements that they are stored.
      "CORE-USER-20",
      "CORE-ROLE-18",
      "CORE-EVENT-33",
      "CORE-TAG-27",
    ],
  };
}

function onTable(store: Store, table: string, sql: string): void {
  if (store.get("SELECT 1 FROM sqlite_master WHERE name = ?", table) !== undefined) store.run(sql);
}

const lostAtBoot: readonly Fault[] = [
  ...documents.flatMap(({ place, setting, requirement, also, defaults }) =>
    Object.entries(defaults).map(([member, value]) =>
      derived({
        operator: "lost-at-reboot",
        place: `${place}.${member}`,
        requirement,
        also,
        what: `A reboot resets \`${member}\` of the ${place.replaceAll("-", " ")} to its default.`,
        install: (at) =>
          at.boot((store) => {
            store.run(
              `UPDATE setting SET value = json_set(value, '$.${member}', json(?)) WHERE name = ?`,
              JSON.stringify(value),
              setting,
            );
          }),
      }),
    ),
  ),
  ...documents.flatMap(({ place, setting, requirement, also }) =>
    (wideMembers[place] ?? []).map((member) =>
      derived({
        operator: "narrowed-at-reboot",
        place: `${place}.${member}`,
        requirement,
        also,
        what: `A reboot keeps 16 bits of \`${member}\` of the ${place.replaceAll("-", " ")}.`,
        install: (at) =>
          at.boot((store) => {
            store.run(
              `UPDATE setting SET value = json_set(value, '$.${member}', json_extract(value, '$.${member}') & 65535)
               WHERE name = ? AND json_type(value, '$.${member}') = 'integer'`,
              setting,
            );
          }),
      }),
    ),
  ),
  ...tables.map(({ place, table, sql, requirement, also }) =>
    derived({
      operator: "lost-at-reboot",
      place,
      requirement,
      also,
      what: `A reboot loses \`${place}\`.`,
      install: (at) => at.boot((store) => onTable(store, table, sql)),
    }),
  ),
];

/** Columns that updates change, with the requirement that an update stores them. */
const updatedColumns = [
  { create: "createRole", table: "role", key: "id", column: "description", requirement: "CORE-ROLE-27" },
  { create: "addUser", table: "user", key: "id", column: "password_hash", requirement: "CORE-USER-43" },
  { create: "createVirtualTag", table: "virtual_tag", key: "key", column: "tag", requirement: "CORE-TAG-28" },
] as const;

/** Only the creation was written to the disk: a reboot returns to the first value. */
const updateLostAtBoot: readonly Fault[] = updatedColumns.map(({ create, table, key, column, requirement }) =>
  derived({
    operator: "update-lost-at-reboot",
    place: `${table}.${column}`,
    requirement,
    also: ["CORE-USER-20", "CORE-ROLE-18", "CORE-TAG-27", "CORE-POWER-03", "CORE-POWER-04", "CORE-POWER-06"],
    what: `A reboot loses updates of \`${column}\` of the ${table.replaceAll("_", " ")}.`,
    install(at) {
      const first = `first_${table}`;
      let stored: Store | undefined;
      at.boot((store) => {
        stored = store;
        const value = `SELECT value FROM ${first} WHERE ${first}.key = ${table}.${key}`;
        onTable(store, first, `UPDATE ${table} SET ${column} = coalesce((${value}), ${column})`);
      });
      // The tables of the gateway are made after this step of its first boot.
      at.around(create, (call, proceed) => {
        stored?.run(`CREATE TABLE IF NOT EXISTS ${first} (key TEXT PRIMARY KEY, value TEXT NOT NULL)`);
        stored?.run(
          `CREATE TRIGGER IF NOT EXISTS keep_${table} AFTER INSERT ON ${table} BEGIN
               INSERT OR IGNORE INTO ${first} VALUES (new.${key}, new.${column}); END`,
        );
        return proceed(call);
      });
    },
  }),
);

/** Scopes whose settings other operations show. */
const shownScopes: readonly ResetScope[] = [
  "eventlog",
  "httpserver",
  "job",
  "provision",
  "reboot",
  "sshserver",
  "upgrade",
  "account",
  "journald",
];
/** Scopes that a reset names. */
const namedScopes: readonly ResetScope[] = [
  ...shownScopes.filter((scope) => scope !== "account" && scope !== "httpserver"),
  "appdata",
  "discovery",
  "serialconsole",
];

/** What the data of an app does not contain. */
const besideApps: readonly ResetScope[] = ["account", "provision", "reboot", "sshserver"];
/** Which of the scopes `job` and `upgrade` contains upgrade jobs is not stated, nor that `job` contains anything else. */
const openScope: ResetScope = "job";

const resetFaults: readonly Fault[] = [
  ...namedScopes.flatMap((named) =>
    shownScopes
      .filter(
        (reached) =>
          reached !== named &&
          (named !== "appdata" || besideApps.includes(reached)) &&
          !(named === "upgrade" && reached === openScope),
      )
      .map((reached) =>
        derived({
          operator: "reset-reaches",
          place: `${named}-${reached}`,
          requirement: "CORE-REBOOT-32",
          what: `A reset with the scope ${named} resets ${reached} too.`,
          install: (at) =>
            at.resetPart((part) =>
              part.scopes.includes(reached) ? { ...part, scopes: [...part.scopes, named] } : part,
            ),
        }),
      ),
  ),
  ...shownScopes
    .filter((scope) => scope !== openScope)
    .map((scope) =>
      derived({
        operator: "reset-spares",
        place: scope,
        requirement: "CORE-REBOOT-31",
        also: ["CORE-REBOOT-33", "CORE-REBOOT-39"],
        what: `No reset resets ${scope}.`,
        install: (at) =>
          at.resetPart((part) => (part.scopes.includes(scope) ? { ...part, reset: () => undefined } : part)),
      }),
    ),
];

export const lastingFaults: readonly Fault[] = [...lostAtBoot, ...updateLostAtBoot, ...resetFaults];
