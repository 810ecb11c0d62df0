// Who may sign in, for how long, and what nobody may take away.
import { expect, onTestFinished, test } from "vitest";
import type { Answer, Call, Caller } from "../../http/handler.ts";
import { Refusal } from "../../base/refusal.ts";
import { testFoundation, type TestFoundation } from "../../testing/foundation.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { fullCost } from "./passwords.ts";

const adminPassword = "Unit-test1!";
const far = "2099-01-01T00:00:00Z";
const lockedMs = 10_000;

async function start(): Promise<{ foundation: TestFoundation; accounts: Accounts }> {
  const foundation = testFoundation();
  onTestFinished(() => foundation[Symbol.dispose]());
  const accounts = await createAccounts(foundation, {
    adminName: "admin",
    adminPassword,
    tokenLifetimeSec: 3600,
    hashCost: fullCost,
    failuresToLock: 5,
    lockedMs,
  });
  return { foundation, accounts };
}

const admin: Caller = { userId: 1, name: "admin", permissions: new Set(["SYS_USER_RW"]), hasAdminRole: true };

/** Calls as the administrator unless told otherwise. */
async function call(
  accounts: Accounts,
  id: keyof Accounts["handlers"],
  inputs: Partial<Pick<Call, "path" | "body" | "caller">> = {},
): Promise<Answer> {
  const handler = accounts.handlers[id];
  if (handler === undefined) throw new Error(`no ${id}`);
  const signal = new AbortController().signal;
  const none = { path: {}, query: {}, headers: {}, body: {}, files: [], signal };
  return handler({ ...none, caller: admin, address: "192.0.2.7", ...inputs });
}

async function dataOf<T>(answer: Promise<Answer>): Promise<T> {
  const result = await answer;
  if (result.kind !== "json") throw new Error(`answered a ${result.kind}`);
  return (result.body as { data: T }).data;
}

const signIn = async (accounts: Accounts, name: string, password: string): Promise<string> => {
  const body = { name, password };
  return (await dataOf<{ token: string }>(call(accounts, "signIn", { caller: undefined, body }))).token;
};

/** The status with which it was refused, 200 when it was not. */
async function statusOf(action: () => unknown): Promise<number> {
  try {
    await action();
    return 200;
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.status;
    throw thrown;
  }
}

const addUser = (accounts: Accounts, name: string, roles: number[], expiredAfter = far): Promise<number> =>
  dataOf<{ id: number }>(
    call(accounts, "addUser", { body: { name, password: "secret-1", isActive: true, expiredAfter, roles } }),
  ).then((user) => user.id);

const update = (accounts: Accounts, id: number, body: Call["body"]): Promise<number> =>
  statusOf(() => call(accounts, "updateUser", { path: { id: String(id) }, body }));

test("five failures lock a name, parallel ones as well; the lock ends by itself", async () => {
  const { foundation, accounts } = await start();
  const guesses = Array.from({ length: 12 }, () => statusOf(() => signIn(accounts, "admin", "wrong-one")));
  const statuses = (await Promise.all(guesses)).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(7).fill(423)]);
  expect(foundation.raised).toEqual([49, 49, 49, 49, 49]);

  foundation.clock.advance(lockedMs - 1);
  expect(await statusOf(() => signIn(accounts, "admin", adminPassword))).toBe(423);
  foundation.clock.advance(1);
  expect(await statusOf(() => signIn(accounts, "admin", adminPassword))).toBe(200);
});

test("a token ends with its lifetime, its user's expiry, a deactivation and a new password", async () => {
  const { foundation, accounts } = await start();
  const inAnHour = new Date(foundation.clock.nowMs() + 1_800_000).toISOString();
  const id = await addUser(accounts, "worker", [1], inAnHour);
  const lasting = await addUser(accounts, "lasting", []);
  const status = (token: string): Promise<number> => statusOf(() => accounts.tokens.authenticate(token));

  const first = await signIn(accounts, "worker", "secret-1");
  await update(accounts, id, { isActive: false });
  expect([await status(first), await statusOf(() => signIn(accounts, "worker", "secret-1"))]).toEqual([
    401, 401,
  ]);
  await update(accounts, id, { isActive: true });
  expect(await status(first)).toBe(401);

  const second = await signIn(accounts, "worker", "secret-1");
  await call(accounts, "updateUserPassword", {
    path: { id: String(id) },
    body: { newPassword: "secret-2" },
  });
  expect(await status(second)).toBe(401);

  const third = await signIn(accounts, "worker", "secret-2");
  const other = await signIn(accounts, "lasting", "secret-1");
  foundation.clock.advance(1_800_000);
  expect([await status(third), await status(other)]).toEqual([401, 200]);
  foundation.clock.advance(1_800_000);
  expect(await status(other)).toBe(401);

  const last = await signIn(accounts, "lasting", "secret-1");
  await call(accounts, "deleteUser", { path: { id: String(lasting) } });
  expect(await status(last)).toBe(401);
});

