// A way to reach people, and its requests.
import type { Clock } from "../../harness/index.ts";
import { messageOf, type Notice, UsageError } from "../../record/index.ts";

/** A notice with its words. */
export interface Message {
  readonly notice: Notice;
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Channel {
  /** Without secrets. */
  readonly name: string;
  /** Throws an Error without secrets. */
  readonly send: (message: Message) => Promise<void>;
}

/** What the channels of a file share. */
export interface ChannelSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** The value of a variable; throws a UsageError, as nobody can be notified without it. */
export function secretOf({ environment }: ChannelSurroundings, variable: string, use: string): string {
  const value = environment[variable];
  if (value === undefined || value === "")
    throw new UsageError("NOTIFY_VARIABLE", `notify: ${use}: expected the variable ${variable}, found none`);
  return value;
}

/** People are worth waiting for, but not a night. */
const answerWithinMs = 10_000;
const againAfterMs = [1000, 5000];

export interface HttpWish {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The text of a successful answer; a server that does not answer, or that is busy, is asked again. */
export async function request({ clock }: ChannelSurroundings, wish: HttpWish): Promise<string> {
  for (const waitMs of [...againAfterMs, undefined]) {
    let failure: string;
    try {
      const answer = await fetch(wish.url, {
        method: wish.method ?? "POST",
        headers: { "content-type": "application/json", "user-agent": "rackproof", ...wish.headers },
        // A secret must not follow to another address.
        redirect: "manual",
        signal: AbortSignal.timeout(answerWithinMs),
        ...(wish.body === undefined ? {} : { body: wish.body }),
      });
      const text = await answer.text();
      if (answer.ok) return text;
      failure = `expected 2xx, found ${answer.status}`;
      if (answer.status < 500 && answer.status !== 429) throw new Refused(failure);
    } catch (thrown) {
      if (thrown instanceof Refused) throw thrown;
      failure = causeOf(thrown);
    }
    if (waitMs === undefined) throw new Error(failure);
    await clock.delay(waitMs);
  }
  throw new Error("not sent");
}

class Refused extends Error {}

/** `fetch` reports a failed connection by its cause. */
function causeOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.cause !== undefined ? messageOf(thrown.cause) : messageOf(thrown);
}

/** The address without path and parameters, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "the address";
}
