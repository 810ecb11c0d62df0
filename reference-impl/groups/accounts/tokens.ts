// Sign-in tokens (JWT, HS256) and one-shot websocket tokens.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { SignJWT } from "jose";
import { epochMsOf } from "../../../interface/schema/instant.ts";
import type { Clock } from "../../base/clock.ts";
import type { Caller } from "../../http/handler.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Store } from "../../store/store.ts";
import { type AccountStore, adminRole } from "./accountStore.ts";

/** Lifetime of a websocket token ("Limits"). */
const websocketTokenLifetimeMs = 30_000;

/** Content of a token. */
interface Session {
  readonly userId: number;
  readonly generation: number;
  readonly expiresMs: number;
}

interface Known extends Session {
  /** The caller as computed at this version of the accounts. */
  caller: Caller;
  version: number;
  usableUntilMs: number;
}

const maxKnown = 10_000;

export class Tokens {
  readonly #clock: Clock;
  readonly #accounts: AccountStore;
  readonly #lifetimeSec: number;
  readonly #key: Buffer;
  readonly #known = new Map<string, Known>();
  readonly #websocket = new Map<string, { expiresMs: number; session: Session }>();

  constructor(store: Store, clock: Clock, accounts: AccountStore, lifetimeSec: number) {
    this.#clock = clock;
    this.#accounts = accounts;
    this.#lifetimeSec = lifetimeSec;
    this.#key = signingKey(store);
  }

  /** A token for the user as it is now. */
  issue(userId: number, generation: number): Promise<string> {
    const issuedSec = Math.floor(this.#clock.nowMs() / 1000);
    return new SignJWT({ gen: generation })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setSubject(String(userId))
      .setIssuedAt(issuedSec)
      .setExpirationTime(issuedSec + this.#lifetimeSec)
      .setJti(randomBytes(12).toString("base64url"))
      .sign(this.#key);
  }

  /** Who the token belongs to at this moment; throws a Refusal (401) when nobody may use it. */
  authenticate(token: string): Caller {
    return this.#callerOf(this.#known.get(token) ?? this.#verify(token));
  }

  #callerOf(known: Known): Caller {
    const nowMs = this.#clock.nowMs();
    if (known.expiresMs <= nowMs) throw new Refusal(401, "the token has expired; sign in again");
    if (known.version !== this.#accounts.version) this.#refresh(known);
    if (known.usableUntilMs <= nowMs) throw new Refusal(401, "the user has expired");
    return known.caller;
  }

  /** A fresh websocket token: it opens one websocket within 30 s. */
  issueWebsocketToken(userId: number): string {
    const { generation } = this.#accounts.secrets(userId) ?? { generation: 0 };
    const nowMs = this.#clock.monotonicMs();
    for (const [token, { expiresMs }] of this.#websocket)
      if (expiresMs <= nowMs) this.#websocket.delete(token);
    const token = randomBytes(32).toString("base64url");
    // The websocket may outlive the sign-in that requested it, but ends when its user may not sign in any more.
    const session = { userId, generation, expiresMs: Number.POSITIVE_INFINITY };
    this.#websocket.set(token, { expiresMs: nowMs + websocketTokenLifetimeMs, session });
    return token;
  }

  /**
   * Takes a websocket token out of use. Answers who holds the websocket, asked anew each time (undefined once the user
   * is revoked), or undefined when the token cannot be used.
   */
  redeemWebsocketToken(token: string): (() => Caller | undefined) | undefined {
    const found = this.#websocket.get(token);
    this.#websocket.delete(token);
    if (found === undefined || found.expiresMs <= this.#clock.monotonicMs()) return undefined;
    const known = unchecked(found.session);
    const holder = (): Caller | undefined => {
      try {
        return this.#callerOf(known);
      } catch {
        return undefined;
      }
    };
    return holder() === undefined ? undefined : holder;
  }

  // The signature is checked with node:crypto because jose returns a promise, which would delay every call by a turn of the event loop.
  #verify(token: string): Known {
    const [header = "", payload = "", signature = "", ...rest] = token.split(".");
    const expected = createHmac("sha256", this.#key).update(`${header}.${payload}`).digest();
    const given = Buffer.from(signature, "base64url");
    const isGenuine =
      rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
    if (!isGenuine || given.toString("base64url") !== signature)
      throw new Refusal(401, "the token was not issued by this gateway");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
      sub: string;
      gen: number;
      exp: number;
    };
    const known = unchecked({
      userId: Number(claims.sub),
      generation: claims.gen,
      expiresMs: claims.exp * 1000,
    });
    this.#refresh(known);
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(token, known);
    return known;
  }

  #refresh(known: Known): void {
    const secrets = this.#accounts.secrets(known.userId);
    if (secrets === undefined || secrets.generation !== known.generation)
      throw new Refusal(401, "the token was revoked; sign in again");
    const user = this.#accounts.user(known.userId);
    if (!user.isActive) throw new Refusal(401, "the user is not active");
    known.caller = {
      userId: user.id,
      name: user.name,
      permissions: new Set(user.permissions),
      hasAdminRole: user.roles.some(({ name }) => name === adminRole),
    };
    known.usableUntilMs =
      user.expiredAfter === null ? Number.POSITIVE_INFINITY : epochMsOf(user.expiredAfter);
    known.version = this.#accounts.version;
  }
}

/** A session whose caller was not looked up yet. */
function unchecked(session: Session): Known {
  const caller = { userId: 0, name: "", permissions: new Set<string>() };
  return { ...session, caller, version: -1, usableUntilMs: 0 };
}

/** The key is durable, like the tokens; it never leaves the store. */
function signingKey(store: Store): Buffer {
  const row = store.get("SELECT value FROM setting WHERE name = 'token-key'");
  if (row !== undefined) return Buffer.from(String(row["value"]), "base64url");
  const key = randomBytes(32);
  store.run("INSERT INTO setting (name, value) VALUES ('token-key', ?)", key.toString("base64url"));
  return key;
}
