import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { thumbprintOf } from "../../workflows/release/signature.ts";
import { messageOf, UsageError } from "../../record/index.ts";

/** Reads a file that an option or argument names; throws a UsageError with the remedy. */
export async function readText(file: string, option: string, remedy: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw new UsageError("FILE_UNREADABLE", `${option} ${file}: the file cannot be read`, remedy);
  });
}

/** Reads a public key; an unusable one is the caller's mistake, not the certificate's. */
export async function readPublicKey(file: string, option = "--public-key"): Promise<string> {
  const pem = await readText(file, option, "give a public key that rackproof key new made");
  await thumbprintOf(pem).catch((thrown: unknown) => {
    throw new UsageError("KEY_UNUSABLE", `${option} ${file}: ${messageOf(thrown)}`);
  });
  return pem;
}

/** Reads a private Ed25519 key, and makes its public key. */
export async function readKeyPair(file: string): Promise<{ privatePem: string; publicPem: string }> {
  const privatePem = await readText(file, "--key", 'create a key with "rackproof key new FILE"');
  try {
    const publicPem = createPublicKey(createPrivateKey(privatePem))
      .export({ type: "spki", format: "pem" })
      .toString();
    await thumbprintOf(publicPem);
    return { privatePem, publicPem };
  } catch (thrown) {
    throw new UsageError("KEY_UNUSABLE", `--key ${file}: ${messageOf(thrown)}`);
  }
}
