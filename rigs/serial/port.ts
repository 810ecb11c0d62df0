// An open serial port, which ends when its adapter is unplugged.
import { stat } from "node:fs/promises";
import type { SerialPort } from "serialport";

/** How a port is set; the default is 8 data bits, no parity, one stop bit. */
export interface PortSettings {
  readonly path: string;
  readonly baudRate: number;
  readonly parity?: "none" | "even" | "odd";
  readonly dataBits?: 7 | 8;
  readonly stopBits?: 1 | 2;
}

const lookEveryMs = 100;

/** Opens the port. Throws the Error of the system when it cannot. */
export async function openPort(settings: PortSettings): Promise<SerialPort> {
  const { SerialPort } = await import("serialport");
  const port = new SerialPort({ ...settings, autoOpen: false });
  const opened = await stat(settings.path);
  await new Promise<void>((resolve, reject) => {
    port.open((failure) => (failure === null ? resolve() : reject(failure)));
  });
  // The library reads a port that hung up again and again without an end, so its file is checked.
  const looking = setInterval(() => {
    void stat(settings.path)
      .then(({ rdev, ino }) => rdev === opened.rdev && ino === opened.ino)
      .catch(() => false)
      .then((isThere) => {
        if (!isThere) port.destroy();
      });
  }, lookEveryMs).unref();
  port.once("close", () => clearInterval(looking));
  return port;
}
