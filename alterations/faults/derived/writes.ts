// Faults of operations that store: what their own answer shows, what else they change, and what they change in vain.
import { operation as operationOf, type OperationId } from "../../../interface/operations/index.ts";
import { Refusal } from "../../../reference-impl/base/refusal.ts";
import type { Call } from "../../../reference-impl/http/handler.ts";
import { assertInput } from "../../../reference-impl/http/inputs.ts";
import { at as valueAt, drop, type Fields, fields, put } from "../../mechanism/edits.ts";
import { changed } from "../../mechanism/operationAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived, inView, keyOf, thingsIn } from "./derivedFault.ts";
import { type Leaf, leavesOf, typeOf } from "./leaves.ts";
import { inputOf, type Place, places, type View, type Writer } from "./places.ts";

interface Stored {
  readonly place: Place;
  readonly writer: Writer;
  readonly member: string;
  readonly input: string;
  readonly requirement: string;
  readonly leaf: Leaf;
}

const stored: readonly Stored[] = places.flatMap((place) => {
  const [view] = place.views;
  if (view === undefined) return [];
  const leaves = leavesOf(view);
  return place.writers.flatMap((writer) =>
    Object.entries(writer.stores).flatMap(([member, requirement]) => {
      const leaf = leaves.find(({ path }) => path === member);
      return leaf === undefined
        ? []
        : [{ place, writer, member, input: inputOf(writer, member), requirement, leaf }];
    }),
  );
});

/** The writer's own answer shows the request, and the value is not stored. */
const echoed: readonly Fault[] = stored
  .filter(
    ({ writer, member, input }) => writer.at !== undefined && writer.does !== "create" && member === input,
  )
  .map(({ place, writer, member, requirement }) =>
    derived({
      operator: "echoed",
      place: `${writer.operation}.${member}`,
      requirement,
      also: [writer.shows],
      what: `${writer.operation} shows \`${member}\` as sent and does not store it.`,
      install: (at) =>
        at.around(writer.operation, async (call, proceed, ask) => {
          const wish = valueAt(call.body, member);
          const present = valueAt(await presentThing(ask, place, call), member);
          const body = wish === undefined ? call.body : put(call.body, member, present);
          const answer = await proceed(changed(call, { body }));
          if (wish === undefined || answer.kind !== "json") return answer;
          return { ...answer, body: put(answer.body, `data.${member}`, wish) };
        }),
    }),
  );

/** Members of new things whose default is another than the empty value. */
const hasAnotherDefault: ReadonlySet<string> = new Set([
  "isActive",
  "parameter.deleteFileAfterInstallComplete",
  "parameter.snapshot",
]);

/** false, 0 and the empty text are treated as absent. */
const falsyIgnored: readonly Fault[] = stored
  .filter(({ leaf }) => ["boolean", "integer", "string"].includes(typeOf(leaf)))
  // Whether an empty name of a file is stored, rejected or taken as absent is not stated.
  .filter(({ leaf }) => !/Port$|^port$|^name$|DiskName$|CacheSize|(ca|File)Name$/.test(leaf.path))
  .filter(({ writer, member }) => writer.does !== "create" || hasAnotherDefault.has(member))
  .map(({ writer, input, requirement, leaf }) =>
    derived({
      operator: "falsy-ignored",
      place: `${writer.operation}.${input}`,
      requirement,
      also: [writer.shows, ...(input === "timeToLiveSec" ? ["CORE-LOG-25"] : [])],
      what: `${writer.operation} ignores \`${input}\` when it is ${emptyOf(leaf)}.`,
      install: (at) => {
        at.lenient(writer.operation, "json", input.split(".")[0] ?? input);
        at.body(writer.operation, (body) => {
          const value = valueAt(body, input);
          const isFalsy = value === false || value === 0 || value === "";
          if (!isFalsy) return body;
          // A new thing has no former value: the opposite takes the place of one that is required.
          return value === false && writer.does === "create" && leaf.isRequired && input === "isActive"
            ? put(body, input, true)
            : drop(body, input);
        });
      },
    }),
  );

function emptyOf(leaf: Leaf): string {
  const type = typeOf(leaf);
  return type === "boolean" ? "false" : type === "integer" ? "0" : "empty";
}

