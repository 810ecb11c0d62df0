// Learns which permission each reading operation needs, by users of its own that have one permission each, or none.
import {
  type Authorisation,
  authorisationText,
  defaultAuthorisation,
} from "../../interface/authorisation.ts";
import { publishedBinding } from "../../interface/binding.ts";
import { type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import type { GatewayUnderTest, InvalidInputs, Scratch, Session } from "../../harness/index.ts";

export interface PermissionFindings {
  /** Operations whose permission differs from the default. */
  readonly differing: ReadonlyMap<OperationId, Authorisation>;
  /** Reading operations that no user of the trial may call. */
  readonly unknown: readonly OperationId[];
}

/** Reading operations that need no name. */
const readings: readonly OperationId[] = operationIds.filter((id) => {
  const { method, path } = publishedBinding[id];
  return method === "GET" && !path.includes("{");
});
/** A whole export may be large; the list of its sections is not. */
const inputsOf: Partial<Record<OperationId, InvalidInputs>> = {
  exportConfiguration: { query: { action: "get-profile" } },
};

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
  const tag = await readableTag(admin);
  const calls: ([OperationId, InvalidInputs] | undefined)[] = [
    role && ["getRole", { path: { id: role.id } }],
    user && ["getUser", { path: { id: user.id } }],
    app && ["getApp", { path: { appname: app.name } }],
    job && ["getUpgradeJob", { path: { id: job.id } }],
    ...(tag === undefined ? [] : readingsOf(tag)),
  ];
  return calls.filter((call) => call !== undefined);
}

const tagsTried = 20;

/** The first tag that can be read now, one a source; without any the first one: the device behind it may be away. */
async function readableTag(admin: Session): Promise<Tag | undefined> {
  const tags = await admin.call("listTags").then(
    (answer) => answer.data(),
    () => [],
  );
  const ofSources = new Map(tags.toReversed().map((tag) => [`${tag.prvdName}/${tag.srcName}`, tag])).values();
  for (const tag of [...ofSources].slice(0, tagsTried)) {
    const path = { provider: tag.prvdName, source: tag.srcName, tag: tag.tagName };
    if ((await admin.call("readTag", { path })).accepted) return tag;
  }
  return tags[0];
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

/** Makes users with one permission each and one without any, and calls as each of them. */
export async function tryPermissions(
  gateway: GatewayUnderTest,
  scratch: Scratch,
  permissions: readonly string[],
): Promise<PermissionFindings> {
  const differing = new Map<OperationId, Authorisation>();
  const trial = new Trial(gateway, scratch, permissions);
  const unknown: OperationId[] = [];
  const calls = [
    ...readings.map((id): [OperationId, InvalidInputs] => [id, inputsOf[id] ?? {}]),
    ...(await namedReadings(gateway)),
  ];
  for (const [id, inputs] of calls) {
    const found = await trial.neededBy(id, inputs);
    if (found === undefined) unknown.push(id);
    else if (found !== "not served" && authorisationText(found) !== defaultAuthorisation[id])
      differing.set(id, found);
  }
  return { differing, unknown };
}

class Trial {
  readonly #gateway: GatewayUnderTest;
  readonly #scratch: Scratch;
  readonly #permissions: readonly string[];
  readonly #holders = new Map<string, Promise<Session>>();

  constructor(gateway: GatewayUnderTest, scratch: Scratch, permissions: readonly string[]) {
    this.#gateway = gateway;
    this.#scratch = scratch;
    this.#permissions = permissions;
  }

  async neededBy(id: OperationId, inputs: InvalidInputs): Promise<Authorisation | "not served" | undefined> {
    const accepts = async (session: Session): Promise<boolean> =>
      (await session.callInvalid(id, inputs)).accepted;
    const isEnough = async (held: readonly string[]): Promise<boolean> => accepts(await this.#holder(held));
    const { admin, anonymous } = this.#gateway;
    if (!(await accepts(admin))) return "not served";
    if (await accepts(anonymous)) return "none";
    if (await isEnough([])) return "signed-in";
    const ways: string[][] = [];
    for (const permission of this.#permissions) if (await isEnough([permission])) ways.push([permission]);
    if (ways.length > 0) return ways;
    // None suffices alone: needed together are those without any of which all others do not suffice.
    const together: string[] = [];
    for (const permission of this.#permissions)
      if (!(await isEnough(this.#permissions.filter((one) => one !== permission)))) together.push(permission);
    return together.length > 1 && (await isEnough(together)) ? [together] : undefined;
  }

  /** A session of a user who holds these permissions; made once. */
  #holder(permissions: readonly string[]): Promise<Session> {
    const key = permissions.join("\n");
    let session = this.#holders.get(key);
    if (session === undefined)
      this.#holders.set(key, (session = this.#scratch.user({ permissions }).then((user) => user.signIn())));
    return session;
  }
}
