import type { CaseContext } from "../../harness/index.ts";
import { configuration, isServed, listenerBody, portOf, type Scheme, servedOrClosed } from "./listeners.ts";

/** Checks that a listener that is off is switched on at another port, where a gateway accepts both members at once. */
export async function movedAndSwitchedOn(
  context: CaseContext,
  scheme: Scheme,
  requirement: string,
): Promise<void> {
  const { gateway, verify } = context;
  const { admin } = gateway;
  const off = await admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: false }) });
  const before = await configuration(gateway);
  if (!off.accepted || before[`${scheme}Enable`]) return;
  const former = gateway.urlFor(scheme, portOf(before, scheme));
  const port = await gateway.freePort();
  const both = await admin.call("updateHttpServer", { json: listenerBody(scheme, { port, enable: true }) });
  if (!both.accepted) return;
  verify("CORE-HTTP-09").equal(
    await configuration(gateway),
    { ...before, [`${scheme}Port`]: port, [`${scheme}Enable`]: true },
    `the HTTP server configuration after ${scheme}Port and ${scheme}Enable were set together`,
    both,
  );
  for (const [url, expected] of [
    [gateway.urlFor(scheme, port), true],
    [former, false],
  ] as const)
    verify(requirement).equal(
      servedOrClosed(await isServed(context, url, expected)),
      servedOrClosed(expected),
      `${scheme} at ${expected ? "its" : "its former"} port after it was moved and switched on together`,
      both,
    );
}
