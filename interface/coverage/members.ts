// Cells of the members of answers: their type, and how their values come about.
import { operation, type OperationId, operationIds } from "../operations/index.ts";
import { type Cell, cell, notObservable, notStated } from "./cell.ts";
import { type SchemaLeaf, schemaLeaves } from "./leaves.ts";
import { coveredThings, type CoveredThing, storedPath, type ThingView } from "./things.ts";

/** Members of an operation's answer by their paths. */
export function answerLeaves(id: OperationId): SchemaLeaf[] {
  return schemaLeaves(operation(id).answer);
}

/** Paths of the thing's members in a view, relative to the thing. */
function viewMembers({ operation: id, at }: ThingView): string[] {
  const paths = answerLeaves(id).map(({ path }) => path);
  return at === undefined
    ? paths
    : paths.flatMap((path) => (path.startsWith(`${at}.`) ? [path.slice(at.length + 1)] : []));
}

/** Parameters of a write by the path of the member that stores them. */
export function storedBy(thing: CoveredThing, writer: OperationId): Map<string, string> {
  const { json, form } = operation(writer);
  const parameters = [...schemaLeaves(json), ...schemaLeaves(form)].map(({ path }) => path);
  // The first form of a parameter stands for all of them, such as a role as a number for one as an object.
  return new Map(parameters.toReversed().map((parameter) => [storedPath(thing, parameter), parameter]));
}

/** Where a write's own answer shows the thing. */
export function echoOf(thing: CoveredThing, writer: OperationId): ThingView {
  const at = thing.views[0]?.at;
  return { operation: writer, ...(at === undefined ? {} : { at }) };
}

export function memberSubject(view: ThingView, member: string): string {
  return `${view.operation}.${view.at === undefined ? "" : `${view.at}.`}${member}`;
}

/** Members that a change of another member must leave unchanged: those that any write of the thing stores. */
function writtenMembers(thing: CoveredThing): string[] {
  const stored = new Set(thing.writers.flatMap((writer) => [...storedBy(thing, writer).keys()]));
  const [first] = thing.views;
  return first === undefined
    ? []
    : viewMembers(first).filter(
        (member) => stored.has(member) && member !== thing.key && thing.notStored?.[member] === undefined,
      );
}

export const memberCells: readonly Cell[] = [
  ...operationIds.flatMap(typeCells),
  ...coveredThings.flatMap(valueCells),
];

function typeCells(id: OperationId): Cell[] {
  const { group } = operation(id);
  return answerLeaves(id).flatMap(({ path, isNullable }) =>
    (isNullable ? ["type", "type:not-null"] : ["type"]).map((aspect) =>
      cell({
        kind: "member",
        subject: `${id}.${path}`,
        aspect,
        group,
        operations: [id],
        place: `answer of ${id}`,
        ...reasonNotShown(id, path, aspect),
      }),
    ),
  );
}

/** Members that an answer cannot be made to show with a value. */
function reasonNotShown(id: OperationId, path: string, aspect: string): object {
  if (id === "applyConfiguration" && path.startsWith("diff."))
    return notObservable("`diff` is null in the answer");
  if (id === "createRole" && path.startsWith("users.")) return notObservable("a new role has no users");
  if (id === "createUpgradeJob" && path === "tasks.speed")
    return notObservable("a new job has no started task");
  if (aspect !== "type:not-null") return {};
  if (id === "createUpgradeJob" && /(startedAt|completedAt|triggerdAt)$/.test(path))
    return notObservable("a new job has not started");
  if (id === "addUser" && path === "changedPasswordAt")
    return notStated("the interface does not say whether a first password counts as changed");
  if (id === "operateUpgradeJob" && path === "tasks.completedAt")
    return notStated("the interface states no action on a job with completed tasks");
  return /(pendingAt|nextTriggerAt|parameter\.(?:id|at)|^at)$/.test(path)
    ? notStated("the interface does not say when the member has a value")
    : {};
}

function valueCells(thing: CoveredThing): Cell[] {
  return [
    ...thing.writers.flatMap((writer) => afterWriteCells(thing, writer)),
    ...thing.writers.flatMap((writer) => unchangedCells(thing, writer)),
    ...lastingCells(thing),
  ];
}

