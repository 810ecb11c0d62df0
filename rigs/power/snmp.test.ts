import { createSocket } from "node:dgram";
import { once } from "node:events";
import snmp from "net-snmp";
import { expect, test } from "vitest";
import { switchConfirmed } from "./power.ts";
import { type SnmpModel, snmpModels } from "./snmpModels.ts";
import { makeSwitch, switchProblem } from "./switch.ts";

const environment = { COMMUNITY: "lab-rw", AUTH: "auth-secret-1", PRIVACY: "privacy-secret-1" };
const bench = { environment, terminal: { isPresent: false, ask: () => Promise.resolve(undefined) } };

/** What this test uses of an agent; the types of the package leave it open. */
interface Agent {
  getMib(): { setScalarValue(name: string, value: number): void; getScalarValue(name: string): number };
  getAuthorizer(): { addCommunity(name: string): void; addUser(user: object): void };
  registerProvider(provider: object): void;
  close(done: () => void): void;
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}

/** An agent with outlet 3 of each model; a command shows in the state after a delay, as on a real unit. */
async function pdu({ isStuck = false }: { readonly isStuck?: boolean } = {}): Promise<
  AsyncDisposable & { readonly port: number; readonly agent: Agent }
> {
  const port = await freeUdpPort();
  const agent = snmp.createAgent({ port, address: "127.0.0.1" }, () => undefined) as Agent;
  agent.getAuthorizer().addCommunity("lab-rw");
  agent.getAuthorizer().addUser({
    name: "lab",
    level: snmp.SecurityLevel.authPriv,
    authProtocol: snmp.AuthProtocols.sha256,
    authKey: environment.AUTH,
    privProtocol: snmp.PrivProtocols.aes,
    privKey: environment.PRIVACY,
  });
  // An outlet is the last number of the object, as a scalar is 0.
  const scalar = (name: string, oid: string, handler?: (request: { done(): void }) => void): void =>
    agent.registerProvider({
      name,
      type: snmp.MibProviderType.Scalar,
      oid: oid.replace(".{outlet}", ""),
      scalarType: snmp.ObjectType.Integer,
      maxAccess: snmp.MaxAccess["read-write"],
      ...(handler === undefined ? {} : { handler }),
    });
  const mib = agent.getMib();
  for (const [name, model] of Object.entries(snmpModels)) {
    const { isOn, isOff } = { isOn: model.on, isOff: model.off, ...model };
    const isOneObject = model.read === model.set;
    if (!isOneObject) scalar(`${name} state`, model.read);
    scalar(`${name} command`, model.set, (request) => {
      request.done();
      if (isOneObject || isStuck) return;
      const state = mib.getScalarValue(`${name} command`) === model.on ? isOn : isOff;
      setTimeout(() => mib.setScalarValue(`${name} state`, state), 150);
    });
    mib.setScalarValue(`${name} command`, model.off);
    if (!isOneObject) mib.setScalarValue(`${name} state`, isOff);
  }
  return {
    port,
    agent,
    [Symbol.asyncDispose]: () => new Promise((resolve) => agent.close(resolve)),
  };
}

const at = (port: number) =>
  ({ driver: "snmp", host: "127.0.0.1", port, outlet: 0, communityEnvironment: "COMMUNITY" }) as const;

test.each(Object.keys(snmpModels) as SnmpModel[])(
  "an outlet of %s is switched, and reports its state",
  async (model) => {
    await using unit = await pdu();
    const outlet = makeSwitch({ ...at(unit.port), model }, bench);
    expect(await outlet.read?.()).toBe(false);
    expect(await switchConfirmed(outlet, true)).toBe(true);
    expect(unit.agent.getMib().getScalarValue(`${model} command`)).toBe(1);
    expect(await switchConfirmed(outlet, false)).toBe(false);
  },
);

test("v3 signs and encrypts; an unknown user is named, and no secret is part of a message", async () => {
  await using unit = await pdu();
  const { communityEnvironment: _none, ...rest } = at(unit.port);
  const v3 = { user: "lab", auth: "sha256", authEnvironment: "AUTH", privacyEnvironment: "PRIVACY" } as const;
  const outlet = makeSwitch({ ...rest, model: "apc-rpdu", v3 }, bench);
  expect(await switchConfirmed(outlet, true)).toBe(true);
  const wrong = makeSwitch({ ...rest, model: "apc-rpdu", v3: { ...v3, user: "nobody" } }, bench);
  const failure = await wrong.read?.().catch(String);
  expect(failure).toMatch(/SNMP agent 127\.0\.0\.1:\d+: Unknown User Name/);
  expect(failure).not.toContain(environment.AUTH);
  expect([outlet.name, outlet.wire].join()).not.toContain(environment.AUTH);
});

test("objects of the rack file replace those of a model", async () => {
  await using unit = await pdu();
  const { set, read } = snmpModels.raritan;
  const objects = { set, on: 1, off: 0, read: `.${read}`, isOn: 7, isOff: 8 };
  const outlet = makeSwitch({ ...at(unit.port), objects }, bench);
  expect(await switchConfirmed(outlet, true)).toBe(true);
  // The rows of APC have opposite numbers for the same states.
  const swapped = makeSwitch({ ...at(unit.port), model: "apc-rpdu2", objects: { isOn: 1, isOff: 2 } }, bench);
  expect(await swapped.read?.()).toBe(true);
});

test("an outlet that keeps its state is not confirmed, and a missing outlet is named", async () => {
  await using unit = await pdu({ isStuck: true });
  const stuck = makeSwitch({ ...at(unit.port), model: "apc-rpdu" }, bench);
  await expect(switchConfirmed(stuck, true, 100)).rejects.toThrow(
    /^outlet 0 of 127\.0\.0\.1:\d+ was switched on and reports off after 0\.1 s$/,
  );
  const missing = makeSwitch({ ...at(unit.port), model: "apc-rpdu", outlet: 9 }, bench);
  await expect(missing.read?.()).rejects.toThrow(/expected 1 for on or 2 for off, found no such object/);
  const unset = makeSwitch({ ...at(unit.port), model: "apc-rpdu", communityEnvironment: "UNSET" }, bench);
  await expect(unset.read?.()).rejects.toThrow("environment variable UNSET is not set");
});

test.each([
  [{ communityEnvironment: undefined }, "expected communityEnvironment or v3, found neither"],
  [{ v3: { user: "a", authEnvironment: "B" } }, "expected communityEnvironment or v3, found both"],
  [{ model: undefined }, "expected model (apc-rpdu, "],
  [
    { communityEnvironment: undefined, v3: { user: "a", authEnvironment: "B", privacy: "aes" } },
    "privacyEnvironment",
  ],
] as const)("incomplete settings are a problem: %j", (change, problem) => {
  const settings = { ...at(161), model: "apc-rpdu", ...change };
  expect(switchProblem(JSON.parse(JSON.stringify(settings)) as never)).toContain(problem);
});
