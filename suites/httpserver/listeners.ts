// Reaching a gateway while its listeners move, and restoring them, for the cases about the HTTP server.
import { type Answer, type CaseContext, type GatewayUnderTest, probeOnce } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import type { HttpServerConfiguration } from "../../interface/resources/httpserver.ts";
import { anyReading } from "../support/anyReading.ts";
import { ifMet } from "../support/ifMet.ts";
import { servedFingerprint } from "../support/sockets.ts";

export type Scheme = "http" | "https";
export const otherScheme = { http: "https", https: "http" } as const;

type Scalars = Omit<HttpServerConfiguration, "certFileName" | "keyFileName">;

export async function configuration(gateway: GatewayUnderTest): Promise<HttpServerConfiguration> {
  return (await gateway.admin.call("getHttpServer")).data();
}

/** The members that can be set; the file names are response only. */
export function scalars(whole: HttpServerConfiguration): Scalars {
  const { httpEnable, httpPort, httpsEnable, httpsPort } = whole;
  return { httpEnable, httpPort, httpsEnable, httpsPort };
}

export function portOf(whole: HttpServerConfiguration, scheme: Scheme): number {
  return scheme === "http" ? whole.httpPort : whole.httpsPort;
}

/** A body that moves or switches one listener. */
export function listenerBody(scheme: Scheme, change: { port?: number; enable?: boolean }): Partial<Scalars> {
  const { port, enable } = change;
  return scheme === "http"
    ? {
        ...(port === undefined ? {} : { httpPort: port }),
        ...(enable === undefined ? {} : { httpEnable: enable }),
      }
    : {
        ...(port === undefined ? {} : { httpsPort: port }),
        ...(enable === undefined ? {} : { httpsEnable: enable }),
      };
}

/** The scheme by which the harness reaches the gateway. */
export function schemeInUse(gateway: GatewayUnderTest): Scheme {
  return gateway.currentBaseUrl().startsWith("https:") ? "https" : "http";
}

/** Whether the scheme is served at the URL: read as soon as it is as wanted, at the latest after the settling time. */
export async function isServed(
  context: CaseContext,
  url: string,
  wanted: boolean,
  withinMs = context.profile.patience.settleMs,
): Promise<boolean> {
  const { waitFor } = context;
  try {
    return await waitFor(
      `${url} ${wanted ? "to be served" : "to be closed"}`,
      async () => ((await isServedNow(context, url)) === wanted ? wanted : undefined),
      { deadlineMs: withinMs },
    );
  } catch (thrown) {
    if (thrown instanceof Unmet) return !wanted;
    throw thrown;
  }
}

/** Whether the scheme is served at the URL at this moment. */
export async function isServedNow(context: CaseContext, url: string): Promise<boolean> {
  const { clock, outside } = context;
  return url.startsWith("https:")
    ? (await servedFingerprint(context, url)) !== undefined
    : (await outside.ask("probe", () => probeOnce(clock, new URL(`${url}/`), 1000))).isAlive;
}

/** The result of `isServed` in words for a check. */
export function servedOrClosed(served: boolean): "served" | "closed" {
  return served ? "served" : "closed";
}

/**
 * Where the listener that the harness does not use is served, answers how to check that it still is after a rejected set.
 */
export async function watchOther(
  context: CaseContext,
): Promise<(answer: Answer, what: string) => Promise<void>> {
  const { gateway, verify } = context;
  const scheme = otherScheme[schemeInUse(gateway)];
  const before = await configuration(gateway);
  const url = gateway.urlFor(scheme, portOf(before, scheme));
  const wasServed = before[`${scheme}Enable`] && (await isServedNow(context, url));
  return async (answer, what) => {
    if (!wasServed || answer.status < 400 || answer.status >= 500) return;
    const now = servedOrClosed(await isServed(context, url, true));
    verify("CORE-GENERAL-10").equal(now, "served", `${scheme} on its port after ${what}`, answer);
  };
}

