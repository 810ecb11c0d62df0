// The HTTP side of a whole gateway on a real socket: what it rejects, and with which bodies.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningReference, startReference } from "../compose.ts";

let folder: string;
let gateway: RunningReference;
let url: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  gateway = await startReference({
    stateFolder: folder,
    address: "127.0.0.1",
    httpPort: 0,
    httpsPort: 0,
    pathPrefix: "/api/v1",
    tokenLifetimeSec: 60,
    isSynced: true,
    areHashesLight: false,
    isSnapshotSupported: false,
    deliveredFile: undefined,
    certificateFile: undefined,
    rebootDelayMs: 5000,
    failuresToLock: 5,
    answerGraceMs: 50,
    timeServer: undefined,
    timePollMs: 64_000,
    adminPassword: "Unit-test1!",
  });
  url = `http://127.0.0.1:${gateway.httpPort}/api/v1`;
  const answer = await request(url)
    .post("/auth")
    .send({ name: "admin", password: "Unit-test1!" })
    .expect(200);
  token = (answer.body as { data: { token: string } }).data.token;
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const signedIn = (call: request.Test): request.Test => call.set("Authorization", `Bearer ${token}`);

test("a wrong field is named with what was expected and found", async () => {
  const answer = await signedIn(request(url).put("/system/sshserver"))
    .send({ enable: "yes", port: 22 })
    .expect(400);
  expect(answer.body).toEqual({
    error: { code: 40_000, message: 'enable: expected boolean, found string "yes"' },
  });
});

test("unknown ids are 404, wrong methods 405 with the right ones, unknown paths 404", async () => {
  const role = await signedIn(request(url).get("/roles/999999"));
  const method = await signedIn(request(url).delete("/system/sshserver"));
  const path = await signedIn(request(url).get("/nowhere"));
  expect([role.status, method.status, path.status]).toEqual([404, 405, 404]);
  expect(method.headers["allow"]).toBe("GET, PUT");
});

test("bodies that are not JSON, too large or of another media type are rejected", async () => {
  const put = (type: string, body: string): request.Test =>
    signedIn(request(url).put("/system/sshserver")).set("Content-Type", type).send(body);
  const large = await signedIn(request(url).post("/events")).send({
    category: "x".repeat(2_000_000),
    event: "e",
    origin: "o",
  });
  const statuses = [
    (await put("application/json", "{")).status,
    large.status,
    (await put("text/plain", "enable")).status,
  ];
  expect(statuses).toEqual([400, 413, 415]);
});

test("calls without a token or with an altered one are rejected", async () => {
  const none = await request(url).get("/users");
  const changed = await request(url)
    .get("/users")
    .set("Authorization", `Bearer ${token.slice(0, -4)}AAAA`);
  expect([none.status, changed.status]).toEqual([401, 401]);
});

test("tag operations accept the token in their own header, and reject with a message", async () => {
  await request(url).get("/tags/list").set("mx-api-token", token).expect(200);
  const answer = await request(url).get("/tags/access/no/such/tag").set("mx-api-token", token).expect(404);
  expect(answer.body).toEqual({ message: "the tag no/such/tag does not exist" });
});

test("direct tag access rejects every wrong input with a message", async () => {
  const write = request(url).put("/tags/access/a/b/c").set("mx-api-token", token);
  const broken = await write.set("Content-Type", "application/json").send("{").expect(400);
  const nobody = await request(url).get("/tags/access/a/b/c").expect(401);
  const method = await request(url).post("/tags/access/a/b/c").expect(405);
  for (const { body } of [broken, nobody, method] as { body: object }[])
    expect(Object.keys(body)).toEqual(["message"]);
});

test("a call without a sign-in is rejected before its body is read", async () => {
  const call = request(url).post("/roles").set("Content-Type", "application/json").send("{");
  expect((await call).status).toBe(401);
});

