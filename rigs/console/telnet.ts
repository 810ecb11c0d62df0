// The telnet under RFC 2217: options are refused, sub-negotiations skipped, and doubled 0xff bytes reduced to one.
const iac = 0xff;
const subEnd = 0xf0;
const sub = 0xfa;
const will = 0xfb;
const wont = 0xfc;
const ask = 0xfd;
const dont = 0xfe;

type State = "text" | "command" | "option" | "sub" | "sub-command";

export class TelnetFilter {
  #state: State = "text";
  #verb = 0;

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
          // Every offered or requested option is declined: only the bytes matter.
          reply.push(iac, this.#verb === will || this.#verb === wont ? dont : wont, byte);
          this.#state = "text";
          break;
        case "sub":
          if (byte === iac) this.#state = "sub-command";
          break;
        case "sub-command":
          this.#state = byte === subEnd ? "text" : "sub";
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
    if (byte === sub) return "sub";
    this.#verb = byte;
    return byte === will || byte === wont || byte === ask || byte === dont ? "option" : "text";
  }
}
