// Faults of the system services.
import { serviceIds } from "../../interface/resources/services.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, type Fields, items, put } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { hasNoEffect, losesAtBoot, hidesRejections } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const serviceFaults: readonly Fault[] = faults([
  [
    "service-listed-in-two-groups",
    "CORE-SERVICE-11",
    "plain",
    "ntp is listed in the groups service and network.",
    (at) =>
      at.answer("listServices", (body) => {
        const ntp = items(valueAt(body, "data.service")).filter(({ id }) => id === "ntp");
        return put(body, "data.network", [...items(valueAt(body, "data.network")), ...ntp]);
      }),
  ],
  [
    "service-is-found-by-the-beginning-of-its-id",
    "CORE-SERVICE-18",
    "subtle",
    "An id that begins with that of a service switches this service.",
    (at) => {
      for (const operation of ["enableService", "disableService"] as const) {
        at.lenient(operation, "path", "id");
        at.around(operation, (call, proceed) => {
          const id = serviceIds.find((one) => call.path["id"]?.startsWith(one) === true);
          return proceed(id === undefined ? call : changed(call, { path: { id } }));
        });
      }
    },
  ],
  [
    "enabling-answers-false",
    "CORE-SERVICE-13",
    "plain",
    "Enabling a service returns its previous state.",
    (at) => at.data("enableService", (data) => ({ ...data, enable: false })),
  ],
  [
    "enabling-does-nothing",
    "CORE-SERVICE-14",
    "plain",
    "Enabling a service returns true but leaves it disabled.",
    hasNoEffect("enableService", () => ({ data: { enable: true } })),
  ],
  [
    "disabling-answers-true",
    "CORE-SERVICE-15",
    "plain",
    "Disabling a service returns `enable` true.",
    (at) => at.data("disableService", (data) => ({ ...data, enable: true })),
  ],
  [
    "disabling-does-nothing",
    "CORE-SERVICE-16",
    "plain",
    "Disabling a service returns false but leaves it enabled.",
    hasNoEffect("disableService", () => ({ data: { enable: false } })),
  ],
  [
    "switching-ntp-takes-its-neighbour-along",
    "CORE-SERVICE-17",
    "subtle",
    "Switching ntp also switches internetcheckalive.",
    (at) =>
      at.around(["enableService", "disableService"], async (call, proceed) => {
        if (call.path["id"] === "ntp") await proceed(changed(call, { path: { id: "internetcheckalive" } }));
        return proceed(call);
      }),
  ],
  [
    "disabling-syslog-disables-ntp",
    "CORE-SERVICE-17",
    "subtle",
    "Disabling syslog also disables ntp.",
    (at) =>
      at.around("disableService", async (call, proceed) => {
        if (call.path["id"] === "syslog") await proceed(changed(call, { path: { id: "ntp" } }));
        return proceed(call);
      }),
  ],
  [
    "unknown-service-is-enabled",
    "CORE-SERVICE-18",
    "plain",
    "Enabling an unknown service id is answered with success.",
    (at) => {
      at.lenient("enableService", "path", "id");
      hidesRejections(at, "enableService", { data: { enable: true } }, () => true);
    },
  ],
  [
    "unknown-service-is-disabled",
    "CORE-SERVICE-19",
    "plain",
    "Disabling an unknown service id is answered with success.",
    (at) => {
      at.lenient("disableService", "path", "id");
      hidesRejections(at, "disableService", { data: { enable: false } }, () => true);
    },
  ],
  [
    "enabling-twice-answers-off",
    "CORE-SERVICE-20",
    "subtle",
    "Enabling a service that is already enabled returns false.",
    (at) => secondTime(at, "enableService", "disableService"),
  ],
  [
    "disabling-twice-answers-on",
    "CORE-SERVICE-21",
    "subtle",
    "Disabling a service that is already disabled returns true.",
    (at) => secondTime(at, "disableService", "enableService"),
  ],
  [
    "unavailable-service-is-enabled",
    "CORE-SERVICE-22",
    "plain",
    "A service that the device does not have can be enabled.",
    (at) => hidesRejections(at, "enableService", { data: { enable: true } }, () => true),
  ],
  [
    "ssh-port-is-not-kept",
    "CORE-SERVICE-27",
    "plain",
    "The SSH port is returned as given but not stored.",
    (at) => {
      at.around("setSsh", async (call, proceed) => {
        const answer = await proceed(changed(call, { body: { ...call.body, port: 22 } }));
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.port", call.body["port"]) }
          : answer;
      });
    },
  ],
  [
    "ssh-switch-is-not-kept",
    "CORE-SERVICE-28",
    "plain",
    "`enable` of the SSH configuration is returned as given but not stored.",
    (at) => {
      at.around("setSsh", async (call, proceed) => {
        const answer = await proceed(changed(call, { body: { ...call.body, enable: false } }));
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.enable", call.body["enable"]) }
          : answer;
      });
    },
  ],
  [
    "enabling-ssh-takes-its-default-port",
    "CORE-SERVICE-33",
    "subtle",
    "Enabling the service sshserver sets the port of the SSH configuration to 22.",
    (at) =>
      at.around("enableService", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (call.path["id"] === "sshserver") await ask("setSsh", { body: { enable: true, port: 22 } });
        return answer;
      }),
  ],
  [
    "disabled-services-are-started-again",
    "CORE-SERVICE-16",
    "subtle",
    "ntp, lan1 and lan2 are enabled again 10 s after they were disabled.",
    (at) => {
      const watched = new Map<string, number>();
      at.around("disableService", (call, proceed) => {
        watched.set(call.path["id"] ?? "", performance.now());
        return proceed(call);
      });
      at.around("listServices", async (call, proceed, ask) => {
        for (const id of ["ntp", "lan1", "lan2"])
          if (performance.now() - (watched.get(id) ?? Infinity) > 10_000) {
            watched.delete(id);
            await ask("enableService", { path: { id } });
          }
        return proceed(call);
      });
    },
  ],
  [
    "ssh-is-lost-at-boot",
    "CORE-SERVICE-30",
    "subtle",
    "The SSH configuration is reset to default by a reboot.",
    losesAtBoot("ssh"),
  ],
  [
    "ssh-port-22-counts-as-left-out",
    "CORE-SERVICE-27",
    "subtle",
    "SSH keeps its port where 22 is sent, as if no port were given.",
    (at) =>
      at.around("setSsh", async (call, proceed, ask) => {
        if (call.body["port"] !== 22) return proceed(call);
        const present = await ask("getSsh");
        const port = present.kind === "json" ? valueAt(present.body, "data.port") : undefined;
        return proceed(changed(call, { body: { ...call.body, port } }));
      }),
  ],
  [
    "switches-are-lost-at-boot",
    "CORE-SERVICE-31",
    "subtle",
    "The states of services are reset to default by a reboot.",
    losesAtBoot("services"),
  ],
  [
    "console-is-off-after-a-reboot",
    "CORE-SERVICE-31",
    "subtle",
    "The local console, which is enabled by default, is disabled after a reboot.",
    (at) => {
      let isOff = false;
      at.boot((store) => {
        isOff = store.get("SELECT 1 FROM setting WHERE name = 'was-up'") !== undefined;
        if (!isOff) store.run("INSERT INTO setting (name, value) VALUES ('was-up', 'true')");
      });
      at.around("listServices", async (call, proceed, ask) => {
        if (isOff) await ask("disableService", { path: { id: "localconsole" } });
        isOff = false;
        return proceed(call);
      });
    },
  ],
  [
    "one-service-cannot-be-switched",
    "CORE-SERVICE-32",
    "subtle",
    "dhcpserver2 is listed as available, but switching it is rejected.",
    (at) =>
      at.around(["enableService", "disableService"], (call, proceed) => {
        if (call.path["id"] === "dhcpserver2") throw badInput("id: dhcpserver2 cannot be switched");
        return proceed(call);
      }),
  ],
  [
    "disabled-service-is-unavailable",
    "CORE-SERVICE-34",
    "subtle",
    "A disabled service is listed as unavailable.",
    (at) =>
      at.data("listServices", (groups) =>
        Object.fromEntries(
          Object.entries(groups).map(([group, list]) => [
            group,
            items(list).map((one) => ({
              ...one,
              available: one["available"] === true && one["enable"] === true,
            })),
          ]),
        ),
      ),
  ],
  [
    "ntp-is-listed-as-a-network",
    "CORE-SERVICE-35",
    "subtle",
    "ntp is listed in the group network instead of service.",
    (at) =>
      at.data("listServices", (groups) => {
        const isNtp = ({ id }: Fields): boolean => id === "ntp";
        const service = items(groups["service"]);
        return {
          ...groups,
          service: service.filter((one) => !isNtp(one)),
          network: [...items(groups["network"]), ...service.filter(isNtp)],
        };
      }),
  ],
]);

/** Repeating an action on a service returns the opposite of its state. */
function secondTime(
  at: GatewayAlterations,
  action: "enableService" | "disableService",
  opposite: "enableService" | "disableService",
): void {
  const done = new Set<string>();
  at.data(action, (data, { path: { id = "" } }) => {
    const isSecond = done.has(id);
    done.add(id);
    return isSecond ? { enable: data["enable"] !== true } : data;
  });
  at.data(opposite, (data, { path: { id = "" } }) => {
    done.delete(id);
    return data;
  });
}