/** The writer's own answer shows the previous values. */
const ownAnswerStale: readonly Fault[] = places.flatMap((place) =>
  place.writers
    .filter(({ at: path, does }) => path !== undefined && does !== "create")
    .map((writer) => {
      const [view = { operation: writer.operation, at: "data", shows: writer.shows }] = place.views;
      return derived({
        operator: "own-answer-stale",
        place: writer.operation,
        requirement: writer.shows,
        also: [...Object.values(writer.stores), ...(writer.keeps === undefined ? [] : [writer.keeps])],
        what: `${writer.operation} stores and answers with the previous values.`,
        install: (at) =>
          at.around(writer.operation, async (call, proceed, ask) => {
            const isOne = place.key.length > 0 && place.name !== "event-kind";
            const before = isOne ? await presentThing(ask, place, call) : await present(ask, view, call);
            const answer = await proceed(call);
            if (answer.kind !== "json" || before === undefined) return answer;
            const { remindToChangePassword: _reminder, ...thing } = before;
            return { ...answer, body: isOne ? { data: thing } : before };
          }),
      });
    }),
);

type Ask = Parameters<Parameters<Parameters<Fault["install"]>[0]["around"]>[1]>[2];

/** What the view really shows; undefined where it cannot be requested like this. */
async function present(ask: Ask, { operation }: View, call: Call): Promise<Fields | undefined> {
  try {
    const id = call.path["id"] ?? String(call.caller?.userId);
    const answer = await ask(operation, { path: { ...call.path, id } });
    return answer.kind === "json" ? fields(answer.body) : undefined;
  } catch {
    return undefined;
  }
}

/** The thing that a write names, as it is stored at present. */
async function presentThing(ask: Ask, place: Place, call: Call): Promise<Fields | undefined> {
  const isOwn = place.name === "user" && call.path["id"] === undefined;
  const view = place.views.find(({ operation }) => !isOwn || operation === "getCurrentUser");
  const body = view === undefined ? undefined : await present(ask, view, call);
  if (view === undefined || body === undefined) return undefined;
  return thingsIn(body, view).find(
    (thing) => place.name !== "tag" || place.key.every((name) => thing[name] === call.body[name]),
  );
}

/** A view shows what it showed before the last write of one writer. */
const staleViews: readonly Fault[] = places.flatMap((place) =>
  place.writers
    .filter(({ does }) => does !== "create")
    .flatMap((writer) =>
      place.views
        // A sign-in needs the password; the current user is another than the one whom an administrator updates.
        .filter(({ operation }) => operation !== "signIn")
        .filter(({ operation }) => operation !== "getCurrentUser" || writer.operation === "updateCurrentUser")
        .map((view) =>
          derived({
            operator: "stale",
            place: `${view.operation}-after-${writer.operation}`,
            requirement: view.shows,
            also: [
              ...Object.values(writer.stores),
              writer.shows,
              ...place.views.map(({ shows }) => shows),
              ...(place.name === "event-kind" ? ["CORE-EVENT-69"] : []),
            ],
            what: `After ${writer.operation}, ${view.operation} shows the previous values.`,
            install: (at) => {
              const before = new Map<string, Fields>();
              at.around(writer.operation, async (call, proceed, ask) => {
                const body = await present(ask, view, call);
                const answer = await proceed(call);
                for (const thing of body === undefined ? [] : thingsIn(body, view))
                  before.set(keyOf(place, thing), thing);
                return answer;
              });
              inView(at, view, (thing) => {
                const old = before.get(keyOf(place, thing));
                const members = place.name === "event-kind" ? ["enable"] : Object.keys(writer.stores);
                return old === undefined
                  ? thing
                  : members.reduce((whole, member) => put(whole, member, valueAt(old, member)), thing);
              });
            },
          }),
        ),
    ),
);

/** Another member of the same thing changes too. */
const siblingChanged: readonly Fault[] = stored.flatMap((one, index) => {
  const { writer, place, input, requirement } = one;
  const siblings = stored.filter(
    (other) => other.writer === writer && other.input !== input && canBeChanged(other.leaf),
  );
  const sibling = siblings[index % Math.max(1, siblings.length)];
  const [view] = place.views;
  if (writer.does === "create" || sibling === undefined || view === undefined) return [];
  return [
    derived({
      operator: "sibling-changed",
      place: `${writer.operation}.${input}`,
      requirement: writer.keeps ?? sibling.requirement,
      also: [requirement, sibling.requirement, writer.shows],
      what: `${writer.operation} with \`${input}\` changes \`${sibling.input}\` too.`,
      install: (at) =>
        at.around(writer.operation, async (call, proceed, ask) => {
          if (valueAt(call.body, input) === undefined) return proceed(call);
          const wish =
            valueAt(call.body, sibling.input) ??
            valueAt(await presentThing(ask, place, call), sibling.member);
          return proceed(changed(call, { body: put(call.body, sibling.input, other(wish)) }));
        }),
    }),
  ];
});

