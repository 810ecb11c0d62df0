// The console lines of running gateways as events, a few times a second.
import type { RunningGateway } from "../../rigs/index.ts";
import type { LiveLog } from "./liveLog.ts";

const everyMs = 500;
/** Of more lines at once only the last are shown; all of them are in console.log of the run. */
const mostLines = 50;

export class ConsoleTail implements Disposable {
  readonly #log: LiveLog;
  readonly #gateways: { readonly gateway: RunningGateway; told: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(log: LiveLog) {
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  follow(gateway: RunningGateway): void {
    this.#gateways.push({ gateway, told: 0 });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#look();
  }

  #look(): void {
    for (const one of this.#gateways) {
      const { console } = one.gateway;
      const lines = console.slice(Math.max(one.told, console.length - mostLines)).map(({ text }) => text);
      one.told = console.length;
      if (lines.length > 0) this.#log.tell({ kind: "console", lines });
    }
  }
}
