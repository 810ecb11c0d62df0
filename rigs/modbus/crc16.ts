// The checksum of Modbus over serial lines: CRC-16 with the polynomial 0xA001, low byte first on the wire.
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  return crc;
});

export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) crc = (crc >> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}

/** A frame of unit, PDU and checksum. */
export function rtuFrame(unit: number, pdu: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(pdu.length + 3);
  frame[0] = unit;
  frame.set(pdu, 1);
  frame.writeUInt16LE(crc16(frame.subarray(0, pdu.length + 1)), pdu.length + 1);
  return frame;
}