function canBeChanged(leaf: Leaf): boolean {
  return (
    ["boolean", "integer"].includes(typeOf(leaf)) &&
    !/enableSnapshot|enableClientAuth|isActive|CacheSize|^port$/.test(leaf.path)
  );
}

function other(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : value;
}

/** Members that are not sent are set to their empty values. */
const absentEmptied: readonly Fault[] = stored
  .filter(({ writer, leaf }) => writer.does === "part" && canBeChanged(leaf))
  .map(({ writer, input, requirement, leaf }) =>
    derived({
      operator: "absent-emptied",
      place: `${writer.operation}.${input}`,
      requirement: writer.keeps ?? requirement,
      also: [requirement],
      what: `${writer.operation} without \`${input}\` sets it to ${emptyOf(leaf)}.`,
      install: (at) =>
        at.body(writer.operation, (body) =>
          body[input] === undefined ? { ...body, [input]: typeOf(leaf) === "boolean" ? false : 0 } : body,
        ),
    }),
  );

/** Which of the request's members are wrong, and with what the rest of it would be accepted. */
const repairs: Readonly<Partial<Record<OperationId, Fields>>> = {
  addUser: { password: "a-long-password-1!", roles: [] },
  createRole: { permissions: [] },
  updateRole: { permissions: [] },
  createEvent: { severity: "info" },
  createVirtualTag: { dataSize: 0, dataUnit: "", access: "rw", dataType: "int32" },
  updateVirtualTag: { dataSize: 0, dataUnit: "", access: "rw" },
  setEventConfiguration: { reachThresholdPolicy: undefined, targetDiskName: undefined },
  setLog: { targetDiskName: undefined, enable: undefined },
  setProvision: { enable: undefined },
  updateUpgradeConfiguration: { enableSnapshot: undefined, targetDiskName: undefined, retryCount: undefined },
  setUpgradeConfiguration: { enableSnapshot: undefined, targetDiskName: undefined },
  setReboot: { at: undefined },
  setSsh: { enable: true },
  updateUser: { roles: undefined, expiredAfter: undefined },
  updateCurrentUser: { roles: undefined, expiredAfter: undefined },
};

/** Requirements on what a wrong input leaves. */
const whatIsLeft: Readonly<Partial<Record<OperationId, string>>> = {
  createEvent: "CORE-EVENT-39",
  setEventConfiguration: "CORE-EVENT-53",
  setLog: "CORE-LOG-26",
  setProvision: "CORE-PROVISION-12",
  updateUpgradeConfiguration: "CORE-UPGRADE-21",
};

const tagLimits = ["CORE-TAG-42", "CORE-TAG-44", "CORE-TAG-45", "CORE-TAG-46"];

/** A rejected request is applied in part. */
const rejectedAndApplied: readonly Fault[] = (Object.entries(repairs) as [OperationId, Fields][]).flatMap(
  ([operation, repair]) =>
    Object.entries(repair).map(([input, instead]) =>
      derived({
        operator: "rejected-and-applied",
        place: `${operation}.${input}`,
        requirement: whatIsLeft[operation] ?? "CORE-ROBUST-03",
        also: ["CORE-ROBUST-03", "CORE-GENERAL-10", "CORE-UPGRADE-19", "CORE-ROLE-23", ...tagLimits],
        what: `${operation} rejects a wrong \`${input}\` and stores the rest of the request.`,
        install: (at) => {
          at.lenient(operation, "json", input);
          const repaired = (call: Call): Call => changed(call, { body: { ...call.body, [input]: instead } });
          at.around(operation, async (call, proceed) => {
            try {
              const { json } = operationOf(operation);
              if (json !== undefined) assertInput("body", json, call.body);
              return await proceed(call);
            } catch (thrown) {
              if (thrown instanceof Refusal && thrown.message.startsWith(input))
                await proceed(repaired(call)).catch(() => undefined);
              throw thrown;
            }
          });
        },
      }),
    ),
);

export const writeFaults: readonly Fault[] = [
  ...echoed,
  ...falsyIgnored,
  ...ownAnswerStale,
  ...staleViews,
  ...siblingChanged,
  ...absentEmptied,
  ...rejectedAndApplied,
];
