import type { TSchema } from "typebox";
import type { CallId } from "../../interface/binding.ts";
import type { AnswerOf, OperationId } from "../../interface/operations/index.ts";
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { checker, type Problem } from "../../interface/schema/validate.ts";
import { type Exchange, Unmet, parseJson } from "../../record/index.ts";
import { readable } from "./readable.ts";

/** Of one tag: what stands behind it may be away. */
const directAccess: ReadonlySet<CallId> = new Set(["readTag", "writeTag"]);

/** Type of the body that the interface gives the answer; unknown for an extension. */
type BodyOf<Id extends CallId> = Id extends OperationId ? AnswerOf<Id> : unknown;

type DataOf<Id extends CallId> = BodyOf<Id> extends { data: infer D } ? D : never;

/** The answer to one call, also when no answer came. Bodies are parsed when asked for. */
export class Answer<Id extends CallId = CallId> {
  readonly operation: Id;
  /** 0 when no answer came. */
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
  /** Whether the request was one too many for the gateway, and not answered for its content. */
  readonly limitsRate: boolean;
  readonly #bytes: Buffer;
  #isRead = false;
  #observed: { readonly json: unknown } | undefined;

  constructor(
    callId: Id,
    exchange: Exchange,
    status: number,
    headers: Record<string, string>,
    bytes: Buffer,
    isLockPossible = false,
  ) {
    // A rate limit names the time to wait; without it a sign-in was rejected because its name is locked.
    const isLock = callId === "signIn" && (isLockPossible || headers["retry-after"] === undefined);
    // With a time to wait, 503 says that there is no room just now (RFC 9110, 15.6.4); of a tag, that its device is away.
    const isForNow = status === 503 && headers["retry-after"] !== undefined && !directAccess.has(callId);
    this.limitsRate = (status === 429 && !isLock) || isForNow;
    this.operation = callId;
    this.exchange = exchange;
    this.status = status;
    this.headers = headers;
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    this.#isRead = true;
    return this.#bytes;
  }

  /** Whether anybody asked for the body: a check can only see what was read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Number of bytes of the body. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The body as JSON like `json`, without counting as read. All who ask share one value, which nobody changes. */
  peek(): unknown {
    this.#observed ??= { json: this.#parse() };
    return this.#observed.json;
  }

  #parse(): unknown {
    try {
      return parseJson(this.#bytes.toString("utf8"));
    } catch {
      return undefined;
    }
  }

  /** Whether the gateway accepted the request: 2xx. */
  get accepted(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Whether the gateway rejected the request: 4xx; an error of its own is no rejection. */
  get rejected(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  /** The body as JSON, undefined for another body. Integers beyond 2^53 are bigint. */
  get json(): unknown {
    this.#isRead = true;
    return this.#parse();
  }

  /** The body as JSON with only the members that the interface lists; of an extension, the whole. */
  get listed(): unknown {
    const { json, schema } = this;
    return schema === undefined ? json : keepListed(schema, json);
  }

  /** The shape that the interface gives the body; undefined where it gives none, as for extensions. */
  get schema(): TSchema | undefined {
    return isOperationId(this.operation) ? operation(this.operation).answer : undefined;
  }

  /** Deviations of the body from the shape the interface gives this operation's answer. */
  problems(): Problem[] {
    this.#isRead = true;
    return this.#problemsOf(this.peek());
  }

  #problemsOf(json: unknown): Problem[] {
    const { schema } = this;
    return schema === undefined ? [] : checker(schema)(json);
  }

  /**
   * The body, typed, with only the members that the interface lists: others may differ at each reading. Throws Unmet
   * when the call was not accepted. A member that deviates from the stated shape is Unmet when it is read, and only then.
   */
  body(): BodyOf<Id> {
    if (!this.accepted)
      throw new Unmet(
        `${this.operation} expected 2xx, observed ${this.summary()}`,
        this.status === 0 ? "no-answer" : "precondition-unmet",
      );
    return readable(this.listed, this.#problemsOf(this.peek()), ({ pointer, expected, found }) => {
      throw new Unmet(`answer of ${this.operation} at ${pointer}: expected ${expected}, found ${found}`);
    }) as BodyOf<Id>;
  }

  /** The `data` member of the body, typed. Throws Unmet like `body`. */
  data(): DataOf<Id> {
    return (this.body() as { data: unknown }).data as never;
  }

  /** Status and the beginning of the body, for messages. */
  summary(): string {
    if (this.exchange.noAnswer !== undefined) return `no answer (${this.exchange.noAnswer.message})`;
    const text = this.#bytes.toString("utf8").slice(0, 200).replaceAll(/\s+/g, " ");
    return `${this.status}${text === "" ? " without a body" : ` ${text}`}`;
  }
}
