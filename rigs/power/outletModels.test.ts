import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { switchConfirmed } from "./power.ts";
import { makeSwitch } from "./switch.ts";

const password = "plug & play?";
const bench = {
  environment: { PLUG: password, WRONG: "not it" },
  terminal: { isPresent: false, ask: () => Promise.resolve(undefined) },
};

type Handler = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

/** A device of two relays; the handler answers with JSON. */
async function device(handler: Handler): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const answer = handler(new URL(request.url ?? "", "http://device"), request, response);
    if (!response.writableEnded) response.end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const refuse = (response: ServerResponse, challenge?: string): unknown => {
  response.writeHead(401, challenge === undefined ? {} : { "www-authenticate": challenge });
  return { WARNING: "Need user=<username>&password=<password>" };
};

/** Tasmota: one command a request, user and password in the query; one relay has no number in the answer. */
function tasmota(relays: number): Handler {
  const on = new Set<number>();
  return ({ pathname, searchParams }, _request, response) => {
    if (pathname !== "/cm") return response.writeHead(404).end();
    if (searchParams.get("user") !== "admin" || searchParams.get("password") !== password)
      return refuse(response);
    const [, number = "", word = ""] =
      /^Power(\d+)(?: (On|Off))?$/.exec(searchParams.get("cmnd") ?? "") ?? [];
    const relay = Number(number);
    if (relay < 1 || relay > relays) return { Command: "Error" };
    if (word === "On") on.add(relay);
    if (word === "Off") on.delete(relay);
    return { [relays === 1 ? "POWER" : `POWER${relay}`]: on.has(relay) ? "ON" : "OFF" };
  };
}

/** Shelly of the first generation: Basic. */
function shellyGen1(): Handler {
  const on = new Set<string>();
  const credentials = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
  return ({ pathname, searchParams }, { headers }, response) => {
    if (pathname === "/shelly") return { type: "SHSW-25", auth: true, num_outputs: 2 };
    if (headers.authorization !== credentials) return refuse(response, 'Basic realm="shellyswitch25"');
    const [, relay = ""] = /^\/relay\/([01])$/.exec(pathname) ?? [];
    if (relay === "") return response.writeHead(404).end();
    if (searchParams.get("turn") === "on") on.add(relay);
    if (searchParams.get("turn") === "off") on.delete(relay);
    return { ison: on.has(relay), has_timer: false };
  };
}

/** Shelly of the second generation: remote procedures behind Digest with SHA-256. */
function shellyGen2(): Handler {
  const on = new Set<number>();
  const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
  return ({ pathname, searchParams }, { headers, method = "", url = "" }, response) => {
    if (pathname === "/shelly") return { id: "shellyplus2pm-1", gen: 2, auth_en: true };
    const member = (name: string): string =>
      new RegExp(`\\b${name}="?([^",]+)"?`).exec(headers.authorization ?? "")?.[1] ?? "";
    const expected = sha(
      [
        sha(`admin:shellyplus2pm-1:${password}`),
        member("nonce"),
        member("nc"),
        member("cnonce"),
        "auth",
        sha(`${method}:${url}`),
      ].join(":"),
    );
    if (member("nonce") !== "60d2a7f1" || member("response") !== expected)
      return refuse(
        response,
        'Digest qop="auth", realm="shellyplus2pm-1", nonce="60d2a7f1", algorithm=SHA-256',
      );
    const id = Number(searchParams.get("id"));
    if (id > 1) {
      response.writeHead(500);
      return { code: -105, message: `Argument 'id', value ${id} not found!` };
    }
    const wasOn = on.has(id);
    if (pathname === "/rpc/Switch.GetStatus") return { id, output: wasOn, apower: 0 };
    if (pathname !== "/rpc/Switch.Set") return response.writeHead(404).end();
    if (searchParams.get("on") === "true") on.add(id);
    else on.delete(id);
    return { was_on: wasOn };
  };
}

test.each([
  ["tasmota with one relay", "tasmota", () => tasmota(1), undefined],
  ["tasmota with two relays", "tasmota", () => tasmota(2), 2],
  ["shelly of generation 1", "shelly", shellyGen1, 1],
  ["shelly of generation 2", "shelly", shellyGen2, 1],
] as const)("%s is switched, and reports its state", async (_name, driver, handler, relay) => {
  await using one = await device(handler());
  const settings = { driver, url: one.url, ...(relay === undefined ? {} : { relay }) };
  const plug = makeSwitch({ ...settings, passwordEnvironment: "PLUG" }, bench);
  expect(await plug.read?.()).toBe(false);
  expect(await switchConfirmed(plug, true)).toBe(true);
  expect(await switchConfirmed(plug, false)).toBe(false);
  const other = makeSwitch({ ...settings, relay: 7, passwordEnvironment: "PLUG" }, bench);
  await expect(other.read?.()).rejects.toThrow(/found \{"Command":"Error"\}|answered (404|500)/);
  const wrong = makeSwitch({ ...settings, passwordEnvironment: "WRONG" }, bench);
  await expect(wrong.set(true)).rejects.toThrow(
    new RegExp(`^${one.url}/[\\w./]+ answered 401: it rejected user admin or the password$`),
  );
  const none = makeSwitch(settings, bench);
  await expect(none.set(true)).rejects.toThrow("it needs a password. Fix: set passwordEnvironment");
});

test("a Shelly that was away is asked again for its generation", async () => {
  let isAway = true;
  const handler = shellyGen1();
  await using one = await device((url, request, response) =>
    isAway ? response.writeHead(503).end() : handler(url, request, response),
  );
  const plug = makeSwitch({ driver: "shelly", url: one.url, passwordEnvironment: "PLUG" }, bench);
  await expect(plug.read?.()).rejects.toThrow(/\/shelly answered 503/);
  isAway = false;
  expect(await plug.read?.()).toBe(false);
});

test("an http outlet of the rack file may demand a password", async () => {
  let isOn = false;
  const credentials = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
  await using one = await device(({ pathname }, { headers }, response) => {
    if (headers.authorization !== credentials) return refuse(response, 'Basic realm="outlet"');
    if (pathname !== "/") isOn = pathname === "/on";
    return { power: isOn ? "on" : "off" };
  });
  const plug = makeSwitch(
    {
      driver: "http",
      on: { url: `${one.url}/on` },
      off: { url: `${one.url}/off` },
      read: { url: one.url },
      passwordEnvironment: "PLUG",
    },
    bench,
  );
  expect(await switchConfirmed(plug, true)).toBe(true);
  expect(await switchConfirmed(plug, false)).toBe(false);
});
