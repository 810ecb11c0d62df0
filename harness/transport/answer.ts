import type { TSchema } from "typebox";
import type { CallId } from "../../interface/binding.ts";
import type { AnswerOf, OperationId } from "../../interface/operations/index.ts";
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { checker, type Problem } from "../../interface/schema/validate.ts";
import { type Exchange, Unmet, parseJson } from "../../record/index.ts";

/** Type of the body that the interface gives the answer; unknown for an extension. */
type BodyOf<Id extends CallId> = Id extends OperationId ? AnswerOf<Id> : unknown;

/** What came back from one call, including that no answer came. Bodies are parsed when asked for. */
export class Answer<Id extends CallId = CallId> {
  readonly operation: Id;
  /** 0 when no answer came. */
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly exchange: Exchange;

  constructor(
    callId: Id,
    exchange: Exchange,
    status: number,
    headers: Record<string, string>,
    bytes: Buffer,
  ) {
    this.operation = callId;
    this.exchange = exchange;
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  /** Whether the gateway took the request: 2xx. */
  get accepted(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  /** The body as JSON, undefined when it is none. Integers beyond 2^53 are bigint. */
  get json(): unknown {
    try {
      return parseJson(this.text);
    } catch {
      return undefined;
    }
  }

  /** The shape that the interface gives the body; undefined where it gives none, as for extensions. */
  get schema(): TSchema | undefined {
    return isOperationId(this.operation) ? operation(this.operation).answer : undefined;
  }

  /** In which ways the body departs from the shape the interface gives this operation's answer. */
  problems(): Problem[] {
    const { schema } = this;
    return schema === undefined ? [] : checker(schema)(this.json);
  }

  /** The body, typed. Throws Unmet when the call was not accepted or the body has not the stated shape. */
  body(): BodyOf<Id> {
    if (!this.accepted)
      throw new Unmet(
        `${this.operation} was expected to succeed, and answered ${this.summary()}`,
        this.status === 0 ? "no-answer" : "precondition-unmet",
      );
    const problem = this.problems()[0];
    if (problem !== undefined) {
      throw new Unmet(
        `the answer of ${this.operation} at ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
    }
    return this.json as BodyOf<Id>;
  }

  /** The `data` member of the body, typed. Throws Unmet like `body`. */
  data(): BodyOf<Id> extends { data: infer D } ? D : never {
    return (this.body() as { data: unknown }).data as never;
  }

  /** `data` with the members alone that the interface lists: what a comparison may look at. Throws Unmet like `body`. */
  listedData(): BodyOf<Id> extends { data: infer D } ? D : never {
    const { schema } = this;
    const body = schema === undefined ? this.body() : keepListed(schema, this.body());
    return (body as { data: unknown }).data as never;
  }

  /** Status and the beginning of the body, for messages. */
  summary(): string {
    if (this.exchange.noAnswer !== undefined) return `nothing (${this.exchange.noAnswer.message})`;
    const text = this.text.slice(0, 200).replaceAll(/\s+/g, " ");
    return `${this.status}${text === "" ? " without a body" : ` ${text}`}`;
  }
}
