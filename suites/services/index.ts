import { allServices } from "../support/serviceList.ts";
import { type CaseContext, type GatewayUnderTest, type TestCase, testCase } from "../../harness/index.ts";
import { serviceIds } from "../../interface/resources/services.ts";
import { keptMember } from "../support/settingCheck.ts";

/** A service may take a moment to start or stop after its switch was answered. */
const settleMs = 2000;

type Switches = Map<string, { available: boolean; enable: boolean }>;

async function listed(gateway: GatewayUnderTest): Promise<Switches> {
  const groups = (await gateway.admin.call("listServices")).data();
  return new Map(allServices(groups).map(({ id, available, enable }) => [id, { available, enable }]));
}

/** The services as listed as soon as the one is as wanted, else as they are after a while. */
async function waitListed(
  gateway: GatewayUnderTest,
  waitFor: CaseContext["waitFor"],
  id: string,
  enable: boolean,
): Promise<Switches> {
  let now = await listed(gateway);
  const isAsWanted = async (): Promise<true | undefined> => {
    now = await listed(gateway);
    return now.get(id)?.enable === enable || undefined;
  };
  if (now.get(id)?.enable !== enable)
    await waitFor(`${id} to be listed as ${enable}`, isAsWanted, { deadlineMs: settleMs }).catch(
      () => undefined,
    );
  return now;
}

/** Plain objects of the other services, for comparison. */
function without(switches: Switches, id: string): object {
  return Object.fromEntries(
    [...switches].filter(([other]) => other !== id).map(([other, { enable }]) => [other, enable]),
  );
}

/** Near to nothing that a gateway could have beside the allowed ids. */
const unknownIds = ["nosuchservice", "no-such-service-2", "no such service"];

