import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import {
  canMoveTo,
  configuration,
  isServed,
  listenerBody,
  otherScheme,
  portOf,
  restoreNamesLater,
  scalars,
  type Scheme,
  schemeInUse,
  servedOrClosed,
  verifyRejectedPort,
  withBothListeners,
} from "./listeners.ts";
import { movedAndSwitchedOn } from "./portWithSwitch.ts";
import { serviceSwitches } from "../support/serviceSwitches.ts";
import type { HttpServerConfiguration } from "../../interface/resources/httpserver.ts";

const triesForPort = 3;

/** Moves the listener to a port that is probably free on the gateway. */
async function moveListener(
  { gateway }: CaseContext,
  scheme: Scheme,
): Promise<{ answer: Answer<"updateHttpServer">; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await gateway.freePort();
    const answer = await gateway.admin.call("updateHttpServer", { json: listenerBody(scheme, { port }) });
    if (answer.accepted || tries === triesForPort) return { answer, port };
  }
}

/** Sets members of the listener to their present values, one at a time, while the other listener differs from its default. */
async function verifyOthersUnchanged({ gateway, verify }: CaseContext, scheme: Scheme): Promise<void> {
  const before = await configuration(gateway);
  for (const body of [
    listenerBody(scheme, { enable: before[`${scheme}Enable`] }),
    listenerBody(scheme, { port: portOf(before, scheme) }),
  ]) {
    const answer = await gateway.admin.call("updateHttpServer", { json: body });
    if (!verify("CORE-HTTP-09").accepted(answer)) continue;
    for (const shown of [answer.data(), await configuration(gateway)])
      verify("CORE-HTTP-09").equal(
        shown,
        before,
        `the HTTP server configuration after ${Object.keys(body).join()} alone was set to its present value`,
        answer,
      );
  }
}

/**
 * Moves the listener while it is switched off, and back, and once more; its port alone is set, and every other member is
 * compared. Answers the port that it has then.
 */
async function movesWhileOff(context: CaseContext, scheme: Scheme): Promise<number> {
  const { gateway, verify } = context;
  const before = await configuration(gateway);
  const member = `${scheme}Port` as const;
  const { answer, port } = await moveListener(context, scheme);
  // The interface does not state that the port of a listener that is off can be set.
  if (!answer.accepted) return portOf(before, scheme);
  const back = await gateway.admin.call("updateHttpServer", {
    json: listenerBody(scheme, { port: portOf(before, scheme) }),
  });
  const after = await configuration(gateway);
  for (const [shown, wanted, evidence] of [
    [answer.data(), { ...before, [member]: port }, answer],
    ...(back.accepted
      ? ([
          [back.data(), before, back],
          [after, before, back],
        ] as const)
      : []),
  ] as const)
    verify("CORE-HTTP-09").equal(
      shown,
      wanted,
      `the HTTP server configuration after ${member} alone was set with ${scheme}Enable ${before[`${scheme}Enable`]}`,
      evidence,
    );
  return back.accepted ? movedWhileOff(context, scheme) : port;
}

/** Moves the listener that is off; answers its port. */
async function movedWhileOff(context: CaseContext, scheme: Scheme): Promise<number> {
  await moveListener(context, scheme);
  return portOf(await configuration(context.gateway), scheme);
}

/**
 * Switches the listener on and off as a service, after a move while it was off. Where the configuration shows that this
 * enables it, it is served on its present port; where it shows that this disables it, it is closed.
 */
async function switchedAsService(context: CaseContext, scheme: Scheme, requirement: string): Promise<void> {
  const { gateway, declares, verify } = context;
  const { admin } = gateway;
  const [member, id] = [`${scheme}Enable`, `${scheme}service`] as const;
  if (!declares("services")) return;
  const off = await admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: false }) });
  if (!off.accepted) return;
  const port = await movedWhileOff(context, scheme);
  const isOff = (await serviceSwitches(context))[id] === false;
  const on = isOff ? await admin.call("enableService", { path: { id } }) : undefined;
  if (on?.accepted === true && (await configuration(gateway))[member])
    verify(requirement).equal(
      servedOrClosed(await isServed(context, gateway.urlFor(scheme, port), true)),
      "served",
      `${scheme} on its port, set while it was off, after the service ${id} was enabled`,
      on,
    );
  const disabled = isOff ? await admin.call("disableService", { path: { id } }) : undefined;
  // The interface does not state that the service is the listener; what the configuration shows is.
  if (disabled?.accepted === true && !(await configuration(gateway))[member])
    verify(requirement).equal(
      servedOrClosed(await isServed(context, gateway.urlFor(scheme, port), false)),
      "closed",
      `${scheme} on its port after the service ${id} was disabled`,
      disabled,
    );
  await admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: true }) });
  await isServed(context, gateway.urlFor(scheme, port), true);
}

