import { maskText } from "../client/mask.ts";
import type { Exchange } from "./exchange.ts";

const ownHeaders = new Set(["host", "connection", "content-length", "transfer-encoding"]);

/** A curl line that sends the exchange's request again; the token is left as `$TOKEN` for the reader to fill in. */
export function curlLine(exchange: Exchange): string {
  if (exchange.shellLine !== undefined) return exchange.shellLine;
  const { method, url, headers, body } = exchange.request;
  const parts = ["curl", "-i", "-X", method, quote(maskText(url))];
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.has(name.toLowerCase())) continue;
    parts.push(
      "-H",
      /^(authorization|mx-api-token)$/i.test(name)
        ? `"${name}: ${withPlaceholder(value)}"`
        : quote(`${name}: ${maskText(value)}`),
    );
  }
  if (body !== undefined && headers["content-type"] !== undefined)
    parts.push("--data-raw", quote(maskText(body)));
  if (body !== undefined && headers["content-type"] === undefined) {
    for (const field of body.split("\n")) parts.push("-F", quote(maskText(field).replace(": ", "=")));
  }
  return parts.join(" ");
}

function withPlaceholder(value: string): string {
  return value.startsWith("Bearer ") ? "Bearer $TOKEN" : "$TOKEN";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
