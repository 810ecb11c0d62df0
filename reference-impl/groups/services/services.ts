// Group 6: system services and the SSH configuration.
import Type, { type Static } from "typebox";
import { checker } from "../../../interface/schema/validate.ts";
import {
  SshConfiguration,
  serviceGroups,
  type ServiceGroup,
  type ServiceId,
  serviceIds,
} from "../../../interface/resources/services.ts";
import type { Foundation, Group, ServiceEffect } from "../../foundation/gateway.ts";
import { type Call, data } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";

const groupOf: Readonly<Record<ServiceId, ServiceGroup>> = {
  cloud: "cloudConnectivity",
  wifi: "network",
  cellular: "network",
  lan1: "network",
  lan2: "network",
  dhcpserver1: "network",
  dhcpserver2: "network",
  modbusmaster: "protocol",
  eipscanner: "protocol",
  opcuaserver: "protocol",
  provision: "provisionService",
  provisionschedule: "provisionService",
  httpservice: "service",
  httpsservice: "service",
  ntp: "service",
  sshserver: "service",
  localconsole: "service",
  sdcard: "service",
  syslog: "service",
  eventlog: "service",
  internetcheckalive: "service",
};

/** Services without an owner of their own: a durable switch, and whether this device has the part at all. */
const plain: Partial<Record<ServiceId, { available: boolean; enable: boolean }>> = {
  cloud: { available: true, enable: false },
  wifi: { available: false, enable: false },
  cellular: { available: false, enable: false },
  lan1: { available: true, enable: true },
  lan2: { available: true, enable: true },
  dhcpserver1: { available: true, enable: false },
  dhcpserver2: { available: true, enable: false },
  eipscanner: { available: true, enable: false },
  ntp: { available: true, enable: true },
  localconsole: { available: true, enable: true },
  sdcard: { available: false, enable: false },
  syslog: { available: true, enable: false },
  internetcheckalive: { available: true, enable: false },
};

const Switches = Type.Record(Type.String(), Type.Boolean());

const General = Type.Object({ ssh: SshConfiguration, services: Switches });

/** Checks a document for the section system/general. */
function assertGeneral(document: unknown, enablesUnavailable: boolean): Static<typeof General> {
  const problem = checker(General)(document)[0];
  if (problem !== undefined)
    throw badInput(`system/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  const general = document as Static<typeof General>;
  assertPort("system/general/ssh/port", general.ssh.port);
  for (const [id, enable] of Object.entries(general.services)) {
    const state = Object.hasOwn(plain, id) ? plain[id as ServiceId] : undefined;
    if (state === undefined) throw badInput(`system/general/services/${id}: it is no switch of this section`);
    if (enable && !state.available && !enablesUnavailable)
      throw badInput(`system/general/services/${id}: it is not available on this device`);
  }
  return general;
}

function assertPort(place: string, port: number): void {
  if (port < 1 || port > 65_535) throw badInput(`${place}: expected 1 to 65535, found ${port}`);
}

export function createServices(foundation: Foundation, effects: () => readonly ServiceEffect[]): Group {
  const { enablesUnavailable } = foundation.product.conduct;
  const defaults = (): Record<string, boolean> =>
    Object.fromEntries(Object.entries(plain).map(([id, state]) => [id, state.enable]));
  const switches = openSetting(foundation.store, "services", Switches, defaults);
  const ssh = openSetting(foundation.store, "ssh", SshConfiguration, () => ({ enable: false, port: 22 }));

  const own: ServiceEffect[] = [
    ...Object.entries(plain).map(([id, state]) => ({
      id: id as ServiceId,
      isAvailable: () => state.available,
      isEnabled: () => switches.get()[id] ?? false,
      switchTo: (enable: boolean) => void switches.update({ [id]: enable }),
    })),
    {
      id: "sshserver",
      isAvailable: () => true,
      isEnabled: () => ssh.get().enable,
      switchTo: (enable) => void ssh.update({ enable }),
    },
  ];
  const resetSwitches = (isMeant: (group: ServiceGroup) => boolean): void => {
    const meant = Object.entries(defaults()).filter(([id]) => isMeant(groupOf[id as ServiceId]));
    switches.update(Object.fromEntries(meant));
  };
  const find = (id: string): ServiceEffect => {
    const effect = [...own, ...effects()].find((one) => one.id === id);
    if (effect === undefined) throw badInput(`id: ${id} is no service of this gateway`);
    return effect;
  };
  const switchTo = async (call: Call, enable: boolean): Promise<ReturnType<typeof data>> => {
    const effect = find(String(call.path["id"]));
    if (enable && !effect.isAvailable() && !enablesUnavailable)
      throw badInput(`id: ${effect.id} is not available on this device`);
    if (effect.isEnabled() !== enable) await effect.switchTo(enable);
    foundation.log("system", `service ${effect.id} ${enable ? "enabled" : "disabled"}`);
    return data({ enable: effect.isEnabled() });
  };

  return {
    handlers: {
      listServices() {
        const all = [...own, ...effects()];
        const entries = serviceIds.flatMap((id) => all.find((one) => one.id === id) ?? []);
        return data(
          Object.fromEntries(
            serviceGroups.map((name) => [
              name,
              entries
                .filter(({ id }) => groupOf[id] === name)
                .map(({ id, isAvailable, isEnabled }) => ({
                  available: isAvailable(),
                  enable: isEnabled(),
                  id,
                })),
            ]),
          ),
        );
      },
      enableService: (call) => switchTo(call, true),
      disableService: (call) => switchTo(call, false),
      getSsh: () => data(ssh.get()),
      setSsh(call) {
        const { enable, port } = call.body as SshConfiguration;
        assertPort("port", port);
        ssh.set({ enable, port });
        return data(ssh.get());
      },
    },
    sections: [
      {
        app: "system",
        section: "general",
        labels: [],
        read: () => ({ ssh: ssh.get(), services: switches.get() }),
        check: (document) => void assertGeneral(document, enablesUnavailable),
        write(document) {
          const general = assertGeneral(document, enablesUnavailable);
          ssh.set(general.ssh);
          // An older file may lack a switch; it keeps its present state.
          switches.update(general.services);
        },
      },
    ],
    resetParts: [
      { scopes: ["sshserver"], reset: () => ssh.reset() },
      { scopes: ["all"], reset: () => resetSwitches((group) => group !== "network") },
      { scopes: ["all"], isNetwork: true, reset: () => resetSwitches((group) => group === "network") },
    ],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
