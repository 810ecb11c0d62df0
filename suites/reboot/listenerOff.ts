// The listener that the harness does not use, off across a reboot.
import type { CaseContext } from "../../harness/index.ts";
import {
  configuration,
  isServed,
  listenerBody,
  otherScheme,
  portOf,
  schemeInUse,
  servedOrClosed,
} from "../httpserver/listeners.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";

interface ListenerOff {
  /** The settings with it off. */
  readonly marked: readonly MarkedSetting[];
  /** Checks after the reboot that it is closed where it is shown as off, and was closed before. */
  readonly verifyClosed: () => Promise<void>;
}

/** Switches the listener off, where that is permitted. */
export async function withListenerOff(
  context: CaseContext,
  marked: readonly MarkedSetting[],
): Promise<ListenerOff> {
  const { gateway, declares } = context;
  const server = marked.find(({ name }) => name === "http-server");
  if (server === undefined || !declares("listener-changes"))
    return { marked, verifyClosed: () => Promise.resolve() };
  const scheme = otherScheme[schemeInUse(gateway)];
  await gateway.admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: false }) });
  const value = await server.read();
  const port = portOf(await configuration(gateway), scheme);
  const url = gateway.urlFor(scheme, port);
  const wasClosed = !(await isServed(context, url, false));
  return {
    marked: marked.map((one) => (one === server ? { ...server, value } : one)),
    async verifyClosed() {
      const answer = await gateway.admin.call("getHttpServer");
      const now = answer.data();
      if (!wasClosed || now[`${scheme}Enable`] || portOf(now, scheme) !== port) return;
      context
        .verify("CORE-HTTP-24")
        .equal(
          servedOrClosed(await isServed(context, url, false)),
          "closed",
          `${scheme} on its port after the reboot, with ${scheme}Enable false before and after it`,
          answer,
        );
    },
  };
}