function afterWriteCells(thing: CoveredThing, writer: OperationId): Cell[] {
  const stored = storedBy(thing, writer);
  const echoes = thing.echoes === false ? [] : [echoOf(thing, writer)];
  return [...thing.views, ...echoes].flatMap((view) =>
    viewMembers(view)
      .filter((member) => stored.has(member) && !isKeyOfWrite(thing, member, writer))
      .map((member) =>
        cell({
          kind: "member",
          subject: memberSubject(view, member),
          aspect: `after-write:${writer}`,
          group: thing.group,
          operations: [view.operation, writer],
          place: `${writer} stores ${member} of the ${thing.name}`,
          ...reasonNotStored(thing, member),
          ...reasonNotReadable(view, member, writer),
        }),
      ),
  );
}

/** The id in a path or body names the thing; a name that the caller chooses is a value like any other. */
function isKeyOfWrite(thing: CoveredThing, member: string, writer: OperationId): boolean {
  return (member === thing.key && member === "id") || thing.names?.[writer]?.includes(member) === true;
}

/** A user who deactivated their own record can neither sign in nor read it. */
function reasonNotReadable({ operation: id }: ThingView, member: string, writer: OperationId): object {
  const isOwn = id === "getCurrentUser" || id === "signIn";
  return member === "isActive" && writer === "updateCurrentUser" && isOwn
    ? notObservable("a user who is not active cannot read their own record")
    : {};
}

function reasonNotStored(thing: CoveredThing, member: string): object {
  const reason = thing.notStored?.[member];
  return reason === undefined ? {} : notStated(reason);
}

function unchangedCells(thing: CoveredThing, writer: OperationId): Cell[] {
  const [view] = thing.views;
  if (view === undefined || thing.name === "tag-value" || thing.name === "event") return [];
  const stored = storedBy(thing, writer);
  const isCreation = writer.startsWith("create") || writer.startsWith("add");
  const written = writtenMembers(thing);
  const others = written.length > 1 && !isCreation ? written : [];
  const beside = others
    // A member that alone can be written has no sibling whose write could change it.
    .filter((member) => [...stored.keys()].some((one) => one !== member && written.includes(one)))
    .map((member) =>
      cell({
        kind: "member",
        subject: memberSubject(view, member),
        aspect: `unchanged-by:${writer}`,
        group: thing.group,
        operations: [view.operation, writer],
        place: `${writer} of another member leaves ${member} unchanged`,
        ...(writer === "setHttpServer" && isFileName(member)
          ? notStated("the form names a file only together with its content")
          : {}),
      }),
    );
  if (thing.key === undefined) return beside;
  const ofOthers = cell({
    kind: "member",
    subject: `${view.operation}.*`,
    aspect: `unchanged-in-others:${writer}`,
    group: thing.group,
    operations: [view.operation, writer],
    place: `${writer} of one ${thing.name} leaves the others unchanged`,
  });
  return [...beside, ofOthers];
}

/** A member that shows the name of a certificate or key. */
function isFileName(member: string): boolean {
  return /^(?:ca|cert|key)(?:File)?Name$/.test(member);
}

function lastingCells(thing: CoveredThing): Cell[] {
  const [view] = thing.views;
  if (view === undefined) return [];
  return writtenMembers(thing).flatMap((member) => {
    const one = (
      aspect: string,
      operations: readonly OperationId[],
      place: string,
      extra: object = {},
    ): Cell =>
      cell({
        kind: "member",
        subject: memberSubject(view, member),
        aspect,
        group: thing.group,
        operations: [view.operation, ...operations],
        place,
        ...extra,
      });
    const cells: Cell[] = [];
    if (thing.persists !== undefined) cells.push(one("after-reboot", [], thing.persists));
    if (thing.isSetting !== true) return cells;
    const isListener = thing.name === "http-server" && /Port$|Enable$/.test(member);
    const network = isListener
      ? notObservable("the default listeners need not be the one by which the harness reaches the gateway")
      : {};
    const listener = isListener
      ? notObservable("the harness reaches the gateway by a listener, which it does not move before a reset")
      : {};
    if (thing.resetScope !== undefined)
      cells.push(one(`after-reset:${thing.resetScope}`, ["resetToDefault"], "CORE-REBOOT-31", network));
    cells.push(
      one("after-reset:all", ["resetToDefault"], "CORE-REBOOT-33", network),
      one("after-reset:other", ["resetToDefault"], "CORE-REBOOT-32", listener),
      one(
        "after-apply",
        ["exportConfiguration", "applyConfiguration"],
        "CORE-CONFIG: applied configuration",
        isFileName(member)
          ? notStated("the interface does not show whether an export holds certificates and keys")
          : network,
      ),
    );
    return cells;
  });
}
