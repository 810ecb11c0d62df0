// Exported files in another format: the content of a downloaded file is open as long as the gateway reads it again.
import { readFile, writeFile } from "node:fs/promises";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const mark = Buffer.from("EDGE-SEAL\u0001");
const mask = 0x5a;

function seal(bytes: Buffer): Buffer {
  return Buffer.concat([mark, bytes.map((byte) => byte ^ mask)]);
}

/** The bytes that were sealed; others are left as they are. */
function unseal(bytes: Buffer): Buffer {
  return bytes.subarray(0, mark.length).equals(mark)
    ? Buffer.from(bytes.subarray(mark.length).map((byte) => byte ^ mask))
    : bytes;
}

export function sealedExports(at: GatewayAlterations): void {
  at.file("exportConfiguration", seal);
  at.around("uploadConfiguration", async (call, proceed) => {
    for (const { path } of call.files) await writeFile(path, unseal(await readFile(path)));
    return proceed(call);
  });
}
