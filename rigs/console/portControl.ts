// Sets the speed of a serial port behind a server of RFC 2217 (ser2net and others), and waits for the confirmation.
import type { Socket } from "node:net";
import { offer, subNegotiation, TelnetFilter } from "./telnet.ts";

const binary = 0;
const comPort = 44;
const setBaud = 1;
/** Answers of the server have the number of the request and this. */
const fromServer = 100;

/** The filter of the connection, and the text that arrived before the port had the speed. */
interface ControlledPort {
  readonly telnet: TelnetFilter;
  readonly first: Buffer;
}

/** Throws an Error with the speed that the server reports instead. The socket is paused at the end. */
export async function setBaudRate(
  socket: Socket,
  baudRate: number,
  withinMs: number,
): Promise<ControlledPort> {
  const confirmed = Promise.withResolvers<void>();
  const telnet = new TelnetFilter({
    options: [binary, comPort],
    answered(option, isAccepted) {
      if (option !== comPort) return;
      if (isAccepted) socket.write(baudRequest(baudRate));
      else confirmed.reject(new Error("its server does not control the port (RFC 2217 declined)"));
    },
    told([option, command, ...value]) {
      if (option !== comPort || command !== setBaud + fromServer || value.length !== 4) return;
      const found = Buffer.from(value).readUInt32BE();
      if (found === baudRate) confirmed.resolve();
      else confirmed.reject(new Error(`expected ${baudRate} baud, the port has ${found}`));
    },
  });
  const texts: Buffer[] = [];
  const take = (received: Buffer): void => {
    const { bytes, reply } = telnet.take(received);
    texts.push(bytes);
    if (reply !== undefined) socket.write(reply);
  };
  const late = setTimeout(
    () => confirmed.reject(new Error(`no answer of RFC 2217 within ${withinMs / 1000} s`)),
    withinMs,
  );
  const lost = (): void => confirmed.reject(new Error("its server ended the connection"));
  socket.on("data", take).once("close", lost).once("error", lost);
  try {
    socket.write(offer([binary, comPort]));
    await confirmed.promise;
    socket.pause();
    return { telnet, first: Buffer.concat(texts) };
  } finally {
    clearTimeout(late);
    socket.off("data", take).off("close", lost).off("error", lost);
  }
}

function baudRequest(baudRate: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(baudRate);
  return subNegotiation([comPort, setBaud, ...value]);
}
