// DSSE envelopes (github.com/secure-systems-lab/dsse, version 1.0) with Ed25519, which public libraries verify.
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import Type, { type Static } from "typebox";

export const Envelope = Type.Object({
  payloadType: Type.String(),
  /** Base64. */
  payload: Type.String(),
  signatures: Type.Array(Type.Object({ keyid: Type.String(), sig: Type.String() })),
});
export type Envelope = Static<typeof Envelope>;

/** Pre-authentication encoding: the bytes that are signed. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Signs the payload with a private Ed25519 key in PEM. */
export function envelop(payloadType: string, payload: string, privatePem: string, keyId: string): Envelope {
  const bytes = Buffer.from(payload);
  const sig = sign(null, preAuthEncoding(payloadType, bytes), createPrivateKey(privatePem));
  return {
    payloadType,
    payload: bytes.toString("base64"),
    signatures: [{ keyid: keyId, sig: sig.toString("base64") }],
  };
}

/** The payload, when one signature of the envelope fits the public key in PEM. */
export function openEnvelope(
  { payloadType, payload, signatures }: Envelope,
  publicPem: string,
): string | undefined {
  const bytes = Buffer.from(payload, "base64");
  const signed = preAuthEncoding(payloadType, bytes);
  const key = createPublicKey(publicPem);
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64")))
    ? bytes.toString("utf8")
    : undefined;
}