/** Checks that a port which is rejected for the listener that the harness does not use changes nothing. */
export async function verifyRejectedPort(context: CaseContext, port: number): Promise<void> {
  const { gateway, verify } = context;
  const before = await configuration(gateway);
  const verifyServed = await watchOther(context);
  const json = listenerBody(otherScheme[schemeInUse(gateway)], { port });
  const answer = await gateway.admin.call("updateHttpServer", { json });
  if (answer.accepted) await gateway.admin.call("updateHttpServer", { json: scalars(before) });
  if (answer.status < 400 || answer.status >= 500) return;
  const what = `a rejected ${Object.keys(json).join()} of ${port}`;
  verify("CORE-GENERAL-10").equal(
    await configuration(gateway),
    before,
    `the HTTP server configuration after ${what}`,
    answer,
  );
  await verifyServed(answer, what);
}

/**
 * Lets the harness use the listener at the URL, where it serves the interface: one of the two may answer every request with
 * a redirect or a rejection. False where the harness stays on the other.
 */
export async function canMoveTo(context: CaseContext, url: string): Promise<boolean> {
  const { gateway } = context;
  const present = gateway.currentBaseUrl();
  gateway.movedTo(url);
  const answer = await ifMet(anyReading(context));
  // No answer or an error of the gateway is decided by what follows.
  const isServing = answer !== undefined && (answer.status < 300 || answer.status >= 500);
  if (!isServing) gateway.movedTo(present);
  return isServing;
}

/** Puts the names of the files back where a listener took them along: undone last, after the listeners. */
export async function restoreNamesLater({ gateway, scratch }: CaseContext): Promise<void> {
  const { certFileName, keyFileName } = await configuration(gateway);
  scratch.undo("names of the HTTP server's files", async () => {
    const now = await configuration(gateway);
    if (now.certFileName === certFileName && now.keyFileName === keyFileName) return;
    const json = { certFilename: certFileName, keyFilename: keyFileName };
    await gateway.admin.call("updateHttpServer", { json });
  });
}

/**
 * Switches both listeners on, as the cases need; at the end the configuration is restored over whichever address the
 * gateway answers at, and the harness returns to its first address.
 */
export async function withBothListeners(context: CaseContext): Promise<HttpServerConfiguration> {
  const { gateway, scratch, notApplicable } = context;
  const baseUrl = gateway.currentBaseUrl();
  const before = await configuration(gateway);
  scratch.undo("HTTP server configuration", async () => {
    const present = gateway.currentBaseUrl();
    for (const url of [present, baseUrl]) {
      gateway.movedTo(url);
      const answer = await gateway.admin.call("updateHttpServer", { json: scalars(before) });
      if (answer.accepted) break;
    }
    gateway.movedTo(baseUrl);
    // A listener may open after the answer; what is restored next is restored over it.
    if (!context.signal.aborted) await isServed(context, baseUrl, true);
  });
  if (!before.httpEnable || !before.httpsEnable) {
    const off = before.httpEnable ? "https" : "http";
    const isOn = async (change: Partial<Scalars>): Promise<boolean> => {
      const json = { ...change, httpEnable: true, httpsEnable: true };
      return (await gateway.admin.call("updateHttpServer", { json })).accepted;
    };
    // The port of a listener that is off may be in use.
    if (!(await isOn({})) && !(await isOn(listenerBody(off, { port: await gateway.freePort() }))))
      notApplicable("the gateway does not serve HTTP and HTTPS at the same time");
  }
  const both = await configuration(gateway);
  for (const scheme of ["http", "https"] as const) {
    const url = gateway.urlFor(scheme, portOf(both, scheme));
    if (!(await isServed(context, url, true)))
      notApplicable(
        `${url} cannot be reached from this machine, and a move of a listener cannot be observed`,
      );
  }
  return both;
}
