// Finds the recorded exchange that belongs to a request: same operation, caller, method, path, headers and body, in the
// order of the record. Secrets are masked in the record and may be known or masked in the request.
import type { WireRequest } from "../../harness/index.ts";
import { headersLoosely, loosely } from "../../record/index.ts";
import { bodyShown } from "./recordingTape.ts";
import type { RecordedExchange } from "./caseEvidence.ts";

interface Candidate {
  readonly exchange: RecordedExchange;
  readonly masks: readonly string[];
}

interface Wanted {
  readonly operation: string;
  readonly session: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An archive contains the time of its making, and its compressed size varies with that. */
const fileSize = /\(file (.+), \d+ bytes\)/g;
const wholeMask = /^\*{8}[0-9a-f]{12}$/;
const anyMask = /\*{8}[0-9a-f]{12}/g;

export class RecordedRequests {
  readonly #tokenHeaders: readonly string[];
  readonly #left = new Map<string, Candidate[]>();
  /** Secrets that the replayed case made itself, by their masks in the record. */
  readonly #secrets = new Map<string, string>();

  constructor(exchanges: readonly RecordedExchange[], tokenHeaders: readonly string[]) {
    this.#tokenHeaders = tokenHeaders;
    for (const exchange of exchanges) {
      const { operation, session, request } = exchange.entry;
      const { key, secrets } = this.#describe({
        operation,
        session,
        method: request.method,
        path: pathOf(request.url),
        headers: request.headers,
        body: exchange.requestBody,
      });
      const list = this.#left.get(key) ?? [];
      list.push({ exchange, masks: secrets });
      this.#left.set(key, list);
    }
  }

  /** The exchange, which is not found again; undefined when the record does not hold one. */
  take(request: WireRequest): RecordedExchange | undefined {
    const { operation, session, method, path, headers } = request;
    const { key, secrets } = this.#describe({
      operation,
      session,
      method,
      path,
      headers,
      body: bodyShown(request),
    });
    const list = this.#left.get(key) ?? [];
    const exact = list.findIndex(({ masks }) => this.#fit(masks, secrets, false));
    const index = exact < 0 ? list.findIndex(({ masks }) => this.#fit(masks, secrets, true)) : exact;
    const [found] = index < 0 ? [] : list.splice(index, 1);
    for (const [at, mask] of (found?.masks ?? []).entries()) {
      const secret = secrets[at] ?? "";
      if (wholeMask.test(mask) && secret !== mask) this.#secrets.set(mask, secret);
    }
    return found?.exchange;
  }

  /** The text of the record with the secrets that the case made itself. */
  unmasked(text: string): string {
    if (this.#secrets.size === 0) return text;
    return text.replaceAll(anyMask, (mask) => this.#secrets.get(mask) ?? mask);
  }

  /** Number of exchanges that no request asked for. */
  get unused(): number {
    return [...this.#left.values()].reduce((sum, list) => sum + list.length, 0);
  }

  #describe({ operation, session, method, path, headers, body }: Wanted): {
    readonly key: string;
    readonly secrets: readonly string[];
  } {
    const parts = [
      loosely(path),
      headersLoosely(headers, this.#tokenHeaders),
      loosely(body?.replaceAll(fileSize, "(file $1)") ?? "(none)"),
    ];
    return {
      key: [operation, session, method, ...parts.map(({ text }) => text)].join("\n"),
      secrets: parts.flatMap(({ secrets }) => secrets),
    };
  }

  /** Whether each mask can stand for the secret. `isOpen`: also where neither was seen before. */
  #fit(masks: readonly string[], secrets: readonly string[], isOpen: boolean): boolean {
    return masks.every((mask, at) => {
      const secret = secrets[at] ?? "";
      if (mask === secret) return true;
      const known = this.#secrets.get(mask);
      return known === undefined ? isOpen : known === secret;
    });
  }
}

/** The path and the query that were sent: a parsed URL has no dots as segments. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, "");
}
