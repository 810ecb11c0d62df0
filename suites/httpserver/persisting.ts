import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { persistence, settingsBesideSchedule, verifyPersisted } from "../support/persisted.ts";
import { markSettings } from "../support/markedSettings.ts";
import { restoreScheduleLater } from "../support/rebootSchedule.ts";
import { ownCertificate } from "./ownCertificate.ts";
import { answersAgain } from "../support/restart.ts";
import { servedAt } from "./servedAt.ts";
import {
  canMoveTo,
  configuration,
  isServed,
  isServedNow,
  listenerBody,
  otherScheme,
  portOf,
  restoreNamesLater,
  type Scheme,
  servedOrClosed,
  withBothListeners,
} from "./listeners.ts";

const otherSettings = settingsBesideSchedule.filter((name) => name !== "http-server");

export const persistingCases: readonly TestCase[] = [
  testCase({
    id: "httpserver/listeners-outlive-a-reboot",
    title: "Moved ports and a listener that is switched off persist across a reboot",
    group: "httpserver",
    requirements: ["CORE-HTTP-24", "CORE-REBOOT-11", ...otherSettings.flatMap((name) => persistence[name])],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["httpserver", "listener-changes", "reboot", "disruptive-reboot"],
    deadlineMs: 240_000,
    async run(context) {
      const { gateway, verify, profile, unmet, scratch } = context;
      await restoreNamesLater(context);
      // Two other reboots have every flag on, and every flag off.
      const marked = await markSettings(context, otherSettings, { flags: "by turns", isAlone: true });
      const before = await withBothListeners(context);
      await restoreScheduleLater(context);
      const home = gateway.currentBaseUrl();
      const urlOf = (scheme: Scheme): string => gateway.urlFor(scheme, portOf(before, scheme));
      const used: Scheme = (await canMoveTo(context, urlOf("https"))) ? "https" : "http";
      const other = otherScheme[used];
      const first = urlOf(other);
      if ((await canMoveTo(context, first)) && home !== first) await answersAgain(context);
      // The harness changes to HTTPS where it serves the interface, on a port of its own, and HTTP is moved and switched off.
      const port = await gateway.freePort();
      await set(context, listenerBody(used, { port }));
      const moved = gateway.urlFor(used, port);
      const addresses = [...new Set([moved, urlOf(used), first, home])];
      // Before the configuration is restored: the gateway may still be booting, and serve either address then.
      scratch.undo("address of the gateway", async () => gateway.movedTo(await served(context, addresses)));
      // Otherwise the gateway could be reached no more once the first listener is off.
      if (!(await isServed(context, moved, true)))
        unmet(`${moved}, to which ${used} was moved, is not served`);
      gateway.movedTo(moved);
      await answersAgain(context);
      const names = { certFilename: "outlives.crt", keyFilename: "outlives.key" };
      const certificate = used === "https" ? await ownCertificate(context, moved, names) : undefined;
      await set(context, listenerBody(other, { port: await gateway.freePort(), enable: false }));
      const wanted = await configuration(gateway);
      // A gateway that opens it all the same is reached there.
      addresses.push(gateway.urlFor(other, portOf(wanted, other)));
      // A listener that is closed later would be taken for the one after the reboot.
      if (await isServed(context, first, false))
        unmet(`${first}, which was moved and switched off, is still served`);

      await using watch = await gateway.watchForRestart();
      // An immediate reboot does not depend on the schedule; whether both may be sent together is not stated.
      const isTaken = ({ accepted, status }: Answer): boolean => accepted || status === 0;
      let command = await gateway.admin.call("setReboot", { json: { now: true, enableScheduler: false } });
      if (!isTaken(command)) command = await gateway.admin.call("setReboot", { json: { now: true } });
      if (!isTaken(command)) unmet(`the reboot failed: ${command.summary()}`);
      const limitMs = 2 * profile.patience.settleMs;
      const isDown = (await watch.wentDown(limitMs)) !== undefined;
      verify("CORE-REBOOT-11").that(isDown, {
        what: "reboot after `now` true, with `enableScheduler` false where that is accepted",
        expected: "a reboot",
        observed: isDown ? "a reboot" : `no reboot within ${limitMs / 1000} s`,
        evidence: command,
      });
      if (!isDown) return;
      gateway.movedTo(await served(context, addresses));
      await answersAgain(context);
      const now = await gateway.admin.call("getHttpServer");
      verify("CORE-HTTP-24").equal(now.data(), wanted, "the HTTP server configuration after the reboot", now);
      await verifyServedAsShown(context, now);
      await verifyPersisted(context, marked, otherSettings);
      if (certificate !== undefined)
        verify("CORE-HTTP-24").equal(
          await servedAt(context, moved, certificate),
          certificate,
          "fingerprint of the certificate served by HTTPS after the reboot",
          now,
        );
    },
  }),
];

/** What is shown must be what listens: a gateway may show stored values and have opened others at its start. */
async function verifyServedAsShown(context: CaseContext, shown: Answer<"getHttpServer">): Promise<void> {
  const { gateway, verify } = context;
  const configured = shown.data();
  for (const scheme of ["http", "https"] as const) {
    const isOn = configured[`${scheme}Enable`];
    const url = gateway.urlFor(scheme, portOf(configured, scheme));
    verify("CORE-HTTP-24").equal(
      servedOrClosed(await isServed(context, url, isOn)),
      servedOrClosed(isOn),
      `${scheme} on the port that ${scheme}Port shows after the reboot`,
      shown,
    );
  }
}

async function set({ gateway }: CaseContext, json: ReturnType<typeof listenerBody>): Promise<void> {
  (await gateway.admin.call("updateHttpServer", { json })).body();
}

/** The first of the URLs that is served again. */
function served(context: CaseContext, urls: readonly string[]): Promise<string> {
  return context.waitFor(
    `an answer at ${urls.join(" or ")} after the reboot`,
    async () => {
      for (const url of urls) if (await isServedNow(context, url)) return url;
      return undefined;
    },
    { deadlineMs: context.profile.patience.bootMs, everyMs: 100 },
  );
}
