// A challenge: seed and nonce that a certifier issues just before a run, which the run writes into its signed log.
import { randomBytes, randomInt } from "node:crypto";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { Envelope, envelop, openEnvelope } from "./dsse.ts";

const Challenge = Type.Object(
  {
    format: Type.Literal("rackproof/challenge@1"),
    nonce: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    seed: Type.Integer({ minimum: 1 }),
    issuedAt: Type.String({ format: "rfc3339" }),
    /** The certificate must be issued until then. */
    answerBy: Type.String({ format: "rfc3339" }),
  },
  { additionalProperties: false },
);
export type Challenge = Static<typeof Challenge>;

const mediaType = "application/vnd.rackproof.challenge+json";
const maxSeed = 2 ** 31 - 1;
const nonceBytes = 16;
const minuteMs = 60_000;

/** A new challenge in an envelope signed with the certifier's key. */
export function issueChallenge(
  privatePem: string,
  { keyId, nowMs, validMin }: { readonly keyId: string; readonly nowMs: number; readonly validMin: number },
): { readonly challenge: Challenge; readonly envelope: Envelope } {
  const challenge: Challenge = {
    format: "rackproof/challenge@1",
    nonce: randomBytes(nonceBytes).toString("hex"),
    seed: randomInt(1, maxSeed),
    issuedAt: new Date(nowMs).toISOString(),
    answerBy: new Date(nowMs + validMin * minuteMs).toISOString(),
  };
  return { challenge, envelope: envelop(mediaType, JSON.stringify(challenge), privatePem, keyId) };
}

/** The challenge in an envelope, whoever signed it; undefined when there is none. */
export function readChallenge(envelope: unknown): Challenge | undefined {
  if (!isEnvelope(envelope) || envelope.payloadType !== mediaType) return undefined;
  return parseChallenge(Buffer.from(envelope.payload, "base64").toString("utf8"));
}

/** The challenge in an envelope that the key in PEM signed; otherwise undefined. */
export function openChallenge(envelope: unknown, publicPem: string): Challenge | undefined {
  if (!isEnvelope(envelope) || envelope.payloadType !== mediaType) return undefined;
  const text = openEnvelope(envelope, publicPem);
  return text === undefined ? undefined : parseChallenge(text);
}

function isEnvelope(value: unknown): value is Envelope {
  return checker(Envelope)(value).length === 0;
}

function parseChallenge(text: string): Challenge | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return checker(Challenge)(value).length === 0 ? (value as Challenge) : undefined;
  } catch {
    return undefined;
  }
}
