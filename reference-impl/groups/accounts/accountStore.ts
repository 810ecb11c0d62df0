// Users and roles in the store, and the rules between them.
import type { Role } from "../../../interface/resources/roles.ts";
import { neverLoggedIn, type User } from "../../../interface/resources/users.ts";
import { epochMsOf } from "../../../interface/schema/instant.ts";
import { type Clock, timestamp } from "../../base/clock.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import type { Store } from "../../store/store.ts";

/** The name of the role whose users need no old password to change one. */
export const adminRole = "admin";

export const permissions = [
  { id: "SYS_USER_RW", name: "User/Role Management", description: "Manage users and roles" },
  { id: "SYS_MAINTENANCE_RW", name: "Device Management", description: "Manage and maintain the device" },
] as const;

export interface NewUser {
  readonly name: string;
  readonly email: string | null;
  readonly isActive: boolean;
  readonly expiredAfter: string | null;
  readonly passwordHash: string;
  readonly roles: readonly number[];
}

export interface UserChange {
  readonly email?: string | null;
  readonly isActive?: boolean;
  readonly expiredAfter?: string | null;
  readonly roles?: readonly number[];
}

/** Data of a user for signing in and checking a token. */
export interface UserSecrets {
  readonly id: number;
  readonly passwordHash: string;
  /** Increased whenever tokens issued before become invalid. */
  readonly generation: number;
}

export class AccountStore {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #nameRule: RegExp;
  /** Increased by every change: results computed from an older state are invalid. */
  version = 0;

  constructor(store: Store, clock: Clock, nameRule: RegExp) {
    this.#nameRule = nameRule;
    this.#store = store;
    this.#clock = clock;
    store.define(`
      CREATE TABLE IF NOT EXISTS role (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL, permissions TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS user (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, email TEXT,
        is_active INTEGER NOT NULL, expired_after TEXT, password_hash TEXT NOT NULL, changed_password_at TEXT,
        created_at TEXT NOT NULL, login_at TEXT NOT NULL, generation INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS user_role (user_id INTEGER NOT NULL REFERENCES user(id) ON DELETE CASCADE,
        role_id INTEGER NOT NULL REFERENCES role(id), PRIMARY KEY (user_id, role_id)) STRICT;`);
  }

  get isEmpty(): boolean {
    return this.#store.get("SELECT 1 FROM user LIMIT 1") === undefined;
  }

  roles(): Role[] {
    return this.#store.all("SELECT id FROM role ORDER BY id").map((row) => this.role(Number(row["id"])));
  }

