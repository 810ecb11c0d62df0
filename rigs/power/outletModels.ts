// Outlets with an HTTP interface of their own, as data: a row describes a model.
// Tried with: HTTP servers in outletModels.test.ts that keep state and demand passwords as the devices do. No hardware.
import Type, { type Static } from "typebox";
import { type BenchAccess, type DrivenSwitch, SecretName, secretIn, strict } from "./driver.ts";
import { askOutlet } from "./httpRequest.ts";

/** In paths and members, `{relay}` stands for the number of the relay. */
interface OutletModel {
  readonly on: string;
  readonly off: string;
  readonly read: string;
  /** Member of the JSON answer to `read`, for every relay; and one for the first relay alone. */
  readonly state: string;
  readonly stateOfFirst?: string;
  readonly isOn: string | boolean;
  readonly isOff: string | boolean;
  readonly firstRelay: number;
  /** `query`: user and password are appended to the path; `challenge`: Basic or Digest, as the device demands. */
  readonly signIn: "query" | "challenge";
}

/** Commands of Tasmota over HTTP; https://tasmota.github.io/docs/Commands. */
const tasmota: OutletModel = {
  on: "/cm?cmnd=Power{relay}%20On",
  off: "/cm?cmnd=Power{relay}%20Off",
  read: "/cm?cmnd=Power{relay}",
  state: "POWER{relay}",
  // Devices with one relay answer without its number.
  stateOfFirst: "POWER",
  isOn: "ON",
  isOff: "OFF",
  firstRelay: 1,
  signIn: "query",
};

/** Shelly of the first generation; https://shelly-api-docs.shelly.cloud/gen1. */
const shellyGen1: OutletModel = {
  on: "/relay/{relay}?turn=on",
  off: "/relay/{relay}?turn=off",
  read: "/relay/{relay}",
  state: "ison",
  isOn: true,
  isOff: false,
  firstRelay: 0,
  signIn: "challenge",
};

/** Shelly of later generations; https://shelly-api-docs.shelly.cloud/gen2. */
const shellyRpc: OutletModel = {
  ...shellyGen1,
  on: "/rpc/Switch.Set?id={relay}&on=true",
  off: "/rpc/Switch.Set?id={relay}&on=false",
  read: "/rpc/Switch.GetStatus?id={relay}",
  state: "output",
};

const drivers = {
  tasmota: { model: () => Promise.resolve(tasmota), firstRelay: tasmota.firstRelay },
  shelly: { model: shellyModel, firstRelay: shellyGen1.firstRelay },
};

const shared = {
  url: Type.String({ pattern: "^https?://[^/?#]+/?$" }),
  /** Number of the relay; default the first: 1 for Tasmota, 0 for Shelly. */
  relay: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
  /** Default admin. */
  user: Type.Optional(Type.String({ minLength: 1 })),
  passwordEnvironment: Type.Optional(SecretName),
};
export const TasmotaSettings = Type.Object({ driver: Type.Literal("tasmota"), ...shared }, strict);
export const ShellySettings = Type.Object({ driver: Type.Literal("shelly"), ...shared }, strict);

const shownOfAnswer = 120;

export function modelSwitch(
  settings: Static<typeof TasmotaSettings> | Static<typeof ShellySettings>,
  bench: BenchAccess,
): DrivenSwitch {
  const { driver, user = "admin", passwordEnvironment } = settings;
  const { model, firstRelay } = drivers[driver];
  const { origin, host } = new URL(settings.url);
  const relay = settings.relay ?? firstRelay;
  let known: Promise<OutletModel> | undefined;
  const modelNow = async (): Promise<OutletModel> => {
    known ??= model(origin);
    // A device that did not answer is asked again.
    return known.catch((thrown: unknown) => {
      known = undefined;
      throw thrown;
    });
  };
  const ask = async (of: (model: OutletModel) => string): Promise<unknown> => {
    const one = await modelNow();
    const signIn =
      passwordEnvironment === undefined
        ? undefined
        : { user, password: secretIn(bench, passwordEnvironment) };
    const path = of(one).replaceAll("{relay}", String(relay));
    const query =
      signIn === undefined || one.signIn !== "query"
        ? ""
        : `&user=${encodeURIComponent(user)}&password=${encodeURIComponent(signIn.password)}`;
    const text = await askOutlet({ url: origin + path + query }, signIn);
    return JSON.parse(text) as unknown;
  };
  return {
    name: `${driver} ${host} relay ${relay}`,
    wire: `switch ${driver} ${host} relay ${relay}`,
    set: async (isOn) => void (await ask((one) => (isOn ? one.on : one.off))),
    read: async () => stateIn(await ask((one) => one.read), await modelNow(), relay),
  };
}

function stateIn(answer: unknown, model: OutletModel, relay: number): boolean {
  const members = [
    model.state.replaceAll("{relay}", String(relay)),
    ...(relay === model.firstRelay && model.stateOfFirst !== undefined ? [model.stateOfFirst] : []),
  ];
  const found: unknown = members
    .map((name): unknown =>
      typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined,
    )
    .find((value) => value !== undefined);
  if (found === model.isOn) return true;
  if (found === model.isOff) return false;
  throw new Error(
    `expected ${members.join(" or ")} to be ${model.isOn} or ${model.isOff}, found ${JSON.stringify(answer).slice(0, shownOfAnswer)}`,
  );
}

/** The device names its generation to everybody; those of the first have no such member. */
async function shellyModel(origin: string): Promise<OutletModel> {
  const about = JSON.parse(await askOutlet({ url: `${origin}/shelly` })) as { readonly gen?: unknown };
  return about.gen === undefined ? shellyGen1 : shellyRpc;
}
