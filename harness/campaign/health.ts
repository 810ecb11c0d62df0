// Before the first case: whether the gateway can be tested at all. A failure here is a failure of the lab, not of the gateway.
import type { Trouble } from "../../record/index.ts";
import type { GatewayConnection } from "../client/connection.ts";
import { probeOnce } from "../measurement/aliveProbe.ts";
import { smallReading } from "../profile/offered.ts";
import { tlsErrorCode } from "../transport/tlsIdentity.ts";
import { Recorder } from "./recorder.ts";

const probeWithinMs = 2000;
const answerWithinMs = 5000;

/** Connects over HTTP, signs in and reads one setting; answers what failed, undefined when nothing did. */
export async function checkHealth(connection: GatewayConnection): Promise<Trouble | undefined> {
  return (await reach(connection)) ?? (await signIn(connection)) ?? (await read(connection));
}

function failed(part: string, expected: string, found: string, remedy: string): Trouble {
  return { kind: "health-check", part, expected, found, remedy };
}

async function reach({ clock, baseUrl }: GatewayConnection): Promise<Trouble | undefined> {
  const probe = await probeOnce(clock, new URL(`${baseUrl}/`), probeWithinMs);
  if (probe.isAlive) return undefined;
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

async function signIn(connection: GatewayConnection): Promise<Trouble | undefined> {
  const { profile } = connection;
  if (profile.binding.get("signIn")?.served !== true) return undefined;
  const view = connection.view(new Recorder(), AbortSignal.timeout(answerWithinMs * 2));
  const { name, password } = profile.credentials;
  const answer = await view.anonymous.call("signIn", {
    json: { name, password, acceptEULA: true },
    patienceMs: answerWithinMs,
  });
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
  const { data } = (answer.json ?? {}) as { data?: { token?: unknown } };
  if (typeof data?.token === "string" && data.token !== "") return undefined;
  return failed(
    "sign-in",
    expected,
    answer.summary(),
    "check that the URL is that of the gateway's interface",
  );
}

async function read(connection: GatewayConnection): Promise<Trouble | undefined> {
  const reading = smallReading(connection.profile);
  if (reading === undefined) return undefined;
  const view = connection.view(new Recorder(), AbortSignal.timeout(answerWithinMs * 2));
  const answer = await view.admin.call(reading, { patienceMs: answerWithinMs });
  return answer.accepted
    ? undefined
    : failed(
        "reading",
        `${reading} succeeds for the administrator`,
        answer.summary(),
        "check the token header (binding.token) and the path prefix of the profile",
      );
}