export const servicesSuite: readonly TestCase[] = [
  testCase({
    id: "services/listed-once",
    title: "Every service is listed once, in one of the five groups",
    group: "services",
    requirements: ["CORE-SERVICE-11"],
    effect: "read-only",
    touches: [],
    capabilities: ["services"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("listServices");
      const ids = allServices(answer.data()).map((service) => service.id);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      verify("CORE-SERVICE-11").equal(twice, [], "services that are listed more than once", answer);
    },
  }),
  testCase({
    id: "services/switching-is-kept",
    title: "A service that is switched is answered and listed in its new state, and no other service changes",
    group: "services",
    requirements: [
      "CORE-SERVICE-13",
      "CORE-SERVICE-14",
      "CORE-SERVICE-15",
      "CORE-SERVICE-16",
      "CORE-SERVICE-17",
      "CORE-SERVICE-20",
      "CORE-SERVICE-21",
    ],
    effect: "reversible",
    touches: ["services", "provision", "event-configuration", "ssh"],
    capabilities: ["services"],
    tags: ["timing"],
    // Some 150 calls, which a slow gateway answers in as many tenths of a second.
    deadlineMs: 90_000,
    async run({ gateway, profile, verify, scratch, notApplicable, random, waitFor, clock, measure }) {
      const before = await listed(gateway);
      const candidates = profile.switchableServices.filter((id) => before.get(id)?.available === true);
      if (candidates.length === 0)
        notApplicable("the profile names no service that may be switched and is available", "not-named");
      for (const id of random.shuffle(candidates)) {
        const wasEnabled = before.get(id)?.enable === true;
        scratch.undo(`service ${id}`, () =>
          gateway.admin.call(wasEnabled ? "enableService" : "disableService", { path: { id: id as "ntp" } }),
        );
        // Off, off again, on, on again: each transition and each repetition once.
        for (const [operation, enable, first, again, list] of [
          ["disableService", false, "CORE-SERVICE-15", "CORE-SERVICE-21", "CORE-SERVICE-16"],
          ["enableService", true, "CORE-SERVICE-13", "CORE-SERVICE-20", "CORE-SERVICE-14"],
        ] as const) {
          for (const requirement of [first, again]) {
            const answer = await gateway.admin.call(operation, { path: { id: id as "ntp" } });
            if (verify(requirement).accepted(answer)) {
              verify(requirement).equal(
                answer.data().enable,
                enable,
                `data.enable after ${operation} of ${id}`,
                answer,
              );
            }
            const { startedMs } = answer.exchange;
            const now = await waitListed(gateway, waitFor, id, enable);
            if (requirement === first) {
              measure({
                name: `time until ${id} was listed as ${enable ? "enabled" : "disabled"}`,
                unit: "s",
                interval: { low: 0, high: (clock.nowMs() - startedMs) / 1000 },
                observers: ["state polled"],
              });
            }
            verify(requirement === first ? list : again).equal(
              now.get(id)?.enable,
              enable,
              `enable of ${id} as listed after ${operation}`,
            );
            verify("CORE-SERVICE-17").equal(
              without(now, id),
              without(before, id),
              `the other services after ${operation} of ${id}`,
            );
          }
        }
        await gateway.admin.call(wasEnabled ? "enableService" : "disableService", {
          path: { id: id as "ntp" },
        });
      }
    },
  }),
  testCase({
    id: "services/every-allowed-id-is-taken",
    title: "Every listed service that is available takes the switch to the state that it is in",
    group: "services",
    requirements: ["CORE-SERVICE-32"],
    effect: "reversible",
    touches: ["services", "provision", "event-configuration", "ssh"],
    capabilities: ["services"],
    async run({ gateway, verify, notApplicable }) {
      const before = await listed(gateway);
      const allowed = serviceIds.filter((id) => before.get(id)?.available === true);
      if (allowed.length === 0) notApplicable("the gateway lists no service that is available");
      for (const id of allowed) {
        const enable = before.get(id)?.enable === true;
        // To the state it is in already, so that no listener, network or service is cut off.
        const answer = await gateway.admin.call(enable ? "enableService" : "disableService", {
          path: { id },
        });
        if (answer.status === 409) continue;
        if (verify("CORE-SERVICE-32").accepted(answer)) {
          verify("CORE-SERVICE-32").equal(answer.data().enable, enable, `data.enable of ${id}`, answer);
        }
      }
      verify("CORE-SERVICE-32").equal(
        without(await listed(gateway), ""),
        without(before, ""),
        "the services after each was switched to the state it was in",
      );
    },
  }),
  testCase({
    id: "services/unknown-ids-are-refused",
    title: "Ids that are none of the allowed ones can neither be enabled nor disabled",
    group: "services",
    requirements: ["CORE-SERVICE-18", "CORE-SERVICE-19"],
    effect: "reversible",
    touches: ["services", "provision", "event-configuration", "ssh"],
    capabilities: ["services"],
    async run({ gateway, verify }) {
      const before = await listed(gateway);
      for (const id of unknownIds) {
        verify("CORE-SERVICE-18").refused(await gateway.admin.callInvalid("enableService", { path: { id } }));
        verify("CORE-SERVICE-19").refused(
          await gateway.admin.callInvalid("disableService", { path: { id } }),
        );
      }
      verify("CORE-SERVICE-19").equal(
        without(await listed(gateway), ""),
        without(before, ""),
        "the services after the refused switches",
      );
    },
  }),
  testCase({
    id: "services/unavailable-stays-off",
    title: "A service that is not available cannot be enabled",
    group: "services",
    requirements: ["CORE-SERVICE-22"],
    effect: "reversible",
    touches: ["services"],
    capabilities: ["services"],
    async run({ gateway, verify, notApplicable }) {
      const before = await listed(gateway);
      // A gateway may list services that the interface has no id for; nothing is said of switching those.
      const missing = serviceIds.filter((id) => {
        const state = before.get(id);
        return state?.available === false && !state.enable;
      });
      if (missing.length === 0) notApplicable("every service of the gateway is available");
      for (const id of missing) {
        verify("CORE-SERVICE-22").refused(await gateway.admin.call("enableService", { path: { id } }));
      }
      verify("CORE-SERVICE-22").equal(
        Object.fromEntries(await listed(gateway)),
        Object.fromEntries(before),
        "the services afterwards",
      );
    },
  }),
  testCase({
    id: "services/ssh-configuration-is-kept",
    title: "The SSH configuration that was set is answered and read back",
    group: "services",
    requirements: ["CORE-SERVICE-27", "CORE-SERVICE-28"],
    effect: "reversible",
    touches: ["ssh", "services"],
    capabilities: ["ssh"],
    tags: ["smoke"],
    async run({ gateway, verify, scratch, random }) {
      const before = (await gateway.admin.call("getSsh")).data();
      scratch.undo("SSH configuration", () => gateway.admin.call("setSsh", { json: before }));
      const ports = [random.integer(2000, 30_000), random.integer(30_001, 60_000), before.port];
      for (const [index, port] of ports.entries()) {
        const json = { enable: index === 2 ? before.enable : index % 2 === 0, port };
        const answer = await gateway.admin.call("setSsh", { json });
        verify("CORE-SERVICE-27").accepted(answer);
        const readBack = await gateway.admin.call("getSsh");
        keptMember(verify("CORE-SERVICE-27"), "port", json.port, answer, readBack);
        keptMember(verify("CORE-SERVICE-28"), "enable", json.enable, answer, readBack);
      }
    },
  }),
];