test("a change of a role applies to tokens already issued", async () => {
  const { accounts } = await start();
  const body = { name: "watchers", permissions: ["SYS_MAINTENANCE_RW"] };
  const { id } = await dataOf<{ id: number }>(call(accounts, "createRole", { body }));
  await addUser(accounts, "worker", [id]);
  const token = await signIn(accounts, "worker", "secret-1");
  expect([...accounts.tokens.authenticate(token).permissions]).toEqual(["SYS_MAINTENANCE_RW"]);
  await call(accounts, "updateRole", { path: { id: String(id) }, body: { ...body, permissions: [] } });
  expect([...accounts.tokens.authenticate(token).permissions]).toEqual([]);
  expect(await statusOf(() => call(accounts, "deleteRole", { path: { id: String(id) } }))).toBe(400);
});

test("a websocket token opens one websocket, within 30 s, and only for users who may sign in", async () => {
  const { foundation, accounts } = await start();
  const { tokens } = accounts;
  const once = tokens.issueWebsocketToken(1);
  expect(tokens.redeemWebsocketToken(once)?.()?.name).toBe("admin");
  expect(tokens.redeemWebsocketToken(once)).toBeUndefined();

  const early = tokens.issueWebsocketToken(1);
  const late = tokens.issueWebsocketToken(1);
  foundation.clock.advance(29_999);
  expect(tokens.redeemWebsocketToken(early)).toBeDefined();
  foundation.clock.advance(1);
  expect(tokens.redeemWebsocketToken(late)).toBeUndefined();

  const id = await addUser(accounts, "worker", []);
  const unused = tokens.issueWebsocketToken(id);
  const holder = tokens.redeemWebsocketToken(tokens.issueWebsocketToken(id));
  await update(accounts, id, { isActive: false });
  expect([tokens.redeemWebsocketToken(unused), holder?.()]).toEqual([undefined, undefined]);
});

test("the last user who may manage users cannot be removed, deactivated, expired or deprived of its role", async () => {
  const { accounts } = await start();
  const path = { id: "1" };
  const before = await dataOf(call(accounts, "getUser", { path }));
  const role = { name: "admin", permissions: ["SYS_MAINTENANCE_RW"] };
  const past = "2020-01-01T00:00:00Z";
  expect([
    await statusOf(() => call(accounts, "deleteUser", { path })),
    await update(accounts, 1, { isActive: false }),
    await update(accounts, 1, { expiredAfter: past }),
    await update(accounts, 1, { roles: [] }),
    await statusOf(() => call(accounts, "updateRole", { path, body: role })),
  ]).toEqual([400, 400, 400, 400, 400]);
  expect(await dataOf(call(accounts, "getUser", { path }))).toEqual(before);

  await addUser(accounts, "second", [1]);
  expect(await statusOf(() => call(accounts, "deleteUser", { path }))).toBe(200);
});

test("users cannot raise their own rights; sending the present values is accepted", async () => {
  const { accounts } = await start();
  const id = await addUser(accounts, "worker", []);
  const caller: Caller = { userId: id, name: "worker", permissions: new Set() };
  const own = (body: Call["body"]): Promise<number> =>
    statusOf(() => call(accounts, "updateCurrentUser", { caller, body }));
  expect([
    await own({ roles: [{ id: 1 }] }),
    await own({ expiredAfter: "2100-01-01T00:00:00Z" }),
    await own({ isActive: false }),
    await own({ email: "worker@example.org", roles: [], expiredAfter: far, isActive: true }),
  ]).toEqual([403, 403, 403, 200]);

  const change = (body: Call["body"]): Promise<number> =>
    statusOf(() => call(accounts, "updateCurrentUserPassword", { caller, body }));
  expect([
    await change({ newPassword: "secret-2" }),
    await change({ newPassword: "secret-2", oldPassword: "wrong-one" }),
    await change({ newPassword: "short", oldPassword: "secret-1" }),
    await change({ newPassword: "secret-2", oldPassword: "secret-1" }),
  ]).toEqual([400, 401, 400, 200]);
});

test("existing or malformed names and unknown roles are rejected", async () => {
  const { accounts } = await start();
  const add = (name: string, roles: number[] = []): Promise<number> =>
    statusOf(() => addUser(accounts, name, roles));
  expect([
    await add("admin"),
    await add(""),
    await add("n".repeat(65)),
    await add("two words"),
    await add("someone", [99]),
    await add("n".repeat(64)),
  ]).toEqual([400, 400, 400, 400, 400, 200]);
});

test("a reset restores only the administrator as delivered", async () => {
  const { accounts } = await start();
  await addUser(accounts, "worker", [1]);
  await call(accounts, "updateUserPassword", { path: { id: "1" }, body: { newPassword: "changed-1" } });
  const token = await signIn(accounts, "admin", "changed-1");
  for (const part of accounts.resetParts ?? []) part.reset();
  expect(await statusOf(() => accounts.tokens.authenticate(token))).toBe(401);
  expect(await statusOf(() => signIn(accounts, "admin", adminPassword))).toBe(200);
  expect(await dataOf(call(accounts, "listUsers"))).toHaveLength(1);
});