  role(id: number): Role {
    const row = this.#store.get("SELECT * FROM role WHERE id = ?", id);
    if (row === undefined) throw notFound(`role ${id}`);
    const users = this.#store.all(
      "SELECT user.id, user.name FROM user JOIN user_role ON user_id = user.id WHERE role_id = ? ORDER BY user.id",
      id,
    );
    return {
      id,
      name: String(row["name"]),
      description: String(row["description"]),
      permissions: JSON.parse(String(row["permissions"])) as string[],
      users: users.map((user) => ({ id: Number(user["id"]), name: String(user["name"]) })),
    };
  }

  /** Creates a role, or replaces the one with the id. */
  saveRole(id: number | undefined, role: Omit<Role, "id" | "users">): Role {
    assertName("name", role.name, this.#nameRule);
    const unknown = role.permissions.find((one) => !permissions.some((known) => known.id === one));
    if (unknown !== undefined) throw badInput(`permissions: ${JSON.stringify(unknown)} is no permission id`);
    const same = this.#store.get("SELECT id FROM role WHERE name = ?", role.name);
    if (same !== undefined && Number(same["id"]) !== id)
      throw badInput(`name: a role ${role.name} exists already`);
    const list = JSON.stringify([...new Set(role.permissions)]);
    return this.#change(() => {
      if (id === undefined) {
        const { lastId } = this.#store.run(
          "INSERT INTO role (name, description, permissions) VALUES (?, ?, ?)",
          role.name,
          role.description,
          list,
        );
        return this.role(lastId);
      }
      this.role(id);
      this.#store.run(
        "UPDATE role SET name = ?, description = ?, permissions = ? WHERE id = ?",
        role.name,
        role.description,
        list,
        id,
      );
      return this.role(id);
    });
  }

  deleteRole(id: number): void {
    const { users } = this.role(id);
    if (users.length > 0)
      throw badInput(`role ${id} is in use by ${users.map((user) => user.name).join(", ")}`);
    this.#change(() => this.#store.run("DELETE FROM role WHERE id = ?", id));
  }

  users(): User[] {
    return this.#store.all("SELECT id FROM user ORDER BY id").map((row) => this.user(Number(row["id"])));
  }

  user(id: number): User {
    const row = this.#store.get("SELECT * FROM user WHERE id = ?", id);
    if (row === undefined) throw notFound(`user ${id}`);
    const roles = this.#store.all(
      "SELECT role.id, role.name, permissions FROM role JOIN user_role ON role_id = role.id WHERE user_id = ? ORDER BY role.id",
      id,
    );
    const granted = roles.flatMap((role) => JSON.parse(String(role["permissions"])) as string[]);
    const text = (name: string): string | null => {
      const value = row[name];
      return typeof value === "string" ? value : null;
    };
    return {
      id,
      name: String(row["name"]),
      email: text("email"),
      isActive: row["is_active"] === 1,
      expiredAfter: text("expired_after"),
      changedPasswordAt: text("changed_password_at"),
      createdAt: String(row["created_at"]),
      loginAt: String(row["login_at"]),
      permissions: [...new Set(granted)],
      roles: roles.map((role) => ({ id: Number(role["id"]), name: String(role["name"]) })),
    };
  }

  addUser(user: NewUser): User {
    assertName("name", user.name, this.#nameRule);
    assertEmail(user.email);
    if (this.findByName(user.name) !== undefined) throw badInput(`name: a user ${user.name} exists already`);
    return this.#change(() => {
      const { lastId } = this.#store.run(
        `INSERT INTO user (name, email, is_active, expired_after, password_hash, changed_password_at, created_at, login_at, generation)
         VALUES (?, ?, ?, ?, ?, NULL, ?, ?, 1)`,
        user.name,
        user.email,
        user.isActive ? 1 : 0,
        canonical(user.expiredAfter),
        user.passwordHash,
        timestamp(this.#clock.nowMs()),
        neverLoggedIn,
      );
      this.#setRoles(lastId, user.roles);
      return this.user(lastId);
    });
  }

  /** `endsSessions`: whether tokens issued before become invalid when the roles change, as they do with the activity. */
  updateUser(id: number, change: UserChange, endsSessions = false): User {
    const before = this.user(id);
    if (change.email !== undefined) assertEmail(change.email);
    return this.#change(() => {
      const isActive = change.isActive ?? before.isActive;
      const held = new Set(before.roles.map((role) => role.id));
      const roles = new Set(change.roles ?? held);
      const hasOtherRoles = held.symmetricDifference(roles).size > 0;
      const generation = (before.isActive && !isActive) || (endsSessions && hasOtherRoles) ? 1 : 0;
      this.#store.run(
        "UPDATE user SET email = ?, is_active = ?, expired_after = ?, generation = generation + ? WHERE id = ?",
        change.email === undefined ? before.email : change.email,
        isActive ? 1 : 0,
        change.expiredAfter === undefined ? before.expiredAfter : canonical(change.expiredAfter),
        generation,
        id,
      );
      if (change.roles !== undefined) this.#setRoles(id, change.roles);
      return this.user(id);
    });
  }

  deleteUser(id: number): void {
    this.user(id);
    this.#change(() => this.#store.run("DELETE FROM user WHERE id = ?", id));
  }

  /** `endsSessions`: whether tokens issued before become invalid. */
  setPassword(id: number, passwordHash: string, endsSessions: boolean): User {
    return this.#change(() => {
      this.#store.run(
        "UPDATE user SET password_hash = ?, changed_password_at = ?, generation = generation + ? WHERE id = ?",
        passwordHash,
        timestamp(this.#clock.nowMs()),
        endsSessions ? 1 : 0,
        id,
      );
      return this.user(id);
    });
  }

  noteSignIn(id: number): void {
    this.#store.run("UPDATE user SET login_at = ? WHERE id = ?", timestamp(this.#clock.nowMs()), id);
  }

  findByName(name: string): UserSecrets | undefined {
    return toSecrets(this.#store.get("SELECT id, password_hash, generation FROM user WHERE name = ?", name));
  }

  secrets(id: number): UserSecrets | undefined {
    return toSecrets(this.#store.get("SELECT id, password_hash, generation FROM user WHERE id = ?", id));
  }

  /** Removes all users and roles. */
  clear(): void {
    this.#store.transaction(() => {
      this.#store.run("DELETE FROM user_role");
      this.#store.run("DELETE FROM user");
      this.#store.run("DELETE FROM role");
    });
    this.version += 1;
  }

  isUsable(user: Pick<User, "isActive" | "expiredAfter">): boolean {
    return (
      user.isActive && (user.expiredAfter === null || epochMsOf(user.expiredAfter) > this.#clock.nowMs())
    );
  }

  #setRoles(userId: number, roles: readonly number[]): void {
    this.#store.run("DELETE FROM user_role WHERE user_id = ?", userId);
    for (const roleId of new Set(roles)) {
      if (this.#store.get("SELECT 1 FROM role WHERE id = ?", roleId) === undefined)
        throw badInput(`roles: role ${roleId} does not exist`);
      this.#store.run("INSERT INTO user_role (user_id, role_id) VALUES (?, ?)", userId, roleId);
    }
  }

  /** Runs a change as a whole; rejected when no user would be left who may manage users and roles. */
  #change<T>(body: () => T): T {
    const result = this.#store.transaction(() => {
      const hadManager = this.#hasManager();
      const value = body();
      if (hadManager && !this.#hasManager()) {
        throw badInput("no active user would be left who may manage users and roles (SYS_USER_RW)");
      }
      return value;
    });
    this.version += 1;
    return result;
  }

  #hasManager(): boolean {
    return this.users().some((user) => this.isUsable(user) && user.permissions.includes("SYS_USER_RW"));
  }
}

function toSecrets(row: Record<string, unknown> | undefined): UserSecrets | undefined {
  if (row === undefined) return undefined;
  return {
    id: Number(row["id"]),
    passwordHash: String(row["password_hash"]),
    generation: Number(row["generation"]),
  };
}

/** RFC 3339 allows a space and lower case, which not every client reads. */
function canonical(dateTime: string | null): string | null {
  return dateTime === null ? null : dateTime.replace(" ", "T").toUpperCase();
}

export const maxNameLength = 64;

function assertName(field: string, name: string, nameRule: RegExp): void {
  if (name.length < 1 || name.length > maxNameLength || !nameRule.test(name)) {
    throw badInput(
      `${field}: expected 1 to ${maxNameLength} letters, digits and + = , . @ _ -, beginning with a letter or digit`,
    );
  }
}

function assertEmail(email: string | null): void {
  if (email === null || email === "") return;
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw badInput(`email: ${JSON.stringify(email)} is no e-mail address`);
}
