// The telnet under RFC 2217: sub-negotiations are removed, doubled 0xff bytes reduced to one, and options declined except
// those that the caller wants.
const iac = 0xff;
const subEnd = 0xf0;
const sub = 0xfa;
const will = 0xfb;
const wont = 0xfc;
const ask = 0xfd;
const dont = 0xfe;

type State = "text" | "command" | "option" | "sub" | "sub-command";

/** Options that both ends may use. */
export interface TelnetWishes {
  readonly options: readonly number[];
  /** The other end accepts (or declines) an option that was offered. */
  readonly answered: (option: number, isAccepted: boolean) => void;
  /** A sub-negotiation: the option and its bytes. */
  readonly told: (bytes: readonly number[]) => void;
}

export class TelnetFilter {
  readonly #wishes: TelnetWishes | undefined;
  #state: State = "text";
  #verb = 0;
  #sub: number[] = [];

  constructor(wishes?: TelnetWishes) {
    this.#wishes = wishes;
  }

  take(bytes: Buffer): { readonly bytes: Buffer; readonly reply?: Buffer } {
    const text: number[] = [];
    const reply: number[] = [];
    for (const byte of bytes) {
      switch (this.#state) {
        case "text":
          if (byte === iac) this.#state = "command";
          else text.push(byte);
          break;
        case "command":
          this.#state = this.#command(byte, text);
          break;
        case "option":
          reply.push(...this.#option(byte));
          this.#state = "text";
          break;
        case "sub":
          if (byte === iac) this.#state = "sub-command";
          else this.#sub.push(byte);
          break;
        case "sub-command":
          this.#state = byte === subEnd ? "text" : "sub";
          if (byte === subEnd) this.#wishes?.told(this.#sub);
          else this.#sub.push(byte);
          break;
      }
    }
    return { bytes: Buffer.from(text), ...(reply.length === 0 ? {} : { reply: Buffer.from(reply) }) };
  }

  #command(byte: number, text: number[]): State {
    if (byte === iac) {
      text.push(iac);
      return "text";
    }
    this.#sub = [];
    if (byte === sub) return "sub";
    this.#verb = byte;
    return byte === will || byte === wont || byte === ask || byte === dont ? "option" : "text";
  }

  /** Every option is declined whose bytes would change the text; wanted ones were offered at the beginning. */
  #option(option: number): number[] {
    const isOffer = this.#verb === will || this.#verb === wont;
    if (this.#wishes?.options.includes(option) === true) {
      if (!isOffer) this.#wishes.answered(option, this.#verb === ask);
      return [];
    }
    return [iac, isOffer ? dont : wont, option];
  }
}

/** Offers the options and asks the other end for them. */
export function offer(options: readonly number[]): Buffer {
  return Buffer.from(options.flatMap((option) => [iac, will, option, iac, ask, option]));
}

export function subNegotiation(bytes: readonly number[]): Buffer {
  return Buffer.from([
    iac,
    sub,
    ...bytes.flatMap((byte) => (byte === iac ? [iac, iac] : [byte])),
    iac,
    subEnd,
  ]);
}
