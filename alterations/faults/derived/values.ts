// Faults of single values: a member is wrong in one of several answers, or is stored wrongly.
import { badInput } from "../../../reference-impl/base/refusal.ts";
import { at as valueAt, drop, put } from "../../mechanism/edits.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived, edited, inView } from "./derivedFault.ts";
import { type Leaf, leavesOf, typeOf } from "./leaves.ts";
import { mistakes } from "./mistakes.ts";
import { isStored, shows } from "./samples.ts";
import { inputOf, ownViews, type Place, places, storedMembers, storing, type View } from "./places.ts";

/** Members that are lists of things elsewhere, or that name the thing. */
const isCompared = (place: Place, { path }: Leaf): boolean =>
  path !== "id" && (storedMembers(place).includes(path) || ["users", "permissions", "roles"].includes(path));

/** Only an active user signs in or reads its own record: these show no other value. */
const isAlwaysTrue = ({ operation }: View, { path }: Leaf): boolean =>
  path === "isActive" && (operation === "signIn" || operation === "getCurrentUser");

function allViews(place: Place): View[] {
  return [...place.views, ...ownViews(place)];
}

/** A new role has no users. */
const isAlwaysEmpty = ({ operation }: View, { path }: Leaf): boolean =>
  path === "users" && operation === "createRole";

/** A value is shown wrongly in one view, and rightly in the others. */
const wronglyShown: readonly Fault[] = places.flatMap((place) =>
  allViews(place).flatMap((view) =>
    leavesOf(view)
      .filter((leaf) => isCompared(place, leaf) && !isAlwaysEmpty(view, leaf))
      .flatMap((leaf) =>
        mistakes
          .filter((mistake) => shows(mistake, place, leaf))
          .filter(({ id }) => id !== "always-true" || !isAlwaysTrue(view, leaf))
          .map(({ id, as, edit }) =>
            derived({
              operator: `shown-${id}`,
              place: `${view.operation}.${leaf.path}`,
              requirement: view.shows,
              also: [
                ...(leaf.requirement === undefined ? [] : [leaf.requirement]),
                ...storing(place, leaf.path),
                ...place.views.map(({ shows }) => shows),
                ...place.writers.flatMap(({ operation, keeps }) =>
                  operation === view.operation && keeps !== undefined ? [keeps] : [],
                ),
                ...follows(leaf),
                ...(place.name === "tag" ? ["CORE-TAG-21", "CORE-TAG-28"] : []),
              ],
              operation: view.operation,
              what: `${view.operation} shows \`${leaf.path}\` ${as}.`,
              install: (at) => inView(at, view, (thing) => edited(thing, leaf.path, edit)),
            }),
          ),
      ),
  ),
);

/** Requirements about members that follow from other things. */
function follows({ path }: Leaf): string[] {
  if (path === "timeToLiveSec") return ["CORE-LOG-25"];
  if (path === "users") return ["CORE-ROLE-11"];
  return path === "permissions" ? ["CORE-USER-57"] : [];
}

/** Some integers are sent as texts. */
function asSent(edit: (value: unknown) => unknown, leaf: Leaf): (value: unknown) => unknown {
  return (value) =>
    typeOf(leaf) === "integer" && typeof value === "string" ? String(edit(Number(value))) : edit(value);
}

/** A value is stored wrongly by one writer. */
const wronglyStored: readonly Fault[] = places.flatMap((place) =>
  place.writers.flatMap((writer) => {
    const [view] = [...ownViews({ ...place, writers: [writer] }), ...place.views];
    const leaves = view === undefined ? [] : leavesOf(view);
    return Object.entries(writer.stores).flatMap(([member, requirement]) => {
      const leaf = leaves.find(({ path }) => path === member);
      if (leaf === undefined) return [];
      const input = inputOf(writer, member);
      return mistakes
        .filter((mistake) => isStored(mistake, place, leaf))
        .map(({ id, as, edit }) =>
          derived({
            operator: `stored-${id}`,
            place: `${writer.operation}.${input}`,
            requirement,
            also: [writer.shows, ...(leaf.requirement === undefined ? [] : [leaf.requirement])],
            operation: writer.operation,
            what: `${writer.operation} stores \`${input}\` ${as}.`,
            install: (at) =>
              at.body(writer.operation, (body) =>
                valueAt(body, input) === undefined ? body : edited(body, input, asSent(edit, leaf)),
              ),
          }),
        );
    });
  }),
);

/** Members that are empty on some gateway, and that are not null by the interface. */
const canBeEmpty: ReadonlySet<string> = new Set([
  "description",
  "permissions",
  "roles",
  "users",
  "message",
  "user",
  "userOrigin",
  "lastState",
  "tasks",
  "dataUnit",
  "caName",
]);

/** A member is missing, or null where it is empty, in one view. */
const absentInOne: readonly Fault[] = places.flatMap((place) =>
  allViews(place).flatMap((view) =>
    leavesOf(view)
      .filter(({ isRequired }) => isRequired)
      .flatMap((leaf) => {
        const common = {
          place: `${view.operation}.${leaf.path}`,
          requirement: leaf.requirement ?? view.shows,
          also: [view.shows],
          operation: view.operation,
          subtlety: "crude" as const,
        };
        const type = typeOf(leaf);
        return [
          ...(type === "any"
            ? []
            : [
                derived({
                  ...common,
                  operator: "missing",
                  what: `${view.operation} omits \`${leaf.path}\`.`,
                  install: (at) => inView(at, view, (thing) => drop(thing, leaf.path)),
                }),
              ]),
          ...(canBeEmpty.has(leaf.path)
            ? [
                derived({
                  ...common,
                  operator: "null-for-empty",
                  what: `${view.operation} shows null for an empty \`${leaf.path}\`.`,
                  install: (at) => inView(at, view, (thing) => edited(thing, leaf.path, nullIfEmpty)),
                }),
              ]
            : []),
        ];
      }),
  ),
);

