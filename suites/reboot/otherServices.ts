// Services that a reset does not name: inverted before it, and the same after it.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { invertServices, laterSwitches, serviceSwitches } from "../support/serviceSwitches.ts";

/** Scopes that may own the switch of a service, by their names; no scope is named after any other service. */
const ownerOf: Readonly<Record<string, ResetScope>> = {
  cloud: "appdata",
  modbusmaster: "appdata",
  eipscanner: "appdata",
  opcuaserver: "appdata",
  httpservice: "httpserver",
  httpsservice: "httpserver",
  sshserver: "sshserver",
  localconsole: "serialconsole",
  provision: "provision",
  provisionschedule: "provision",
  eventlog: "eventlog",
  syslog: "journald",
};

/** Inverts services where the profile declares them, and waits until they are listed so: a list may follow later. */
export async function invertOtherServices(context: CaseContext): Promise<void> {
  if (context.declares("services")) await laterSwitches(context, await invertServices(context));
}

/** Reads the switches before a reset; the returned check compares those that no reset scope may own. */
export async function watchOtherServices(
  context: CaseContext,
  scopes: readonly ResetScope[],
): Promise<(answer: Answer) => Promise<void>> {
  if (!context.declares("services"))
    return async () => {
      const what = `services after a reset of ${scopes.join(", ")}`;
      context.verify("CORE-REBOOT-32").notApplicable(what, "the profile does not declare them");
    };
  const isCompared = (id: string): boolean => {
    const owner = ownerOf[id];
    return owner === undefined || !scopes.includes(owner);
  };
  const before = await serviceSwitches(context, isCompared);
  return async (answer) =>
    void context
      .verify("CORE-REBOOT-32")
      .equal(
        await laterSwitches(context, before, isCompared),
        before,
        `\`enable\` of services of no named scope after a reset of ${scopes.join(", ")}`,
        answer,
      );
}
