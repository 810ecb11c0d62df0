// Takes secrets out of what is recorded, logged or shown. Masking happens when an exchange is written down.
import type { Exchange } from "./exchange.ts";

export const mask = "********";
const secretHeaders = new Set([
  "authorization",
  "mx-api-token",
  "password",
  "cookie",
  "set-cookie",
  "proxy-authorization",
]);
const secretFields = /("(?:[a-z_]*password|token|secret|key|privateKey)"\s*:\s*)("(?:[^"\\]|\\.)*")/gi;
const secretParts = /^((?:[a-z]*password|key|keyFile): )(.*)$/gim;
const secretQuery = /([?&](?:token|password)=)[^&#\s"\\]*/gi;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;
const jwt = /\beyJ[\w-]{8,}\.[\w-]+\.(?:\*{8}[0-9a-f]*|[\w-]*)/g;

/** The text without passwords, tokens and private keys. */
export function maskText(text: string): string {
  return replaceSecrets(text, () => mask);
}

/** The text with each secret replaced; `replace` is called in the order of the kinds of secrets. */
export function replaceSecrets(text: string, replace: (secret: string) => string): string {
  return text
    .replaceAll(
      secretFields,
      (_all, name: string, value: string) => `${name}"${replace(value.slice(1, -1))}"`,
    )
    .replaceAll(secretParts, (_all, name: string, value: string) => name + replace(value))
    .replaceAll(secretQuery, (all: string, name: string) => name + replace(all.slice(name.length)))
    .replaceAll(pem, (all) => replace(all))
    .replaceAll(jwt, (all) => replace(all));
}

/** Whether a header of this name carries a secret in every profile. */
export function hidesHeader(name: string): boolean {
  return secretHeaders.has(name.toLowerCase());
}

/** The scheme stays, which allows a request to be rebuilt with another token. */
function maskCredentials(value: string): string {
  return value.startsWith("Bearer ") ? `Bearer ${mask}` : mask;
}

/** The exchange without secrets; `tokenHeaders` are the names of token headers in the profile. */
export function maskExchange(exchange: Exchange, tokenHeaders: readonly string[]): Exchange {
  const hidden = new Set([...secretHeaders, ...tokenHeaders.map((name) => name.toLowerCase())]);
  const headers = (all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        hidden.has(name.toLowerCase()) ? maskCredentials(value) : maskText(value),
      ]),
    );
  const { request, answer } = exchange;
  return {
    number: exchange.number,
    operation: exchange.operation,
    session: exchange.session,
    startedMs: exchange.startedMs,
    durationMs: exchange.durationMs,
    request: {
      method: request.method,
      url: maskText(request.url),
      headers: headers(request.headers),
      ...(request.body === undefined ? {} : { body: maskText(request.body) }),
    },
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: headers(answer.headers),
            body: maskText(answer.body),
            bodyBytes: answer.bodyBytes,
          },
        }),
    ...(exchange.noAnswer === undefined ? {} : { noAnswer: exchange.noAnswer }),
  };
}
