// Shell lines that repeat a recorded request, without its secrets.
import { mask, maskText } from "./mask.ts";
import type { Exchange } from "./exchange.ts";

const ownHeaders = new Set(["host", "connection", "content-length", "transfer-encoding"]);
/** Headers without secrets under any profile; the reader fills in the values of all others. */
const openHeaders =
  /^(?:accept(?:-.*)?|content-.*|user-agent|range|if-.*|last-event-id|cache-control|origin|expect)$/i;

/** A curl line that sends the exchange's request again; the token is shown as `$TOKEN`, a password as `$PASSWORD`. */
export function curlLine(exchange: Exchange): string {
  return exchange.shellLine ?? ["curl -i", ...words(exchange)].join(" ");
}

/**
 * Signs in like the exchange and sets `TOKEN`, once `PASSWORD` is set; undefined for an exchange without a password in
 * its body.
 */
export function signInLine(exchange: Exchange): string | undefined {
  const line = ["curl -s", ...words(exchange)].join(" ");
  const filled = line.replace(`"${mask}"`, `"'"$PASSWORD"'"`);
  return filled === line ? undefined : `TOKEN=$(${filled} | grep -o '"token": *"[^"]*"' | cut -d'"' -f4)`;
}

function words({ request }: Exchange): string[] {
  const { method, url, headers, body } = request;
  const shown = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  const all = [
    "-X",
    method,
    quote(maskText(url)),
    ...shown.flatMap(([name, value]) => ["-H", header(name, value)]),
  ];
  if (body === undefined) return all;
  if (headers["content-type"] !== undefined) return [...all, "--data-raw", quote(maskText(body))];
  return [...all, ...body.split("\n").flatMap((field) => ["-F", quote(formField(maskText(field)))])];
}

/** Files are not recorded: the reader supplies one of that name. */
function formField(field: string): string {
  return field.replace(/^([^:]*): (?:\(file (.+), \d+ bytes\)$)?/, (_whole, name: string, file?: string) =>
    file === undefined ? `${name}=` : `${name}=@${file}`,
  );
}

function header(name: string, value: string): string {
  if (openHeaders.test(name)) return quote(`${name}: ${maskText(value)}`);
  if (/^password$/i.test(name)) return `"${name}: $PASSWORD"`;
  return `"${name}: ${value.startsWith("Bearer ") ? "Bearer " : ""}$TOKEN"`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
