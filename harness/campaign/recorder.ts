import type { Answer } from "../client/answer.ts";
import type { Exchange } from "../record/exchange.ts";

/** Keeps a case's exchanges in the order in which they were begun. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  /** Accepted answers, for the shapes to be judged. */
  readonly answers: Answer[] = [];
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  keep(exchange: Exchange, answer?: Answer): void {
    this.exchanges.push(exchange);
    if (answer?.accepted === true) this.answers.push(answer);
  }

  find(number: number): Exchange | undefined {
    return this.exchanges.find((exchange) => exchange.number === number);
  }
}