/** Sets one member by the form, with all ports and enable members; checks the members and the listener. */
async function setByForm(
  context: CaseContext,
  scheme: Scheme,
  change: { port?: number; enable?: boolean },
): Promise<void> {
  const { gateway, verify } = context;
  const before = await configuration(gateway);
  const body = listenerBody(scheme, change);
  const wanted = { ...scalars(before), ...body };
  const shown = Object.entries(body).join().replace(",", " ");
  const answer = await gateway.admin.call("setHttpServer", { form: wanted });
  if (!answer.accepted && answer.status >= 400 && answer.status < 500)
    return verify("CORE-HTTP-22").notApplicable(
      `${shown} by the form`,
      `the form without certFile and keyFile was rejected with ${answer.status}, and it is not stated whether they are required`,
    );
  if (!verify("CORE-HTTP-22").accepted(answer)) return;
  verify("CORE-HTTP-22").equal(
    scalars(answer.data()),
    wanted,
    `ports and enable members in the answer of the form with ${shown}`,
    answer,
  );
  const url = gateway.urlFor(scheme, change.port ?? portOf(before, scheme));
  const isEnabled = change.enable ?? before[`${scheme}Enable`];
  const served = await isServed(context, url, isEnabled);
  if (schemeInUse(gateway) === scheme)
    gateway.movedTo(served ? url : gateway.urlFor(otherScheme[scheme], portOf(before, otherScheme[scheme])));
  verify("CORE-HTTP-22").equal(
    servedOrClosed(served),
    servedOrClosed(isEnabled),
    `${scheme} on its port after ${shown} was set by the form`,
    answer,
  );
  verify("CORE-HTTP-22").equal(
    scalars(await configuration(gateway)),
    wanted,
    `ports and enable members after ${shown} was set by the form`,
    answer,
  );
}

const portRequirement = { http: "CORE-HTTP-10", https: "CORE-HTTP-11" } as const;
const schemes = ["http", "https"] as const;

/** Moves both listeners in one request; false where it is rejected. */
async function moveBoth(context: CaseContext): Promise<boolean> {
  const { gateway, verify, unmet } = context;
  const ports = { http: await gateway.freePort(), https: await gateway.freePort() };
  const json = { httpPort: ports.http, httpsPort: ports.https };
  const answer = await gateway.admin.call("updateHttpServer", { json });
  if (!answer.accepted) return false;
  const used = schemeInUse(gateway);
  for (const scheme of schemes) {
    const url = gateway.urlFor(scheme, ports[scheme]);
    const served = await isServed(context, url, true);
    const what = `${scheme} on its new port after httpPort and httpsPort were set together`;
    verify(portRequirement[scheme]).equal(servedOrClosed(served), "served", what, answer);
    if (!served) unmet(`${url}, to which ${scheme} was moved, is not served`);
    if (scheme === used) gateway.movedTo(url);
  }
  return true;
}

/**
 * Moves both listeners away from ports that may be their defaults, to which a gateway could set them back; the harness
 * follows. Where a move is rejected the listener stays.
 */
async function awayFromDefaults(context: CaseContext): Promise<HttpServerConfiguration> {
  const { gateway, unmet, verify } = context;
  for (const scheme of schemes)
    verify(portRequirement[scheme]).notApplicable("a move of both listeners", "the gateway rejects it");
  if (!(await moveBoth(context)))
    for (const scheme of schemes) {
      const { answer, port } = await moveListener(context, scheme);
      if (!answer.accepted) continue;
      const moved = gateway.urlFor(scheme, port);
      if (!(await isServed(context, moved, true)))
        unmet(`${moved}, to which ${scheme} was moved, is not served`);
      if (schemeInUse(gateway) === scheme) gateway.movedTo(moved);
    }
  return configuration(gateway);
}

