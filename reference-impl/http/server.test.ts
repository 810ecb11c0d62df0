// The HTTP side of a whole gateway on a real socket: what it refuses, and how it says so.
import { mkdtemp, rm } from "node:fs/promises";
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
    isSnapshotSupported: false,
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

test("bodies that are no JSON, too large or of another media type are refused", async () => {
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

test("without a token, or with one that was changed, nothing is answered", async () => {
  const none = await request(url).get("/users");
  const changed = await request(url)
    .get("/users")
    .set("Authorization", `Bearer ${token.slice(0, -4)}AAAA`);
  expect([none.status, changed.status]).toEqual([401, 401]);
});

test("tag operations take the token in their own header, and refuse with a message", async () => {
  await request(url).get("/tags/list").set("mx-api-token", token).expect(200);
  const answer = await request(url).get("/tags/access/no/such/tag").set("mx-api-token", token).expect(404);
  expect(answer.body).toEqual({ message: "the tag no/such/tag does not exist" });
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
