// Before the first case: whether the gateway can be tested at all. A failure here is a failure of the lab, not of the gateway.
import type { RunningGateway } from "../../rigs/index.ts";
import type { Trouble } from "../../record/index.ts";
import type { GatewayConnection } from "../client/connection.ts";
import { probeOnce } from "../measurement/aliveProbe.ts";
import type { Profile } from "../profile/profile.ts";
import { smallReading } from "../profile/offered.ts";
import type { Answer } from "../transport/answer.ts";
import { tlsErrorCode } from "../transport/tlsIdentity.ts";
import { Recorder } from "./recorder.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const probeWithinMs = 2000;
const defaultAnswerMs = 5000;
const noteClockFromMs = 5000;
const firstPollWithinMs = 5000;
/** RFC 9110, 15.6.4: unable to handle the request now. */
const notReadyStatus = 503;
const notReadyPauseMs = 250;

export interface HealthWish {
  readonly connection: GatewayConnection;
  readonly gateway: Pick<RunningGateway, "kind" | "field" | "notStarted">;
  /** Whether a case of the run uses the field devices. */
  readonly needsField: boolean;
  readonly note: (text: string) => void;
}

/** Connects over HTTP, signs in, reads one setting and checks the wires; answers what failed, undefined without a failure. */
export async function checkHealth({
  connection,
  gateway,
  needsField,
  note,
}: HealthWish): Promise<Trouble | undefined> {
  const { notStarted } = gateway;
  const trouble = (await reach(connection)) ?? (notStarted === undefined ? undefined : unstarted(notStarted));
  if (trouble !== undefined) return trouble;
  const signedIn = await signIn(connection);
  if (typeof signedIn === "object") return signedIn;
  if (signedIn === "without token")
    note("the gateway accepts the sign-in and shows no token at `data.token`; the cases judge it");
  return (
    (signedIn === "without token" ? undefined : await read(connection, note)) ??
    (needsField && gateway.kind === "remote" ? await wires(gateway) : undefined)
  );
}

function unstarted(found: string): Trouble {
  return failed(
    "start",
    "the rig of the gateway starts",
    found,
    'check the part that is named ("rackproof doctor --rack FILE" checks every wire), or run without it: --without PART',
  );
}

function failed(part: string, expected: string, found: string, remedy: string): Trouble {
  return { kind: "health-check", part, expected, found, remedy };
}

/** How long one answer may take: the declared patience, or what a run may wait in vain. */
function answerWithinMs({ declared, patience }: Profile): number {
  return declared.has("patience.answerMs") ? patience.answerMs : Math.min(defaultAnswerMs, patience.answerMs);
}

async function reach({ clock, baseUrl }: GatewayConnection): Promise<Trouble | undefined> {
  const probe = await probeOnce(clock, new URL(`${baseUrl}/`), probeWithinMs);
  // What a server in front says at this address need not hold for the operations: they are tried next.
  if (probe.isAlive || probe.outcome === "unavailable") return undefined;
  const found = {
    refused: "the connection was refused or closed",
    unreachable: `no connection within ${probeWithinMs} ms`,
    silent: `a connection, but no byte within ${probeWithinMs} ms`,
    answered: "an answer",
  }[probe.outcome];
  return failed(
    "reachable",
    `an HTTP answer at ${baseUrl}`,
    found,
    "check the URL, the port, the scheme (http or https) and the cable",
  );
}

async function signIn(connection: GatewayConnection): Promise<Trouble | "with token" | "without token"> {
  const { profile } = connection;
  if (profile.binding.get("signIn")?.served !== true) return "with token";
  const patienceMs = answerWithinMs(profile);
  const view = connection.view(new Recorder(), AbortSignal.timeout(patienceMs * 2));
  const { name, password } = profile.credentials;
  const { clock } = connection;
  const startedMs = clock.nowMs();
  const attempt = (): Promise<Answer<"signIn">> =>
    view.anonymous.call("signIn", { json: { name, password, acceptEULA: true }, patienceMs });
  let answer = await attempt();
  // A gateway that boots may accept connections before the services behind them run.
  while (answer.status === notReadyStatus && clock.nowMs() - startedMs < patienceMs) {
    await clock.delay(notReadyPauseMs);
    answer = await attempt();
  }
  const path = profile.binding.get("signIn")?.path ?? "";
  const expected = `sign-in as ${name} answers 200 with a token`;
  const { noAnswer } = answer.exchange;
  if (noAnswer?.code === tlsErrorCode) {
    return failed(
      "certificate",
      "the certificate that the profile declares (tls)",
      noAnswer.message,
      "check what answers at this address; no password was sent. A gateway with a new certificate needs a new tls.fingerprint",
    );
  }
  if (!answer.accepted) {
    const remedy =
      answer.status === 401 || answer.status === 403
        ? "check credentials.name and the password of the profile"
        : `check that a gateway answers here and that the profile's binding names its sign-in path (${path})`;
    return failed("sign-in", expected, answer.summary(), remedy);
  }
  const { json } = answer;
  if (typeof json === "object" && json !== null) {
    const { data } = json as { data?: { token?: unknown } };
    return typeof data?.token === "string" && data.token !== "" ? "with token" : "without token";
  }
  return failed(
    "sign-in",
    expected,
    answer.summary(),
    "check that the URL is that of the gateway's interface",
  );
}

async function read(
  connection: GatewayConnection,
  note: (text: string) => void,
): Promise<Trouble | undefined> {
  const { clock, profile } = connection;
  const reading = smallReading(profile);
  if (reading === undefined) return undefined;
  const patienceMs = answerWithinMs(profile);
  const view = connection.view(new Recorder(), AbortSignal.timeout(patienceMs * 2));
  const answer = await view.admin.call(reading, { patienceMs });
  if (answer.accepted) {
    const remark = clockRemark(answer, clock.epochMs());
    if (remark !== undefined) note(remark);
    return undefined;
  }
  return failed(
    "reading",
    `${reading} succeeds for the administrator`,
    answer.summary(),
    "check the token header (binding.token) and the path prefix of the profile",
  );
}

/** A remark when the gateway's clock, by the `Date` of an answer, differs from that of this machine. */
export function clockRemark({ headers }: Pick<Answer, "headers">, nowEpochMs: number): string | undefined {
  const { date } = headers;
  const gatewayMs = date === undefined ? Number.NaN : epochMsOf(date);
  const aheadMs = gatewayMs - nowEpochMs;
  if (!(Math.abs(aheadMs) > noteClockFromMs)) return undefined;
  const size = `${Math.round(Math.abs(aheadMs) / 1000)} s`;
  return `the gateway's clock is ${size} ${aheadMs > 0 ? "ahead of" : "behind"} the clock of this machine (Date ${date})`;
}

async function wires({ field }: Pick<RunningGateway, "field">): Promise<Trouble | undefined> {
  const checked = await Promise.all(
    (field?.devices ?? []).map(async (device) => {
      const startedMs = performance.now();
      // A line shows that it is wired by the requests of its client.
      while (device.requests === 0 && performance.now() - startedMs < firstPollWithinMs)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return (await device.check()).map((check) => ({ name: device.name, ...check }));
    }),
  );
  const broken = checked.flat().find(({ ok }) => !ok);
  if (broken === undefined) return undefined;
  return failed(
    "wires",
    `field device ${broken.name} answers on its wire`,
    `${broken.wire}: ${broken.detail}`,
    `repair the wire, or run without the device: --without 'field ${broken.name}'`,
  );
}