/** Least time that a listener gets to close. */
const leastClosingMs = 2000;

/**
 * Moves the listener and moves it back at once: the former port, whose listener may have been about to close, is served
 * after the time that the gateway takes for that.
 */
async function movesThereAndBack(
  context: CaseContext,
  scheme: Scheme,
  requirement: string,
  closingMs: number,
): Promise<void> {
  const { gateway, verify } = context;
  const port = portOf(await configuration(gateway), scheme);
  const url = gateway.urlFor(scheme, port);
  const { answer: away } = await moveListener(context, scheme);
  const back = await gateway.admin.call("updateHttpServer", { json: listenerBody(scheme, { port }) });
  const what = `${scheme} on its port ${port} after a move to another port and back at once`;
  // The port may be in use until its listener has closed.
  if (!away.accepted || !back.accepted)
    return verify(requirement).notApplicable(what, `rejected: ${(away.accepted ? back : away).summary()}`);
  await isServed(context, url, false, Math.max(leastClosingMs, closingMs));
  verify(requirement).equal(servedOrClosed(await isServed(context, url, true)), "served", what, back);
}

async function portMoves(context: CaseContext, scheme: Scheme, requirement: string): Promise<void> {
  const { gateway, verify, clock, level } = context;
  verify("CORE-GENERAL-10").notApplicable(
    "a port in use",
    "the gateway takes it, or the harness uses the listener that moves",
  );
  await restoreNamesLater(context);
  const before = await withBothListeners(context);
  const member = `${scheme}Port` as const;
  const old = gateway.urlFor(scheme, portOf(before, scheme));
  const { answer, port } = await moveListener(context, scheme);
  const movedMs = clock.nowMs();
  if (!verify(requirement).accepted(answer)) return;
  const moved = gateway.urlFor(scheme, port);
  verify(requirement).equal(answer.data()[member], port, `\`${member}\` as returned`, answer);
  const listens = await isServed(context, moved, true);
  verify(requirement).equal(
    servedOrClosed(listens),
    "served",
    `${scheme} on the new ${member} ${port}`,
    answer,
  );
  // The harness follows the listener it used before.
  if (schemeInUse(gateway) === scheme)
    gateway.movedTo(
      listens ? moved : gateway.urlFor(otherScheme[scheme], portOf(before, otherScheme[scheme])),
    );
  verify("CORE-HTTP-09").equal(
    await configuration(gateway),
    { ...before, [member]: port },
    `the HTTP server configuration after ${member} alone was set`,
    answer,
  );
  await verifyOthersUnchanged(context, otherScheme[scheme]);
  verify(requirement).equal(
    servedOrClosed(await isServed(context, old, false)),
    "closed",
    `${scheme} on its former port after ${member} was set to ${port}`,
    answer,
  );
  const closingMs = clock.nowMs() - movedMs;
  verify("CORE-HTTP-09").equal(
    servedOrClosed(
      await isServed(context, gateway.urlFor(otherScheme[scheme], portOf(before, otherScheme[scheme])), true),
    ),
    "served",
    `${otherScheme[scheme]} on its port after ${member} alone was set`,
    answer,
  );
  await setByForm(context, scheme, { port: portOf(before, scheme) });
  // The listener that the harness does not use.
  if (level === "smoke" || schemeInUse(gateway) === scheme) return;
  await movesThereAndBack(context, scheme, requirement, closingMs);
  // That a port in use is rejected is not stated.
  await using other = await gateway.portInUse();
  for (const used of [portOf(await configuration(gateway), schemeInUse(gateway)), other.port])
    if (used !== undefined) await verifyRejectedPort(context, used);
}

