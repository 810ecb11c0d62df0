import { chmod, writeFile } from "node:fs/promises";
import { newKeyPair, thumbprintOf } from "../workflows/release/signature.ts";
import { UsageError, messageOf } from "../record/index.ts";

const onlyOwner = 0o600;

/** Makes an Ed25519 key pair: the private key in FILE, the public one in FILE.pub; returns the exit code. */
export async function newKey(file: string): Promise<number> {
  const { privatePem, publicPem } = await newKeyPair();
  try {
    // An existing key is never overwritten: certificates depend on it.
    await writeFile(file, privatePem, { flag: "wx", mode: onlyOwner });
    await chmod(file, onlyOwner);
    await writeFile(`${file}.pub`, publicPem, { flag: "wx" });
  } catch (thrown) {
    throw new UsageError("KEY_NOT_WRITTEN", `key ${file}: ${messageOf(thrown)}`);
  }
  process.stdout.write(
    [
      `private key  ${file}   keep secret`,
      `public key   ${file}.pub   give to verifiers`,
      `thumbprint   ${await thumbprintOf(publicPem)}`,
      "",
    ].join("\n"),
  );
  return 0;
}
