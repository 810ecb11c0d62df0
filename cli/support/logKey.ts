import { UsageError, messageOf, logKey, type LogKey } from "../../record/index.ts";
import { readText } from "./files.ts";

/** The lab's private key from the file that `--key` names. */
export async function readLogKey(file: string): Promise<LogKey> {
  const pem = await readText(file, "--key", 'create a key with "rackproof key new FILE"');
  try {
    return logKey(pem);
  } catch (thrown) {
    throw new UsageError("KEY_UNUSABLE", `--key ${file}: ${messageOf(thrown)}`);
  }
}
