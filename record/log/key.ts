// The key that signs a log: the lab's, or one that is made for a single run and discarded.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

export interface LogKey {
  /** Raw public key, base64url. */
  readonly x: string;
  /** Thumbprint (RFC 7638), as `rackproof key new` prints it. */
  readonly id: string;
  readonly isOneTime: boolean;
  readonly sign: (text: string) => string;
}

/** The lab's key from a private key in PEM; a one-time key without. Throws an Error for another kind of key. */
export function logKey(privatePem?: string): LogKey {
  const key =
    privatePem === undefined ? generateKeyPairSync("ed25519").privateKey : createPrivateKey(privatePem);
  const x = rawPublic(createPublicKey(key));
  return {
    x,
    id: thumbprint(x),
    isOneTime: privatePem === undefined,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}

/** Thumbprint of a public key in PEM. Throws an Error for another kind of key. */
export function publicKeyId(publicPem: string): string {
  return thumbprint(rawPublic(createPublicKey(publicPem)));
}

export function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}

/** Whether the text has this signature of the raw public key; false for a key that is none. */
export function isSigned(text: string, signature: string, key: KeyObject): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}

/** The public key; undefined when the text is none. */
export function publicKeyOf(x: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  } catch {
    return undefined;
  }
}

function rawPublic(key: KeyObject): string {
  const { x, crv } = key.export({ format: "jwk" });
  if (crv !== "Ed25519" || x === undefined) throw new Error("expected an Ed25519 key");
  return x;
}
