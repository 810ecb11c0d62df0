// Groups 7 to 9: permissions, roles, users, sign-in and websocket tokens.
import Type from "typebox";
import { minPasswordLength, type User } from "../../../interface/resources/users.ts";
import { epochMsOf } from "../../../interface/schema/instant.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { type Call, type Caller, data, type Handlers, list } from "../../http/handler.ts";
import { badInput, forbidden, Refusal } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { AccountStore, adminRole, maxNameLength, permissions, type UserChange } from "./accountStore.ts";
import { type Cost, hashPassword, isPassword } from "./passwords.ts";
import { SignInGuard } from "./signInGuard.ts";
import { Tokens } from "./tokens.ts";

export interface AccountOptions {
  readonly adminName: string;
  readonly adminPassword: string;
  readonly tokenLifetimeSec: number;
  readonly hashCost: Cost;
  readonly failuresToLock: number;
  readonly lockedMs: number;
}

export interface Accounts extends Group {
  readonly tokens: Tokens;
  readonly store: AccountStore;
  /** Whether a user of another protocol than HTTP may sign in; failures count like any others. */
  isUser(name: string, password: string, address: string): Promise<boolean>;
}

const userLoginFail = 49;

export async function createAccounts(foundation: Foundation, options: AccountOptions): Promise<Accounts> {
  const { endsSessionsWithPassword, endsSessionsWithRoles, nameRule } = foundation.product.conduct;
  const store = new AccountStore(foundation.store, foundation.clock, nameRule);
  const tokens = new Tokens(foundation.store, foundation.clock, store, options.tokenLifetimeSec);
  const guard = new SignInGuard(foundation.clock, options.failuresToLock, options.lockedMs);
  const adminHash = await factoryHash(foundation, options);
  const addOther = (name: string): void => {
    const role = store.saveRole(undefined, { name: `${name}-role`, description: "", permissions: [] });
    const expiredAfter = "2031-01-31T23:59:59.5+02:00";
    store.addUser({
      name,
      email: null,
      isActive: false,
      expiredAfter,
      passwordHash: adminHash,
      roles: [role.id],
    });
  };
  const addDefaults = (): void => {
    const role = store.saveRole(undefined, {
      name: adminRole,
      description: "All permissions",
      permissions: permissions.map((one) => one.id),
    });
    store.addUser({
      name: options.adminName,
      email: null,
      isActive: true,
      expiredAfter: null,
      passwordHash: adminHash,
      roles: [role.id],
    });
    for (const name of foundation.product.moreAccounts) addOther(name);
  };
  if (store.isEmpty) foundation.store.transaction(addDefaults);
  let nobody: Promise<string> | undefined;
  // An unknown name must take as long as a known one, or the time would reveal which names exist.
  const nobodyHash = (): Promise<string> =>
    (nobody ??= hashPassword("nobody has this password", options.hashCost));

  /** The user with this name and password; throws a Refusal, and counts the failure, when there is none. */
  const authenticate = async (
    given: string,
    password: string,
    address: string,
  ): Promise<{ readonly id: number; readonly generation: number }> => {
    // No user has a longer name; it must not be stored or recorded at its full length.
    const name = given.slice(0, maxNameLength + 1);
    guard.assertNotLocked(name);
    const secrets = store.findByName(name);
    const isRight = await isPassword(password, secrets?.passwordHash ?? (await nobodyHash()));
    // Other sign-ins may have failed meanwhile: parallel guesses must not bypass the lock.
    guard.assertNotLocked(name);
    const user = secrets === undefined ? undefined : store.user(secrets.id);
    if (!isRight || secrets === undefined || user === undefined || !store.isUsable(user)) {
      guard.failed(name);
      foundation.events.raise(userLoginFail, {
        message: `sign-in as ${name} failed`,
        user: name,
        userOrigin: address,
      });
      throw new Refusal(401, "name or password is wrong, or the user may not sign in");
    }
    guard.succeeded(name);
    return { id: user.id, generation: secrets.generation };
  };

  const signIn = async (call: Call): Promise<ReturnType<typeof data>> => {
    const { name, password } = call.body as { name: string; password: string };
    const { id, generation } = await authenticate(name, password, call.address);
    const token = await tokens.issue(id, generation);
    store.noteSignIn(id);
    const { createdAt: _createdAt, ...shown } = store.user(id);
    return data({ token, user: shown });
  };

  const changePassword = async (id: number, call: Call): Promise<ReturnType<typeof data>> => {
    const { newPassword, oldPassword } = call.body as { newPassword: string; oldPassword?: string };
    const secrets = store.secrets(id);
    if (secrets === undefined) store.user(id);
    assertPassword("newPassword", newPassword);
    if (callerOf(call).hasAdminRole !== true) {
      if (oldPassword === undefined)
        throw badInput("oldPassword: expected the present password, found nothing");
      if (!(await isPassword(oldPassword, secrets?.passwordHash ?? (await nobodyHash()))))
        throw new Refusal(401, "oldPassword is wrong");
    }
    const hashed = await hashPassword(newPassword, options.hashCost);
    return data(store.setPassword(id, hashed, endsSessionsWithPassword));
  };

  const handlers: Handlers = {
    listPermissions: () => list(permissions),
    listRoles: () => list(store.roles()),
    createRole: (call) => data(store.saveRole(undefined, roleOf(call))),
    getRole: (call) => data(store.role(idOf(call))),
    updateRole: (call) => {
      const id = idOf(call);
      return data(store.saveRole(store.role(id).id, roleOf(call, store.role(id).description)));
    },
    deleteRole: (call) => {
      store.deleteRole(idOf(call));
      return data("ok");
    },
    listUsers: () => list(store.users()),
    async addUser(call) {
      const body = call.body as {
        name: string;
        password: string;
        isActive: boolean;
        expiredAfter: string;
        email?: string;
      };
      assertPassword("password", body.password);
      const passwordHash = await hashPassword(body.password, options.hashCost);
      const { name, isActive, expiredAfter } = body;
      return data(
        store.addUser({
          name,
          email: body.email ?? null,
          isActive,
          expiredAfter,
          passwordHash,
          roles: rolesOf(call) ?? [],
        }),
      );
    },
    getUser: (call) => data(store.user(idOf(call))),
    updateUser: (call) => data(store.updateUser(idOf(call), changeOf(call), endsSessionsWithRoles)),
    deleteUser: (call) => {
      store.deleteUser(idOf(call));
      return data("ok");
    },
    updateUserPassword: (call) => changePassword(idOf(call), call),
    getCurrentUser: (call) => data({ ...store.user(callerOf(call).userId), remindToChangePassword: null }),
    updateCurrentUser: (call) => {
      const caller = callerOf(call);
      const change = changeOf(call);
      if (!caller.permissions.has("SYS_USER_RW")) assertNoMoreRights(store.user(caller.userId), change);
      return data(store.updateUser(caller.userId, change, endsSessionsWithRoles));
    },
    updateCurrentUserPassword: (call) => changePassword(callerOf(call).userId, call),
    signIn,
    checkToken: () => data("ok"),
    getWebsocketToken: (call) => data({ token: tokens.issueWebsocketToken(callerOf(call).userId) }),
  };

  return {
    handlers,
    tokens,
    isUser: (name, password, address) =>
      authenticate(name, password, address).then(
        () => true,
        () => false,
      ),
    store,
    resetParts: [
      {
        scopes: ["account"],
        reset() {
          foundation.store.transaction(() => {
            store.clear();
            addDefaults();
          });
        },
      },
    ],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The hash of the administrator's password as delivered, made at the first boot. */
async function factoryHash(
  foundation: Foundation,
  { adminPassword, hashCost }: AccountOptions,
): Promise<string> {
  const setting = openSetting(foundation.store, "factory-password-hash", Type.String(), () => "");
  if (setting.get() === "") setting.set(await hashPassword(adminPassword, hashCost));
  return setting.get();
}

function callerOf(call: Call): Caller {
  if (call.caller === undefined) throw new Refusal(401, "sign in first");
  return call.caller;
}

function idOf(call: Call): number {
  return Number(call.path["id"]);
}

function roleOf(call: Call, description = ""): { name: string; description: string; permissions: string[] } {
  const body = call.body as { name: string; description?: string; permissions: string[] };
  return { name: body.name, description: body.description ?? description, permissions: body.permissions };
}

/** Roles come as numbers or as objects with an id. */
function rolesOf(call: Call): number[] | undefined {
  const roles = call.body["roles"] as (number | { id: number })[] | undefined;
  return roles?.map((role) => (typeof role === "number" ? role : role.id));
}

function changeOf(call: Call): UserChange {
  const { email, expiredAfter, isActive } = call.body as {
    email?: string;
    expiredAfter?: string;
    isActive?: boolean;
  };
  const roles = rolesOf(call);
  return {
    ...(email === undefined ? {} : { email }),
    ...(expiredAfter === undefined ? {} : { expiredAfter }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(roles === undefined ? {} : { roles }),
  };
}

function assertPassword(field: string, password: string): void {
  if (typeof password !== "string" || password.length < minPasswordLength || password.length > 256) {
    throw badInput(`${field}: expected ${minPasswordLength} to 256 characters`);
  }
}

/** Users may change their own record but not their own rights, unless they may manage users. */
function assertNoMoreRights(user: User, change: UserChange): void {
  const present = user.roles.map((role) => role.id).toSorted((a, b) => a - b);
  const wanted = change.roles?.toSorted((a, b) => a - b);
  const rolesDiffer = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(present);
  const expiryDiffers =
    change.expiredAfter !== undefined &&
    epochMsOf(change.expiredAfter ?? "") !== epochMsOf(user.expiredAfter ?? "");
  const activeDiffers = change.isActive !== undefined && change.isActive !== user.isActive;
  if (rolesDiffer || expiryDiffers || activeDiffers) {
    throw forbidden("changing one's own roles, expiry or activity needs the permission SYS_USER_RW");
  }
}
