// The signature of a certificate: flattened JWS with Ed25519; the public key travels in the protected header.
import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  FlattenedSign,
  flattenedVerify,
  generateKeyPair,
  importJWK,
  importPKCS8,
  importSPKI,
  type JWK,
} from "jose";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const algorithm = "EdDSA";
const mediaType = "rackproof-certificate+jws";
const Strict = { additionalProperties: false };

const Sealed = Type.Object(
  { payload: Type.String(), protected: Type.String(), signature: Type.String() },
  Strict,
);
const Header = Type.Object(
  {
    alg: Type.Literal(algorithm),
    typ: Type.Literal(mediaType),
    kid: Type.String(),
    jwk: Type.Object(
      { kty: Type.Literal("OKP"), crv: Type.Literal("Ed25519"), x: Type.String({ minLength: 1 }) },
      Strict,
    ),
  },
  Strict,
);
const checkSealed = checker(Sealed);
const checkHeader = checker(Header);

/** A problem of a signature, in words. */
export class SignatureFault extends Error {
  override readonly name = "SignatureFault";
}

/** A new Ed25519 key pair as PEM texts. */
export async function newKeyPair(): Promise<{ readonly privatePem: string; readonly publicPem: string }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { crv: "Ed25519", extractable: true });
  return { privatePem: await exportPKCS8(privateKey), publicPem: await exportSPKI(publicKey) };
}

/** Thumbprint (RFC 7638) of a public key in PEM. Throws SignatureFault for another kind of key. */
export async function thumbprintOf(publicPem: string): Promise<string> {
  return calculateJwkThumbprint(publicJwk(await exportJWK(await importPublic(publicPem))));
}

/** Signs the content with a private key in PEM (PKCS #8) and answers the file's text. */
export async function seal(content: unknown, privatePem: string): Promise<string> {
  const key = await importPKCS8(privatePem, algorithm, { extractable: true }).catch(() => {
    throw new SignatureFault(
      'expected an Ed25519 private key in PEM. Fix: "rackproof key new FILE" creates one',
    );
  });
  const jwk = publicJwk(await exportJWK(key));
  const jws = await new FlattenedSign(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: algorithm, typ: mediaType, kid: await calculateJwkThumbprint(jwk), jwk })
    .sign(key);
  return sealedText({ payload: jws.payload, protected: jws.protected ?? "", signature: jws.signature });
}

/** The signed content and the key. */
export interface Opened {
  readonly content: unknown;
  /** Thumbprint (RFC 7638) of the key. */
  readonly keyId: string;
  /** The key in PEM. */
  readonly publicPem: string;
}

/**
 * Checks the signature of a file's text with the given public key (PEM), or with the one in the file. Throws
 * SignatureFault; a file that differs in any byte from the one that was written is rejected.
 */
export async function open(text: string, publicPem?: string): Promise<Opened> {
  const sealed = parse(text, "the file");
  if (checkSealed(sealed).length > 0 || text !== sealedText(sealed as SealedContent)) {
    throw new SignatureFault("the file does not have the form of a certificate");
  }
  const jws = sealed as SealedContent;
  // The last character of base64url has spare bits, which the signature does not cover.
  if (Buffer.from(jws.signature, "base64url").toString("base64url") !== jws.signature) {
    throw new SignatureFault("the signature was changed");
  }
  const header = parse(Buffer.from(jws.protected, "base64url").toString("utf8"), "its header");
  if (checkHeader(header).length > 0) throw new SignatureFault("the header is not that of a certificate");
  const { jwk } = header as { jwk: JWK };
  const key = publicPem === undefined ? await importEmbedded(jwk) : await importPublic(publicPem);
  const keyId = await calculateJwkThumbprint(publicJwk(await exportJWK(key)));
  if (publicPem !== undefined && keyId !== (await calculateJwkThumbprint(jwk))) {
    throw new SignatureFault(`signed by another key; expected the key with thumbprint ${keyId}`);
  }
  const verified = await flattenedVerify(jws, key, { algorithms: [algorithm] }).catch(() => {
    throw new SignatureFault("the signature does not fit the content: one of the two was changed");
  });
  const content = parse(new TextDecoder().decode(verified.payload), "its content");
  return { content, keyId, publicPem: await exportSPKI(key) };
}

type SealedContent = Type.Static<typeof Sealed>;

function sealedText({ payload, protected: header, signature }: SealedContent): string {
  return `${JSON.stringify({ payload, protected: header, signature }, null, 1)}\n`;
}

function publicJwk({ kty = "", crv = "", x = "" }: JWK): { kty: string; crv: string; x: string } {
  return { kty, crv, x };
}

async function importEmbedded(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm).catch(() => undefined);
  if (key === undefined || key instanceof Uint8Array)
    throw new SignatureFault("the key in the file is invalid");
  return key;
}

async function importPublic(publicPem: string): Promise<CryptoKey> {
  return importSPKI(publicPem, algorithm, { extractable: true }).catch(() => {
    throw new SignatureFault("expected an Ed25519 public key in PEM (BEGIN PUBLIC KEY)");
  });
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignatureFault(`${what} is not JSON`);
  }
}
