// Faults of the system services.
import { badInput } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, items, put } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNothing, losesAtBoot, swallows } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const serviceFaults: readonly Fault[] = faults([
  [
    "service-listed-in-two-groups",
    "CORE-SERVICE-11",
    "plain",
    "ntp is listed under service and under network.",
    (at) =>
      at.answer("listServices", (body) => {
        const ntp = items(valueAt(body, "data.service")).filter(({ id }) => id === "ntp");
        return put(body, "data.network", [...items(valueAt(body, "data.network")), ...ntp]);
      }),
  ],
  [
    "enabling-answers-false",
    "CORE-SERVICE-13",
    "plain",
    "Enabling a service answers the state that it had before.",
    (at) => at.data("enableService", (data) => ({ ...data, enable: false })),
  ],
  [
    "enabling-does-nothing",
    "CORE-SERVICE-14",
    "plain",
    "Enabling a service answers true and leaves it off.",
    doesNothing("enableService", () => ({ data: { enable: true } })),
  ],
  [
    "disabling-answers-true",
    "CORE-SERVICE-15",
    "plain",
    "Disabling a service answers enable true.",
    (at) => at.data("disableService", (data) => ({ ...data, enable: true })),
  ],
  [
    "disabling-does-nothing",
    "CORE-SERVICE-16",
    "plain",
    "Disabling a service answers false and leaves it on.",
    doesNothing("disableService", () => ({ data: { enable: false } })),
  ],
  [
    "switching-ntp-takes-its-neighbour-along",
    "CORE-SERVICE-17",
    "subtle",
    "Switching ntp switches internetcheckalive, too.",
    (at) =>
      at.around(["enableService", "disableService"], async (call, proceed) => {
        if (call.path["id"] === "ntp") await proceed(changed(call, { path: { id: "internetcheckalive" } }));
        return proceed(call);
      }),
  ],
  [
    "unknown-service-is-enabled",
    "CORE-SERVICE-18",
    "plain",
    "An id that no service has is enabled as if it had one.",
    (at) => {
      at.lenient("enableService", "path", "id");
      swallows(at, "enableService", { data: { enable: true } }, () => true);
    },
  ],
  [
    "unknown-service-is-disabled",
    "CORE-SERVICE-19",
    "plain",
    "An id that no service has is disabled as if it had one.",
    (at) => {
      at.lenient("disableService", "path", "id");
      swallows(at, "disableService", { data: { enable: false } }, () => true);
    },
  ],
  [
    "enabling-twice-answers-off",
    "CORE-SERVICE-20",
    "subtle",
    "Enabling a service that is on already answers that it is off.",
    (at) => secondTime(at, "enableService", "disableService"),
  ],
  [
    "disabling-twice-answers-on",
    "CORE-SERVICE-21",
    "subtle",
    "Disabling a service that is off already answers that it is on.",
    (at) => secondTime(at, "disableService", "enableService"),
  ],
  [
    "unavailable-service-is-enabled",
    "CORE-SERVICE-22",
    "plain",
    "A service that the device does not have can be enabled.",
    (at) => swallows(at, "enableService", { data: { enable: true } }, () => true),
  ],
  [
    "ssh-port-is-not-kept",
    "CORE-SERVICE-27",
    "plain",
    "The SSH port that was set is answered and not kept.",
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
    "The SSH switch that was set is answered and not kept.",
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
    "ssh-is-lost-at-boot",
    "CORE-SERVICE-30",
    "subtle",
    "The SSH configuration is the default again after a reboot.",
    losesAtBoot("ssh"),
  ],
  [
    "switches-are-lost-at-boot",
    "CORE-SERVICE-31",
    "subtle",
    "Services are as delivered again after a reboot.",
    losesAtBoot("services"),
  ],
  [
    "one-service-cannot-be-switched",
    "CORE-SERVICE-32",
    "subtle",
    "dhcpserver2 is listed as available and refuses to be switched.",
    (at) =>
      at.around(["enableService", "disableService"], (call, proceed) => {
        if (call.path["id"] === "dhcpserver2") throw badInput("id: dhcpserver2 cannot be switched");
        return proceed(call);
      }),
  ],
]);

/** The same action on the same service a second time answers the opposite of what is true. */
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