test("fields of a form follow the same rules as members of a body", async () => {
  const put = async (field: string, value: string): Promise<[number, unknown]> => {
    const answer = await signedIn(request(url).put("/system/httpserver")).field(field, value);
    return [answer.status, (answer.body as { error?: { message: string } }).error?.message];
  };
  expect(await put("httpPort", "abc")).toEqual([400, 'httpPort: expected integer, found string "abc"']);
  expect(await put("httpEnable", "maybe")).toEqual([
    400,
    'httpEnable: expected boolean, found string "maybe"',
  ]);
  expect(await put("httpEnable", "true")).toEqual([200, undefined]);
});

test("an upload over the limit is rejected with its own code, and leaves no file", async () => {
  const answer = await signedIn(request(url).put("/system/configuration"))
    .attach("file", Buffer.alloc(8 * 1024 * 1024 + 1), "large.tar.gz")
    .expect(400);
  expect((answer.body as { error: { code: number } }).error.code).toBe(10_000);
  expect(await readdir(join(folder, "incoming"))).toEqual([]);
});

test("JSON with deep nesting, a prototype or an endless number is rejected", async () => {
  const put = async (enable: string): Promise<number> =>
    (
      await signedIn(request(url).put("/system/sshserver"))
        .set("Content-Type", "application/json")
        .send(`{"port":22,"enable":${enable}}`)
    ).status;
  const depth = 100_000;
  const bodies = [`${"[".repeat(depth)}${"]".repeat(depth)}`, `{"__proto__":{"a":1}}`, "9".repeat(500)];
  for (const body of bodies) expect(await put(body)).toBe(400);
});

test("a number beyond double precision is not an integer, and is not stored", async () => {
  for (const number of ["1e400", "-1e400", `1${"0".repeat(400)}`]) {
    await signedIn(request(url).put("/system/log"))
      .set("Content-Type", "application/json")
      .send(`{"timeToLiveSec":${number}}`)
      .expect(400);
  }
  const log = await signedIn(request(url).get("/system/log")).expect(200);
  expect((log.body as { data: { timeToLiveSec: unknown } }).data.timeToLiveSec).toBeTypeOf("number");
});

test("malformed ids are rejected, by extensions as well", async () => {
  const statuses = await Promise.all([
    signedIn(request(url).get("/roles/1.5")),
    signedIn(request(url).delete("/roles/abc")),
    signedIn(request(url).delete("/users/999999")),
    signedIn(request(url).get("/tags/access/%ff/b/c")),
  ]);
  expect(statuses.map((answer) => answer.status)).toEqual([400, 400, 404, 400]);
});

test("names of the greatest length arrive whole", async () => {
  const path = ["あ", "い", "う"].map((letter) => encodeURIComponent(letter.repeat(1024))).join("/");
  const answer = await request(url).get(`/tags/access/${path}`).set("mx-api-token", token);
  expect(answer.status).toBe(404);
});

test("an offer of HTTP/2 is ignored", async () => {
  const offer = {
    Connection: "Upgrade, HTTP2-Settings",
    Upgrade: "h2c",
    "HTTP2-Settings": "AAMAAABkAAQAAP__",
  };
  expect((await signedIn(request(url).get("/users")).set(offer)).status).toBe(200);
});

test("snapshots cannot be enabled on a device without them", async () => {
  const answer = await signedIn(request(url).patch("/system/upgrade"))
    .send({ enableSnapshot: true })
    .expect(400);
  expect((answer.body as { error: { message: string } }).error.message).toMatch(/^enableSnapshot: /);
});

test("the OpenAPI document has every operation of the interface", async () => {
  const answer = await request(url).get("/openapi.json").expect(200);
  const { openapi, paths } = answer.body as { openapi: string; paths: Record<string, object> };
  expect(openapi).toBe("3.1.0");
  expect(Object.values(paths).flatMap((item) => Object.keys(item))).toHaveLength(58);
});
