import { readFile } from "node:fs/promises";
import { messageOf, UsageError } from "../../harness/index.ts";
import { thumbprintOf } from "../../workflows/release/signature.ts";

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
