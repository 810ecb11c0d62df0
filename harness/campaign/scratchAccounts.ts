// Roles and users that a case works with. Where the profile declares no deletion, ended cases leave theirs for reuse.
import { authorisationText } from "../../interface/authorisation.ts";
import { Unmet } from "../../record/index.ts";
import type { Answer } from "../transport/answer.ts";
import type { GatewayUnderTest, Session } from "../suite/gatewayUnderTest.ts";
import type { Profile } from "../profile/profile.ts";
import type { Scratch, ScratchRole, ScratchUser, ScratchUserOptions } from "../suite/context.ts";
import { scratchPrefix } from "../suite/scratchPrefix.ts";
import type { Outside } from "../transport/outside.ts";
import type { Random } from "../suite/random.ts";
import type { Spare, SpareKind, Spares, spareKeys } from "./spares.ts";

/** What a campaign knows beyond the case: accounts for reuse, and what the case did with one. */
export interface Reuse {
  readonly spares: Spares;
  /** Whether a sign-in with the name failed in this case: gateways lock such accounts for a while. */
  readonly wasRejected: (name: string) => boolean;
}

export interface AccountSurroundings extends Pick<Scratch, "name" | "undo"> {
  readonly gateway: GatewayUnderTest;
  readonly profile: Profile;
  readonly random: Random;
  readonly outside: Outside | undefined;
  readonly reuse: Reuse | undefined;
}

interface RoleState {
  readonly name: string;
  readonly description: string;
  readonly permissions: string[];
}

interface UserState {
  readonly isActive: boolean;
  readonly expiredAfter: string;
  readonly roles: number[];
}

const description = "made by the conformance suite";

/** As scratch names them, without anything behind it. */
const usualName = new RegExp(`^${scratchPrefix}user-[0-9a-f]{10}$`);

/** A permission that does not manage accounts, if there is one. */
function leastPermission({ binding, permissions }: Profile): string | undefined {
  const managing = authorisationText(binding.get("updateUser")?.permission ?? "none");
  return permissions.find((one) => !managing.includes(one)) ?? permissions[0];
}

/** Undefined where the answer does not have what is read: the case does not rest on it. */
function unlessUnmet<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Unmet) return undefined;
    throw thrown;
  }
}

export class ScratchAccounts {
  readonly #around: AccountSurroundings;

  constructor(around: AccountSurroundings) {
    this.#around = around;
  }

