// A user of a case, what was written to it last, and what every view of it shows.
import type { Answer, CaseContext, Session } from "../../harness/index.ts";
import { behaviour } from "../../interface/behaviour/index.ts";
import type { SignedInUser } from "../../interface/resources/users.ts";
import type { Static } from "typebox";
import { addUser, byId, permissionsFor, signInAsSelf } from "./accounts.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

export type Writer = "addUser" | "updateUser" | "updateCurrentUser";
export const writers = ["addUser", "updateUser", "updateCurrentUser"] as const;
export const views = ["getUser", "listUsers", "getCurrentUser", "signIn"] as const;

/** The members that a request writes; all of them are sent, because what an absent one means is not stated. */
export interface Written {
  readonly email: string;
  readonly expiredAfter: string;
  readonly isActive: boolean;
  readonly roles: readonly number[];
}

/** One comparison of what a view shows with what was written. */
export interface Shown {
  readonly requirement: string;
  readonly what: string;
  readonly observed: unknown;
  readonly expected: unknown;
  readonly answer: Answer;
  readonly isSame: boolean;
}

type View = Static<typeof SignedInUser>;

/** The requirement that a user has the permissions of its roles. */
export const permissionsOfRoles = "CORE-USER-57";

/** The requirement that the view shows what is stored. */
export function showing(view: (typeof views)[number]): string {
  return behaviour(view)?.shows ?? "";
}

/** The requirement that the operation stores the member as sent. */
export function storing(writer: Writer, member: string): string {
  return behaviour(writer)?.stores?.[member] ?? "";
}

export class ViewedUser {
  readonly #context: CaseContext;
  readonly #id: number;
  readonly #name: string;
  readonly #password: string;
  /** Permissions of each role, by its id. */
  readonly #permissions: ReadonlyMap<number, readonly string[]>;
  /** Roles that it can be given; with the first it can read and change its own record. */
  readonly roles: readonly [number, number];
  #written: Written;

  private constructor(
    context: CaseContext,
    user: {
      readonly id: number;
      readonly name: string;
      readonly password: string;
      readonly roles: readonly [number, number];
      readonly permissions: ReadonlyMap<number, readonly string[]>;
      readonly written: Written;
    },
  ) {
    this.#context = context;
    this.#id = user.id;
    this.#name = user.name;
    this.#password = user.password;
    this.roles = user.roles;
    this.#permissions = user.permissions;
    this.#written = user.written;
  }

  /** Adds the user with both roles; returns it and the answer. */
  static async add(
    context: CaseContext,
    wish: Omit<Written, "roles">,
  ): Promise<{ user: ViewedUser; answer: Answer<Writer> }> {
    const { profile, scratch, random } = context;
    const needed = permissionsFor(profile, "getCurrentUser", "updateCurrentUser", "updateUser");
    const further = profile.permissions.filter((one) => !needed.includes(one)).slice(-1);
    const own = await scratch.role(needed);
    const more = await scratch.role(further);
    const permissions = new Map([
      [own.id, needed],
      [more.id, further],
    ]);
    const [name, password] = [scratch.name("user"), `Pw-${random.word(12)}1!`];
    const written: Written = { ...wish, roles: [own.id, more.id] };
    const answer = await addUser(context, { ...written, name, password });
    const { id } = answer.data();
    return {
      user: new ViewedUser(context, {
        id,
        name,
        password,
        roles: [own.id, more.id],
        permissions,
        written,
      }),
      answer,
    };
  }

  /** How many roles the last accepted write gave. */
  get heldRoles(): number {
    return this.#written.roles.length;
  }

