// Learns which permission each reading operation needs, by users of its own that have one permission each, or none.
import { defaultAuthorisation } from "../../interface/authorisation.ts";
import { publishedBinding } from "../../interface/binding.ts";
import { type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import type {
  DeclaredPermission,
  GatewayUnderTest,
  InvalidInputs,
  Scratch,
  Session,
} from "../../harness/index.ts";

export interface PermissionFindings {
  /** Operations whose permission differs from the default. */
  readonly differing: ReadonlyMap<OperationId, DeclaredPermission>;
  /** Operations that no user with a single permission may call. */
  readonly unknown: readonly OperationId[];
}

/** Reading operations that need no name; the export of a configuration and the log of events may be large. */
const readings: readonly OperationId[] = operationIds.filter((id) => {
  const { method, path } = publishedBinding[id];
  return method === "GET" && !path.includes("{") && id !== "exportConfiguration";
});

/** Reading operations that name something, each with the first of its kind; those without any are left out. */
async function namedReadings({ admin }: GatewayUnderTest): Promise<[OperationId, InvalidInputs][]> {
  const first = async <T>(list: () => Promise<{ data(): readonly T[] }>): Promise<T | undefined> =>
    list().then(
      (answer) => answer.data()[0],
      () => undefined,
    );
  const role = await first(() => admin.call("listRoles"));
  const user = await first(() => admin.call("listUsers"));
  const app = await first(() => admin.call("listApps"));
  const job = await first(() => admin.call("listUpgradeJobs"));
  const tag = await first(() => admin.call("listTags"));
  const calls: ([OperationId, InvalidInputs] | undefined)[] = [
    role && ["getRole", { path: { id: role.id } }],
    user && ["getUser", { path: { id: user.id } }],
    app && ["getApp", { path: { appname: app.name } }],
    job && ["getUpgradeJob", { path: { id: job.id } }],
    ...(tag === undefined ? [] : readingsOf(tag)),
  ];
  return calls.filter((call) => call !== undefined);
}

function readingsOf({
  prvdName: provider,
  srcName: source,
  tagName: tag,
}: Tag): [OperationId, InvalidInputs][] {
  return [
    ["monitorTags", { path: { provider, source }, query: { tags: tag } }],
    ["readTag", { path: { provider, source, tag } }],
  ];
}

/** Makes one role and one user for each permission and one without any, and calls as each of them. */
export async function tryPermissions(
  gateway: GatewayUnderTest,
  scratch: Scratch,
  permissions: readonly string[],
): Promise<PermissionFindings> {
  const differing = new Map<OperationId, DeclaredPermission>();
  const unknown: OperationId[] = [];
  const without = await (await scratch.user({ permissions: [] })).signIn();
  const holders: { permission: string; session: Session }[] = [];
  for (const permission of permissions)
    holders.push({
      permission,
      session: await (await scratch.user({ permissions: [permission] })).signIn(),
    });
  const calls = [
    ...readings.map((id): [OperationId, InvalidInputs] => [id, {}]),
    ...(await namedReadings(gateway)),
  ];
  for (const [id, inputs] of calls) {
    const found = await neededBy([id, inputs], gateway, without, holders);
    if (found === undefined) unknown.push(id);
    else if (found !== "not served" && String(found) !== defaultAuthorisation[id]) differing.set(id, found);
  }
  return { differing, unknown };
}

async function neededBy(
  [id, inputs]: readonly [OperationId, InvalidInputs],
  { admin, anonymous }: GatewayUnderTest,
  without: Session,
  holders: readonly { readonly permission: string; readonly session: Session }[],
): Promise<DeclaredPermission | "not served" | undefined> {
  const accepts = async (session: Session): Promise<boolean> =>
    (await session.callInvalid(id, inputs)).accepted;
  if (!(await accepts(admin))) return "not served";
  if (await accepts(anonymous)) return "none";
  if (await accepts(without)) return "signed-in";
  const sufficient: string[] = [];
  for (const { permission, session } of holders) if (await accepts(session)) sufficient.push(permission);
  return sufficient.length === 0 ? undefined : sufficient;
}
