// Stream clients that can vanish: they forget their connections, so that the gateway still has them.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { buildPath, type CaseContext } from "../../harness/index.ts";

export interface VanishingStreams extends Disposable {
  /** Number of streams that the gateway has opened for these clients. */
  readonly open: number;
  /** Opens further streams up to the number. */
  fill(wanted: number): Promise<void>;
  /** Forgets all connections; what ends them is lost on a line that is cut. */
  vanish(): Promise<void>;
}

/** Streams of one tag every half second. */
export function vanishingStreams(
  context: CaseContext,
  { provider, source, tag }: { readonly provider: string; readonly source: string; readonly tag: string },
): VanishingStreams {
  const { outside, gateway, profile } = context;
  const sockets = new Set<Socket>();
  let open = 0;
  const path = buildPath(
    profile.binding.get("monitorTags")?.path ?? "/",
    { provider, source },
    { tags: tag, streamInterval: 500 },
  );
  return {
    get open() {
      return open;
    },
    async fill(wanted) {
      const { token = "" } = gateway.admin;
      const { header, prefix } = profile.tagToken;
      const head = `GET ${path} HTTP/1.1\r\nHost: ${new URL(gateway.currentBaseUrl()).host}\r\n${header}: ${prefix}${token}\r\n\r\n`;
      open += await outside.ask("streams of vanishing clients", async () => {
        const opened = await Promise.all(
          Array.from({ length: Math.max(0, wanted - open) }, () =>
            openOne(gateway.currentBaseUrl(), head, profile.patience.answerMs),
          ),
        );
        const some = opened.filter((socket) => socket !== undefined);
        for (const socket of some) sockets.add(socket);
        return some.length;
      });
    },
    async vanish() {
      await outside.ask("clients vanish", () => {
        for (const socket of sockets) socket.resetAndDestroy();
        return Promise.resolve();
      });
      sockets.clear();
      open = 0;
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The connection below the stream; undefined where the gateway does not open it within the time. */
function openOne(baseUrl: string, head: string, patienceMs: number): Promise<Socket | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isTls = protocol === "https:";
  const below = connectTcp({ host: hostname, port: Number(port || (isTls ? 443 : 80)), noDelay: true });
  const socket = isTls ? connectTls({ socket: below, rejectUnauthorized: false }) : below;
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const give = (isOpen: boolean): void => {
    clearTimeout(timer);
    if (!isOpen) below.destroy();
    resolve(isOpen ? below : undefined);
  };
  const timer = setTimeout(() => give(false), patienceMs);
  below.on("error", () => give(false));
  socket.on("error", () => give(false));
  socket.once("data", (bytes: Buffer) => give(/^HTTP\/1\.[01] 200 /.test(bytes.toString("latin1"))));
  // The values are read and dropped.
  socket.resume();
  socket.write(head);
  return promise;
}
