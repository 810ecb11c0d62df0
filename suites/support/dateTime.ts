const minutesAhead = { Z: 0, "+00:00": 0, "+05:30": 330, "-03:30": -210 } as const;

/** Offsets from UTC in which the suite writes instants. */
type Offset = keyof typeof minutesAhead;

/** The instant as RFC 3339 text with the offset, to the second; `fraction` of the second is written behind it. */
export function dateTimeText(epochMs: number, offset: Offset, fraction = ""): string {
  const local = new Date(epochMs + minutesAhead[offset] * 60_000).toISOString().slice(0, 19);
  return `${local}${fraction}${offset}`;
}
