import { createPublicKey } from "node:crypto";
import { expect, test } from "vitest";
import { newKeyPair } from "../release/signature.ts";
import { isSignedNote, openCheckpoint, sealCheckpoint } from "./checkpoint.ts";

test("signed notes are those of the Go package note", () => {
  // The example of golang.org/x/mod/sumdb/note.
  const raw = Buffer.from("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "base64").subarray(1);
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") },
    format: "jwk",
  });
  const text =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
  expect(isSignedNote(text, "PeterNeumann", key)).toBe(true);
  expect(isSignedNote(text.replace("cryptography", "steganography"), "PeterNeumann", key)).toBe(false);
  expect(isSignedNote(text, "EnochRoot", key)).toBe(false);
});

test("a checkpoint opens with its own key, and not after a change of any line", async () => {
  const { privatePem, publicPem } = await newKeyPair();
  const checkpoint = {
    origin: "certificates.example.org/gateways",
    size: 12,
    root: Buffer.alloc(32, 7),
    builtAt: "2027-01-01T00:00:00.000Z",
    revocationsSha256: "ab".repeat(32),
  };
  const text = sealCheckpoint(checkpoint, privatePem);
  expect(openCheckpoint(text, publicPem)).toEqual(checkpoint);
  const lines = text.split("\n");
  // Every line but the signature and the empty end; what follows the Base64 of a signature decodes to no byte.
  const opened = lines
    .slice(0, -2)
    .filter(
      (line, index) => openCheckpoint(lines.with(index, `${line}0`).join("\n"), publicPem) !== undefined,
    );
  expect(opened).toEqual([]);
  expect(openCheckpoint(text, (await newKeyPair()).publicPem)).toBeUndefined();
  expect(openCheckpoint("", publicPem)).toBeUndefined();
});
