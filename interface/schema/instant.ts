/**
 * Milliseconds since 1970 of an RFC 3339 date-time or of an HTTP date; NaN for any other text. Exact to the millisecond for
 * any number of digits: `Date.parse` reads `.0500000000` as half a second, and no leap second at all.
 */
export function epochMsOf(text: string): number {
  const isRfc3339 = /^\d{4}-/.test(text);
  if (!isRfc3339) return Date.parse(text);
  return Date.parse(
    text
      .toUpperCase()
      .replace(" ", "T")
      .replace(/(\.\d{3})\d+/, "$1")
      .replace(/(:\d\d):60/, "$1:59"),
  );
}