  /** Writes all members, the given ones with other values than before. */
  async write(writer: Exclude<Writer, "addUser">, changes: Partial<Written>): Promise<Answer<Writer>> {
    const wanted = { ...this.#written, ...changes };
    const json = { ...wanted, roles: [...wanted.roles] };
    const answer =
      writer === "updateUser"
        ? await this.#context.gateway.admin.call(writer, { path: { id: this.#id }, json })
        : await (await this.#signIn()).call(writer, { json });
    if (answer.accepted) this.#written = wanted;
    return answer;
  }

  /** What the answer of the write and every view show; an inactive user has fewer views. */
  async look(writer: Writer, answer: Answer<Writer>): Promise<Shown[]> {
    const { gateway } = this.#context;
    const { admin } = gateway;
    const one = await admin.call("getUser", { path: { id: this.#id } });
    const list = await admin.call("listUsers");
    const listed = list.data().find(({ id }) => id === this.#id);
    const shown = [
      ...this.#stored(writer, answer, answer.data()),
      ...this.#stored(writer, one, one.data()),
      this.#permits(writer, answer, answer.data()),
      ...this.#shown("getUser", writer, one, one.data()),
      ...this.#shown("listUsers", writer, list, listed),
    ];
    if (!this.#written.isActive) return shown;
    const signedIn = await this.signedIn();
    const { token } = signedIn.data();
    const own = await gateway.withToken(token, this.#name).call("getCurrentUser");
    return [
      ...shown,
      ...this.#shown("signIn", writer, signedIn, signedIn.data().user),
      ...this.#shown("getCurrentUser", writer, own, own.data()),
    ];
  }

  signedIn(): Promise<Answer<"signIn">> {
    const json = { name: this.#name, password: this.#password, acceptEULA: true };
    return this.#context.gateway.anonymous.call("signIn", { json });
  }

  record(shown: readonly Shown[]): void {
    for (const { requirement, what, observed, expected, answer } of shown)
      this.#context.verify(requirement).equal(observed, expected, what, answer);
  }

  /** A session that is known to be the user's own. */
  #signIn(): Promise<Session> {
    const { gateway } = this.#context;
    return signInAsSelf(this.#context, {
      id: this.#id,
      name: this.#name,
      signIn: () => gateway.signIn(this.#name, this.#password),
    });
  }

  /** One comparison for each member, under the requirement that it is stored as sent. */
  #stored(writer: Writer, answer: Answer, seen: View): Shown[] {
    const { observed, expected } = facts(seen, this.#written);
    return (["email", "expiredAfter", "isActive", "roles"] as const).map((member) =>
      shownOf(
        storing(writer, member),
        `\`${member}\` in the answer of ${answer.operation} after ${writer}`,
        answer,
        { [member]: observed[member] },
        { [member]: expected[member] },
      ),
    );
  }

  #shown(view: (typeof views)[number], writer: Writer, answer: Answer, seen: View | undefined): Shown[] {
    const what = `the user in the answer of ${view} after ${writer}`;
    if (seen === undefined) return [shownOf(showing(view), what, answer, "absent", "present")];
    const { observed, expected } = facts(seen, this.#written);
    return [shownOf(showing(view), what, answer, observed, expected), this.#permits(writer, answer, seen)];
  }

  /** The permissions that the user has by its roles; a gateway may have further ones that everybody has. */
  #permits(writer: Writer, answer: Answer, { permissions }: View): Shown {
    const ofRoles = new Set(this.#written.roles.flatMap((id) => this.#permissions.get(id) ?? []));
    const known = [...new Set([...this.#permissions.values()].flat())];
    return shownOf(
      permissionsOfRoles,
      `permissions of its roles among \`permissions\` of the user in the answer of ${answer.operation} after ${writer}`,
      answer,
      known.filter((one) => permissions.includes(one)),
      known.filter((one) => ofRoles.has(one)),
    );
  }
}

function shownOf(
  requirement: string,
  what: string,
  answer: Answer,
  observed: unknown,
  expected: unknown,
): Shown {
  const isSame = JSON.stringify(observed) === JSON.stringify(expected);
  return { requirement, what, answer, observed, expected, isSame };
}

/** Comparable members; a time in another offset counts as the same. */
function facts(seen: View, written: Written): { observed: Comparable; expected: Comparable } {
  const { email, isActive, expiredAfter } = seen;
  return {
    observed: { email, isActive, expiredAfter, roles: byId(seen.roles).map(({ id }) => ({ id })) },
    expected: {
      // An address that is empty may be shown as null.
      email: written.email === "" && email === null ? null : written.email,
      isActive: written.isActive,
      expiredAfter: isSameSecond(expiredAfter, written.expiredAfter) ? expiredAfter : written.expiredAfter,
      roles: written.roles.toSorted((a, b) => a - b).map((id) => ({ id })),
    },
  };
}

/** Offset and fraction may differ: a gateway may count in whole seconds. */
function isSameSecond(shown: string | null, written: string): boolean {
  return shown !== null && Math.abs(epochMsOf(shown) - epochMsOf(written)) < 1000;
}

interface Comparable {
  readonly email: string | null;
  readonly isActive: boolean;
  readonly expiredAfter: string | null;
  readonly roles: readonly { readonly id: number }[];
}
