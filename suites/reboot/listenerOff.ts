// The listeners across a reboot: the one that the harness does not use is off, or both are served as shown.
import type { CaseContext } from "../../harness/index.ts";
import {
  configuration,
  isServed,
  isServedNow,
  listenerBody,
  otherScheme,
  portOf,
  type Scheme,
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

/** Reads which listeners are served; answers how to check after a reboot that each still is, where it is shown so. */
export async function watchServed(context: CaseContext): Promise<() => Promise<void>> {
  const { gateway, declares, profile } = context;
  const verify = context.verify("CORE-HTTP-24");
  if (!declares("httpserver"))
    return async () =>
      verify.notApplicable("listeners after the reboot", "the profile does not declare them");
  const before = await configuration(gateway);
  const served: Scheme[] = [];
  for (const scheme of ["http", "https"] as const)
    if (
      before[`${scheme}Enable`] &&
      (await isServedNow(context, gateway.urlFor(scheme, portOf(before, scheme))))
    )
      served.push(scheme);
  return async () => {
    const answer = await gateway.admin.call("getHttpServer");
    const now = answer.data();
    for (const scheme of served) {
      const port = portOf(now, scheme);
      if (!now[`${scheme}Enable`] || port !== portOf(before, scheme)) continue;
      // The other listener may open later than the one that has answered.
      const isOpen = await isServed(context, gateway.urlFor(scheme, port), true, profile.patience.bootMs);
      const what = `${scheme} on its port after the reboot, with ${scheme}Enable true before and after it`;
      verify.equal(servedOrClosed(isOpen), "served", what, answer);
    }
  };
}