  get #admin(): Session {
    return this.#around.gateway.admin;
  }

  async role(
    permissions: readonly string[],
    texts: Parameters<Scratch["role"]>[1] = {},
  ): Promise<ScratchRole> {
    const name = `${this.#around.name("role")}${texts.name ?? ""}`;
    const json = {
      name,
      description: `${description}${texts.description ?? ""}`,
      permissions: [...permissions],
    };
    const reused = await this.#reusedRole(json);
    const made = reused === undefined ? await this.#newRole(json) : { id: reused, permissions };
    const { id } = made;
    if (this.#deletes("role"))
      this.#around.undo(`role ${name}`, () => this.#remove("deleteRole", "listRoles", { id, name }));
    else this.leaveLater("role", { id, name });
    return { name, ...made };
  }

  /** Whether a role may have no permission is not stated. */
  async #newRole(json: RoleState): Promise<Omit<ScratchRole, "name">> {
    const { permissions } = json;
    const answer = await this.#admin.call("createRole", { json });
    const { profile } = this.#around;
    const least = permissions.length === 0 && answer.rejected ? leastPermission(profile) : undefined;
    if (least === undefined) return { id: answer.data().id, permissions };
    const other = await this.#admin.call("createRole", { json: { ...json, permissions: [least] } });
    return { id: (other.accepted ? other : answer).data().id, permissions: [least] };
  }

  async user(options: ScratchUserOptions = {}): Promise<ScratchUser> {
    const own = options.roles === undefined ? await this.role(options.permissions ?? []) : undefined;
    const roles = own === undefined ? (options.roles ?? []) : [own.id];
    const password = `Pw-${this.#around.random.word(12)}1!`;
    const state = {
      isActive: options.isActive ?? true,
      expiredAfter: options.expiredAfter ?? "2099-12-31T23:59:59Z",
      roles: [...roles],
    };
    const { suffix } = options;
    const reused = suffix === undefined ? await this.#reusedUser("user", state, password) : undefined;
    const { id, name } = reused ?? (await this.#newUser(suffix, state, password));
    if (this.#deletes("user"))
      this.#around.undo(`user ${name}`, () => this.#remove("deleteUser", "listUsers", { id, name }));
    else this.leaveLater("user", { id, name });
    const signIn = (): Promise<Session> => this.#around.gateway.signIn(name, password);
    const [roleId = 0] = roles;
    return { id, name, password, roleId, permissions: own?.permissions ?? [], signIn };
  }

  leaveLater(kind: "role" | "user", account: Spare): void {
    this.#around.undo(`${kind} ${account.name}`, () =>
      kind === "role" ? this.#restRole(account) : this.#restUser(account),
    );
  }

  async #newUser(suffix: string | undefined, state: UserState, password: string): Promise<Spare> {
    const name = `${this.#around.name("user")}${suffix ?? ""}`;
    const answer = await this.#admin.call("addUser", { json: { name, password, ...state } });
    // There may be no room for one more.
    const instead =
      answer.accepted || suffix !== undefined
        ? undefined
        : await this.#reusedUser("rejected user", state, password);
    return instead ?? { id: answer.data().id, name };
  }

  /** Id of a role that an ended case left and that has the values now. */
  async #reusedRole(json: RoleState): Promise<number | undefined> {
    const spare = this.#spare("role");
    if (spare === undefined || !(await this.#isStill("getRole", spare))) return undefined;
    const { id } = spare;
    const answer = await this.#admin.call("updateRole", { path: { id }, json });
    const isGiven = unlessUnmet(() => {
      const { name, permissions } = answer.data();
      const others = new Set(permissions).symmetricDifference(new Set(json.permissions));
      return name === json.name && others.size === 0;
    });
    return isGiven === true ? id : undefined;
  }

  /** A user whom an ended case left, with this state and password. */
  async #reusedUser(
    kind: "user" | "rejected user",
    state: UserState,
    newPassword: string,
  ): Promise<Spare | undefined> {
    const spare = this.#spare(kind);
    if (spare === undefined || !(await this.#isStill("getUser", spare))) return undefined;
    const path = { id: spare.id };
    const updated = await this.#admin.call("updateUser", { path, json: state });
    if (!updated.accepted) return undefined;
    const changed = await this.#admin.call("updateUserPassword", { path, json: { newPassword } });
    return changed.accepted ? spare : undefined;
  }

  /** A reset or a restored configuration may have removed the account, and its id may be that of another now. */
  async #isStill(operation: "getRole" | "getUser", { id, name }: Spare): Promise<boolean> {
    const answer = await this.#admin.call(operation, { path: { id } });
    return unlessUnmet(() => answer.data().name) === name;
  }

  #spare(kind: SpareKind): Spare | undefined {
    if (this.#deletes(kind)) return undefined;
    return this.#known(`spare ${kind}`, ({ spares }) => spares.take(kind));
  }

  /** What the campaign knows; a replay uses what the run used. */
  #known<T>(key: (typeof spareKeys)[number], read: (reuse: Reuse) => T | undefined): T | undefined {
    const { outside, reuse } = this.#around;
    if (reuse === undefined) return undefined;
    return outside === undefined ? read(reuse) : outside.read(key, () => read(reuse));
  }

  #deletes(kind: SpareKind): boolean {
    return this.#around.profile.extensions.has(kind === "role" ? "deleteRole" : "deleteUser");
  }

  /** A role that some user still has is none for reuse. */
  async #restRole(role: Spare): Promise<undefined> {
    const { reuse } = this.#around;
    if (reuse === undefined) return;
    const answer = await this.#admin.call("getRole", { path: { id: role.id } });
    const nameIfFree = unlessUnmet(() => {
      const { name, users } = answer.data();
      return users.length === 0 ? name : undefined;
    });
    if (nameIfFree !== undefined) reuse.spares.keep("role", { id: role.id, name: nameIfFree });
  }

  /** Sets the user inactive, with a role that permits nothing. One with an unusual name or an email address stays out of use. */
  async #restUser(user: Spare): Promise<Answer | undefined> {
    const { reuse } = this.#around;
    const path = { id: user.id };
    const role = await this.#restingRole();
    if (role !== undefined && reuse !== undefined) {
      const answer = await this.#admin.call("updateUser", { path, json: { isActive: false, roles: [role] } });
      if (answer.accepted) {
        const email = unlessUnmet(() => answer.data().email ?? "");
        if (usualName.test(user.name) && email === "")
          reuse.spares.keep(reuse.wasRejected(user.name) ? "rejected user" : "user", user);
        return answer;
      }
      // A reset may have removed the role.
      reuse.spares.restingRole = undefined;
    }
    const answer = await this.#admin.call("updateUser", { path, json: { isActive: false } });
    return answer.accepted || (await this.#isListed("listUsers", user.name)) ? answer : undefined;
  }

  async #restingRole(): Promise<number | undefined> {
    const { reuse } = this.#around;
    if (reuse === undefined) return undefined;
    const { spares } = reuse;
    const known = this.#known("resting role", () => spares.restingRole);
    if (known !== undefined) return known;
    const json = { name: this.#around.name("resting"), description, permissions: [] };
    const answer = await this.#admin.call("createRole", { json });
    if (answer.accepted) spares.restingRole = answer.data().id;
    return spares.restingRole;
  }

  /** A rejected removal is a success when a reset has removed the account already, as with virtual tags. */
  async #remove(
    extension: "deleteRole" | "deleteUser",
    list: "listRoles" | "listUsers",
    { id, name }: Spare,
  ): Promise<Answer | undefined> {
    if (this.#around.gateway.hasRemoved(extension, id)) return undefined;
    const answer = await this.#admin.callExtension(extension, { path: { id } });
    if (answer.accepted || !(await this.#isListed(list, name))) return answer.accepted ? answer : undefined;
    // A profile may declare a deletion that the gateway does not have.
    if (list === "listUsers")
      await this.#admin.call("updateUser", { path: { id }, json: { isActive: false } });
    return answer;
  }

  /** True as well where the list cannot be read. */
  async #isListed(list: "listRoles" | "listUsers", name: string): Promise<boolean> {
    const listed = await this.#admin.call(list);
    return !listed.accepted || listed.data().some((one) => one.name === name);
  }
}
