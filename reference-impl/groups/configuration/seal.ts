// Another format of exported files: what a gateway packs is its own business as long as it reads it again.
const mark = Buffer.from("EDGE-SEAL\u0001");
const mask = 0x5a;

export function seal(bytes: Buffer): Buffer {
  return Buffer.concat([mark, bytes.map((byte) => byte ^ mask)]);
}

/** The bytes that were sealed; others are left as they are. */
export function unseal(bytes: Buffer): Buffer {
  return bytes.subarray(0, mark.length).equals(mark)
    ? Buffer.from(bytes.subarray(mark.length).map((byte) => byte ^ mask))
    : bytes;
}
