// An outlet of a power distribution unit, or a port of a PoE switch, over SNMP v1, v2c or v3.
// Tried with: the agent of the package net-snmp in snmp.test.ts; snmpd 5.9.3 of Debian with objects of apc-rpdu and
// apc-rpdu2, over v1, v2c and v3 (SHA and SHA-256, with and without AES). No hardware.
import { isIPv6 } from "node:net";
import Type, { type Static } from "typebox";
import type { Session, Varbind } from "net-snmp";
import {
  answerWithinMs,
  type BenchAccess,
  type DrivenSwitch,
  SecretName,
  secretIn,
  strict,
} from "./driver.ts";
import { type OutletObjects, type SnmpModel, snmpModels } from "./snmpModels.ts";

const Oid = Type.String({ pattern: "^\\.?\\d+(\\.\\d+)+(\\.\\{outlet\\})?$" });
const authProtocols = ["md5", "sha", "sha224", "sha256", "sha384", "sha512"] as const;
const privacyProtocols = ["aes", "aes256b", "aes256r"] as const;

export const SnmpSettings = Type.Object(
  {
    driver: Type.Literal("snmp"),
    host: Type.String({ minLength: 1 }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    model: Type.Optional(Type.Unsafe<SnmpModel>(Type.Enum(Object.keys(snmpModels)))),
    /** Number of the outlet; GROUP.PORT for a port of a PoE switch. */
    outlet: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: "^\\d+(\\.\\d+)*$" })]),
    /** Objects of another MIB, in place of those of the model or beside them. */
    objects: Type.Optional(
      Type.Object(
        {
          set: Type.Optional(Oid),
          on: Type.Optional(Type.Integer()),
          off: Type.Optional(Type.Integer()),
          read: Type.Optional(Oid),
          isOn: Type.Optional(Type.Integer()),
          isOff: Type.Optional(Type.Integer()),
        },
        strict,
      ),
    ),
    /** For v1 and v2c. */
    communityEnvironment: Type.Optional(SecretName),
    /** Of the community; default v2c. */
    version: Type.Optional(Type.Enum(["v1", "v2c"])),
    v3: Type.Optional(
      Type.Object(
        {
          user: Type.String({ minLength: 1 }),
          /** Default sha. */
          auth: Type.Optional(Type.Enum([...authProtocols])),
          authEnvironment: SecretName,
          /** Default aes, that is AES-128. */
          privacy: Type.Optional(Type.Enum([...privacyProtocols])),
          /** Without it nothing is encrypted. */
          privacyEnvironment: Type.Optional(SecretName),
        },
        strict,
      ),
    ),
  },
  strict,
);
type SnmpSettings = Static<typeof SnmpSettings>;

const snmpPort = 161;
const triesOf1s = 4;

/** What the schema cannot say; undefined when the settings are complete. */
export function snmpProblem({
  communityEnvironment,
  v3,
  model,
  objects,
  version,
}: SnmpSettings): string | undefined {
  if ((communityEnvironment === undefined) === (v3 === undefined))
    return `expected communityEnvironment or v3, found ${v3 === undefined ? "neither" : "both"}`;
  if (v3 !== undefined && version !== undefined)
    return "expected version beside communityEnvironment, found v3";
  if (v3?.privacy !== undefined && v3.privacyEnvironment === undefined)
    return "expected privacyEnvironment beside privacy, found none";
  const { set, on, off } = { ...(model === undefined ? {} : snmpModels[model]), ...objects };
  if (set === undefined || on === undefined || off === undefined)
    return `expected model (${Object.keys(snmpModels).join(", ")}) or set, on and off in objects`;
  return undefined;
}

export function snmpSwitch(settings: SnmpSettings, bench: BenchAccess): DrivenSwitch {
  const { host, port = snmpPort, outlet, model, objects } = settings;
  const where = port === snmpPort ? host : `${host}:${port}`;
  const known: Partial<OutletObjects> = {
    ...(model === undefined ? {} : snmpModels[model]),
    ...objects,
  };
  const { set = "", on = 1, off = 0, read } = known;
  const oid = (template: string): string => template.replace(/^\./, "").replace("{outlet}", String(outlet));
  const withSession = async <T>(action: (session: Session) => Promise<T>): Promise<T> => {
    const session = await openSession(settings, bench);
    try {
      return await action(session);
    } finally {
      session.close();
    }
  };
  return {
    name: `outlet ${outlet} of ${where}`,
    wire: `switch ${host}:${port} outlet ${outlet}`,
    set: (isOn) =>
      withSession(async (session) => {
        const { ObjectType } = await import("net-snmp");
        const change = { oid: oid(set), type: ObjectType.Integer, value: isOn ? on : off };
        await answered(where, (done) => session.set([change], done));
      }),
    ...(read === undefined
      ? {}
      : {
          read: async () =>
            stateOf(
              await withSession((session) => answered(where, (done) => session.get([oid(read)], done))),
              { oid: oid(read), isOn: known.isOn ?? on, isOff: known.isOff ?? off },
            ),
        }),
  };
}

async function openSession(settings: SnmpSettings, bench: BenchAccess): Promise<Session> {
  const snmp = (await import("net-snmp")).default;
  const { host, port = snmpPort, communityEnvironment = "", version = "v2c", v3 } = settings;
  const options = {
    port,
    transport: isIPv6(host) ? ("udp6" as const) : ("udp4" as const),
    timeout: answerWithinMs / (triesOf1s + 1),
    retries: triesOf1s,
    backoff: 1,
  };
  const session =
    v3 === undefined
      ? snmp.createSession(host, secretIn(bench, communityEnvironment), {
          ...options,
          version: version === "v1" ? snmp.Version1 : snmp.Version2c,
        })
      : snmp.createV3Session(
          host,
          {
            name: v3.user,
            authProtocol: snmp.AuthProtocols[v3.auth ?? "sha"],
            authKey: secretIn(bench, v3.authEnvironment),
            ...(v3.privacyEnvironment === undefined
              ? { level: snmp.SecurityLevel.authNoPriv }
              : {
                  level: snmp.SecurityLevel.authPriv,
                  privProtocol: snmp.PrivProtocols[v3.privacy ?? "aes"],
                  privKey: secretIn(bench, v3.privacyEnvironment),
                }),
          },
          { ...options, version: snmp.Version3 },
        );
  // A message that is no answer to a request must not end the program.
  return session.on("error", () => undefined);
}

/** The first variable of the answer. Throws an Error that says what an agent's silence can mean. */
async function answered(
  where: string,
  request: (done: (failure: Error | null, varbinds?: Varbind[]) => void) => unknown,
): Promise<Varbind | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Varbind | undefined>();
  request((failure, varbinds) => (failure === null ? resolve(varbinds?.[0]) : reject(failure)));
  return promise.catch((thrown: Error) => {
    throw new Error(
      thrown.name === "RequestTimedOutError"
        ? `no SNMP answer from ${where} within ${answerWithinMs / 1000} s: wrong address, or an agent that ignores this host, the community or the privacy secret`
        : `SNMP agent ${where}: ${thrown.message}`,
      { cause: thrown },
    );
  });
}

function stateOf(
  found: Varbind | undefined,
  { oid, isOn, isOff }: { readonly oid: string; readonly isOn: number; readonly isOff: number },
): boolean {
  const value: unknown = found?.value;
  if (value === isOn) return true;
  if (value === isOff) return false;
  throw new Error(
    `object ${oid}: expected ${isOn} for on or ${isOff} for off, found ${typeof value === "number" ? value : "no such object"}. Fix: check model and outlet`,
  );
}