async function isSwitchedOff(context: CaseContext, scheme: Scheme, requirement: string): Promise<void> {
  const { gateway, verify, notApplicable } = context;
  await restoreNamesLater(context);
  await withBothListeners(context);
  const before = await awayFromDefaults(context);
  const other = otherScheme[scheme];
  const member = `${scheme}Enable` as const;
  const url = gateway.urlFor(scheme, portOf(before, scheme));
  // From here the harness uses the other listener.
  if (!(await canMoveTo(context, gateway.urlFor(other, portOf(before, other)))))
    notApplicable(
      `${other} does not serve the interface, and the gateway would be out of reach without ${scheme}`,
    );
  const off = await gateway.admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: false }) });
  if (off.rejected) {
    // That a listener can be switched off is not stated.
    verify(requirement).notApplicable(`${scheme} after ${member} false`, off.summary());
    await verifyOthersUnchanged(context, scheme);
    for (const enable of [false, true]) await setByForm(context, scheme, { enable });
    return;
  }
  if (!verify(requirement).accepted(off)) return;
  verify(requirement).equal((await configuration(gateway))[member], false, `\`${member}\` as read back`, off);
  verify("CORE-HTTP-09").equal(
    await configuration(gateway),
    { ...before, [member]: false },
    `the HTTP server configuration after ${member} alone was set`,
    off,
  );
  verify(requirement).equal(
    servedOrClosed(await isServed(context, url, false)),
    "closed",
    `${scheme} on its port after ${member} was set to false`,
    off,
  );
  for (const one of [other, scheme]) await verifyOthersUnchanged(context, one);
  const port = await movesWhileOff(context, scheme);
  const on = await gateway.admin.call("updateHttpServer", { json: listenerBody(scheme, { enable: true }) });
  verify(requirement).accepted(on);
  verify(requirement).equal((await configuration(gateway))[member], true, `\`${member}\` as read back`, on);
  verify("CORE-HTTP-09").equal(
    await configuration(gateway),
    { ...before, [`${scheme}Port`]: port },
    `the HTTP server configuration after ${member} alone was set to true`,
    on,
  );
  verify(requirement).equal(
    servedOrClosed(await isServed(context, gateway.urlFor(scheme, port), true)),
    "served",
    `${scheme} on its port, set while it was off, after ${member} was set to true`,
    on,
  );
  await switchedAsService(context, scheme, requirement);
  await movedAndSwitchedOn(context, scheme, requirement);
  await setByForm(context, scheme, { enable: false });
  await setByForm(context, scheme, { port: portOf(before, scheme) });
  await setByForm(context, scheme, { enable: true });
}

const listeners = {
  group: "httpserver",
  effect: "reversible",
  touches: ["http-server", "services"],
  capabilities: ["httpserver", "listener-changes"],
  alone: true,
  deadlineMs: 120_000,
} as const;

export const movingCases: readonly TestCase[] = [
  testCase({
    ...listeners,
    id: "httpserver/http-port-moves",
    title: "HTTP moves to the new httpPort; other members stay unchanged",
    requirements: ["CORE-HTTP-09", "CORE-HTTP-10", "CORE-HTTP-22", "CORE-GENERAL-10"],
    run: (context) => portMoves(context, "http", "CORE-HTTP-10"),
  }),
  testCase({
    ...listeners,
    id: "httpserver/https-port-moves",
    title: "HTTPS moves to the new httpsPort; other members stay unchanged",
    requirements: ["CORE-HTTP-09", "CORE-HTTP-11", "CORE-HTTP-22", "CORE-GENERAL-10"],
    run: (context) => portMoves(context, "https", "CORE-HTTP-11"),
  }),
  testCase({
    ...listeners,
    id: "httpserver/http-can-be-switched-off",
    title: "HTTP is served only while httpEnable is true",
    requirements: ["CORE-HTTP-09", "CORE-HTTP-10", "CORE-HTTP-11", "CORE-HTTP-20", "CORE-HTTP-22"],
    run: (context) => isSwitchedOff(context, "http", "CORE-HTTP-20"),
  }),
  testCase({
    ...listeners,
    id: "httpserver/https-can-be-switched-off",
    title: "HTTPS is served only while httpsEnable is true",
    requirements: ["CORE-HTTP-09", "CORE-HTTP-10", "CORE-HTTP-11", "CORE-HTTP-21", "CORE-HTTP-22"],
    run: (context) => isSwitchedOff(context, "https", "CORE-HTTP-21"),
  }),
];