function nullIfEmpty(value: unknown): unknown {
  return value === "" || (Array.isArray(value) && value.length === 0) ? null : value;
}

/** Members that are easily exchanged. */
const pairs: readonly (readonly [string, string])[] = [
  ["httpPort", "httpsPort"],
  ["httpEnable", "httpsEnable"],
  ["certFileName", "keyFileName"],
  ["caName", "certFileName"],
  ["enable", "schedule.enable"],
  ["enable", "enableTimeToLiveSec"],
  ["retryCount", "retryInterval"],
  ["allowOverCellular", "enableSnapshot"],
  ["name", "description"],
  ["category", "event"],
  ["event", "message"],
  ["user", "userOrigin"],
  ["user", "origin"],
  ["parameter.download", "parameter.install"],
  ["parameter.deleteFileAfterInstallComplete", "parameter.install"],
  ["prvdName", "srcName"],
];

const exchanged: readonly Fault[] = places.flatMap((place) =>
  allViews(place).flatMap((view) => {
    const paths = new Set(leavesOf(view).map(({ path }) => path));
    return pairs
      .filter(([one, other]) => paths.has(one) && paths.has(other))
      .map(([one, other]) =>
        derived({
          operator: "exchanged",
          place: `${view.operation}.${one}+${other}`,
          requirement: view.shows,
          also: [
            ...storing(place, one),
            ...storing(place, other),
            ...place.views.map(({ shows }) => shows),
            ...(view.operation === "listTags" || place.name === "tag" ? ["CORE-TAG-09", "CORE-TAG-01"] : []),
          ],
          operation: view.operation,
          what: `${view.operation} shows \`${one}\` and \`${other}\` exchanged.`,
          install: (at) =>
            inView(at, view, (thing) =>
              put(put(thing, one, valueAt(thing, other)), other, valueAt(thing, one)),
            ),
        }),
      );
  }),
);

/** Times that some clients send and that are RFC 3339. */
const times: readonly {
  readonly id: string;
  readonly is: string;
  readonly fits: (time: string) => boolean;
}[] = [
  { id: "fraction-rejected", is: "with a fraction of a second", fits: (time) => /\.\d/.test(time) },
  { id: "offset-rejected", is: "with an offset", fits: (time) => /[+-]\d\d:\d\d$/.test(time) },
  { id: "after-2038-rejected", is: "after 2038", fits: (time) => Date.parse(time) > 2_147_483_647_000 },
  { id: "leap-day-rejected", is: "on 29 February", fits: (time) => time.includes("-02-29T") },
];

const timeInputs: readonly (readonly [
  operation: "addUser" | "updateUser" | "updateCurrentUser" | "createEvent" | "setReboot",
  input: string,
  requirement: string,
])[] = [
  ["addUser", "expiredAfter", "CORE-USER-21"],
  ["updateUser", "expiredAfter", "CORE-USER-36"],
  ["updateCurrentUser", "expiredAfter", "CORE-USER-50"],
  ["createEvent", "createdAt", "CORE-EVENT-36"],
  ["setReboot", "at", "CORE-REBOOT-16"],
];

const rejectedTimes: readonly Fault[] = timeInputs.flatMap(([operation, input, requirement]) =>
  times
    // How long a gateway counts the time to a reboot, and whether it takes an event of the future, is not stated.
    .filter(({ id }) => !["setReboot", "createEvent"].includes(operation) || id !== "after-2038-rejected")
    .map(({ id, is, fits }) =>
      derived({
        operator: id,
        place: `${operation}.${input}`,
        requirement,
        also: operation === "updateUser" ? ["CORE-USER-40", "CORE-USER-41"] : [],
        operation,
        what: `${operation} rejects a time ${is} in \`${input}\`.`,
        install: (at) =>
          at.around(operation, (call, proceed) => {
            const value = call.body[input];
            if (typeof value === "string" && /^\d{4}-/.test(value) && fits(value))
              throw badInput(`${input}: expected a date-time`);
            return proceed(call);
          }),
      }),
    ),
);

/** Crontab expressions beyond single values. */
const crontabs: readonly { readonly id: string; readonly is: string; readonly pattern: RegExp }[] = [
  { id: "list", is: "with a list", pattern: /\d,\d/ },
  { id: "range", is: "with a range", pattern: /\d-\d/ },
  { id: "step", is: "with a step", pattern: /\/\d/ },
  { id: "day-31", is: "for day 29, 30 or 31", pattern: /^\S+ \S+ (?:29|30|31) / },
  { id: "day-of-week", is: "for a day of the week", pattern: /\s\d$/ },
];

const rejectedCrontabs: readonly Fault[] = crontabs.map(({ id, is, pattern }) =>
  derived({
    operator: `crontab-${id}-rejected`,
    place: "setReboot.at",
    requirement: "CORE-REBOOT-14",
    also: ["CORE-REBOOT-15"],
    operation: "setReboot",
    what: `setReboot rejects a crontab expression ${is}.`,
    install: (at) =>
      at.around("setReboot", (call, proceed) => {
        const { at: value } = call.body;
        if (typeof value === "string" && value.split(" ").length === 5 && pattern.test(value))
          throw badInput("at: expected a crontab expression");
        return proceed(call);
      }),
  }),
);

export const valueFaults: readonly Fault[] = [
  ...wronglyShown,
  ...wronglyStored,
  ...absentInOne,
  ...exchanged,
  ...rejectedTimes,
  ...rejectedCrontabs,
];
