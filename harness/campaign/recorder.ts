import { isOperationId, type OperationId } from "../../interface/operations/index.ts";
import { CaseTrace } from "../../observation/trace.ts";
import type { Answer } from "../transport/answer.ts";
import type { StreamState } from "../../observation/observed.ts";
import type { Exchange } from "../../record/index.ts";

/** Whether the interface gives the answer a shape: successes, and the upload result with status 400 of a conflict. */
function hasStatedShape(answer: Answer): answer is Answer<OperationId> {
  if (!isOperationId(answer.operation)) return false;
  if (answer.accepted) return true;
  const body = answer.json;
  return (
    answer.operation === "uploadConfiguration" &&
    answer.status === 400 &&
    typeof body === "object" &&
    body !== null &&
    "data" in body
  );
}

/** Records a case's exchanges in the order in which they began. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  /** Answers whose shape is to be judged. */
  readonly answers: Answer<OperationId>[] = [];
  /** From which the observed cells are derived. */
  readonly trace = new CaseTrace();
  /** How often the gateway rejected the administrator's token. */
  signInsEnded = 0;
  readonly #onPause: (waitMs: number) => void;
  #last = 0;

  /** `onPause`: called when a session waits for a gateway that limits the rate of requests. */
  constructor(onPause: (waitMs: number) => void = () => undefined) {
    this.#onPause = onPause;
  }

  paused(waitMs: number): void {
    this.#onPause(waitMs);
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  keep(exchange: Exchange, answer?: Answer): void {
    this.exchanges.push(exchange);
    this.trace.exchanged(exchange, answer);
    if (answer !== undefined && hasStatedShape(answer)) this.answers.push(answer);
  }

  streaming(number: number, state: () => StreamState): void {
    this.trace.streams.push({ number, state });
  }

  restarted(): void {
    this.trace.restarted();
  }

  signInEnded(): void {
    this.signInsEnded += 1;
  }

  lastDate(): string | undefined {
    return this.exchanges.findLast(({ answer }) => answer?.headers["date"] !== undefined)?.answer?.headers[
      "date"
    ];
  }

  find(number: number): Exchange | undefined {
    return this.exchanges.find((exchange) => exchange.number === number);
  }
}
