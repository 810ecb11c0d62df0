import { allServices } from "../support/serviceList.ts";
import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import {
  observedServices,
  serviceGroups,
  type ServiceId,
  serviceIds,
} from "../../interface/resources/services.ts";
import { invertServices, laterSwitches } from "../support/serviceSwitches.ts";
import { lastingCases } from "./lasting.ts";
import { listed, type Switches, waitListed } from "./listed.ts";
import { sshCases } from "./ssh.ts";

/** Once one service was not listed as switched in the settling time, the others are waited for no longer than this. */
const afterFailureMs = 2000;

function pathOf(id: string): { path: { id: "ntp" } } {
  // Which ids a call may name is typed; the profile may name any of them.
  return { path: { id: id as "ntp" } };
}

/** Services that stand for a part of the device, which may be without power while they are off. */
const hardware = /^(?:wifi|cellular|lan|dhcp|sdcard|localconsole)/;

/** The enable states of all services but one, in a comparable form. */
function without(switches: Switches, id: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    [...switches].filter(([other]) => other !== id).map(([other, { enable }]) => [other, enable]),
  );
}

/** Settings of which a switch may be a service, too; one may be the master that polls the field devices. */
const switched = ["services", "provision", "event-configuration", "log", "ssh", "field-devices"] as const;

/** Unlike any id that a gateway could have beside the allowed ones. */
const unknownIds = ["nosuchservice", "no-such-service-2", "no such service"];

const unknownId = "of-the-suite";

/** The body of the answer without the id of the service. */
function textWithout(id: string, answer: Answer): string {
  return answer.text.replaceAll(id, "");
}

/** Switches a service that rejects its present state to the other one and back. */
async function switchThereAndBack(context: CaseContext, id: ServiceId, enable: boolean): Promise<void> {
  const { gateway, profile, scratch, verify, waitFor } = context;
  const switchTo = (isOn: boolean): Promise<Answer> =>
    gateway.admin.call(isOn ? "enableService" : "disableService", { path: { id } });
  scratch.undo(`service ${id}`, () => switchTo(enable));
  for (const isOn of [!enable, enable])
    if (verify("CORE-SERVICE-32").accepted(await switchTo(isOn)))
      await waitListed(gateway, waitFor, id, isOn, profile.patience.settleMs);
}

export const servicesSuite: readonly TestCase[] = [
  ...lastingCases,
  testCase({
    id: "services/listed-once",
    title: "Every service is listed once, in one group",
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
      verify("CORE-SERVICE-11").equal(twice, [], "ids listed more than once in List services", answer);
    },
  }),
  testCase({
    id: "services/observed-groups",
    title: "Observed services are listed in the groups of the interface",
    group: "services",
    requirements: ["CORE-SERVICE-35"],
    effect: "read-only",
    touches: [],
    capabilities: ["services"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("listServices");
      const groups = answer.data();
      const isObserved = (id: string): boolean =>
        serviceGroups.some((group) => observedServices[group].some((one) => one === id));
      verify("CORE-SERVICE-35").equal(
        serviceGroups.flatMap((group) =>
          groups[group]
            .filter(({ id }) => isObserved(id) && !observedServices[group].some((one) => one === id))
            .map(({ id }) => `${id} in ${group}`),
        ),
        [],
        "observed ids in another group than in the interface",
        answer,
      );
    },
  }),
  testCase({
    id: "services/switching-is-kept",
    title: "Enable and disable change the state of that service only",
    group: "services",
    requirements: [
      "CORE-SERVICE-13",
      "CORE-SERVICE-14",
      "CORE-SERVICE-15",
      "CORE-SERVICE-16",
      "CORE-SERVICE-17",
      "CORE-SERVICE-20",
      "CORE-SERVICE-21",
      "CORE-SERVICE-34",
    ],
    effect: "reversible",
    touches: [...switched, "event-log"],
    capabilities: ["services"],
    tags: ["timing"],
    // About 200 calls; a slow gateway takes 0.1 s for each, and its list follows each switch some seconds later.
    deadlineMs: 600_000,
    async run({ gateway, profile, verify, scratch, notApplicable, random, waitFor, clock, measure }) {
      const before = await listed(gateway);
      const candidates = profile.switchableServices.filter((id) => before.get(id)?.available === true);
      verify("CORE-SERVICE-34").notApplicable("`available` of a switched service", "none is software");
      if (candidates.length === 0)
        notApplicable("none of the profile's switchableServices is available", "not-named");
      let { settleMs: patienceMs } = profile.patience;
      for (const id of candidates) {
        const wasEnabled = before.get(id)?.enable === true;
        scratch.undo(`service ${id}`, () =>
          gateway.admin.call(wasEnabled ? "enableService" : "disableService", pathOf(id)),
        );
        if (wasEnabled || !(await gateway.admin.call("enableService", pathOf(id))).accepted) continue;
        const now = await waitListed(gateway, waitFor, id, true, patienceMs);
        if (now.get(id)?.enable !== true) patienceMs = afterFailureMs;
      }
      const disable = [
        "disableService",
        false,
        "CORE-SERVICE-15",
        "CORE-SERVICE-21",
        "CORE-SERVICE-16",
      ] as const;
      const enable = [
        "enableService",
        true,
        "CORE-SERVICE-13",
        "CORE-SERVICE-20",
        "CORE-SERVICE-14",
      ] as const;
      const order = random.shuffle(candidates);
      // Down and up in both orders: each service is switched while each other one is on, and while it is off.
      const rounds = [
        { ids: order, to: disable, repeats: true },
        { ids: order, to: enable, repeats: true },
        { ids: order.toReversed(), to: disable, repeats: false },
        { ids: order.toReversed(), to: enable, repeats: false },
      ];
      // What did not switch once is not waited for again.
      const stuck = new Set<string>();
      for (const { ids, to, repeats } of rounds) {
        const [operation, isOn, first, again, list] = to;
        for (const id of ids.filter((one) => !stuck.has(one)))
          for (const requirement of repeats ? [first, again] : [first]) {
            // Read anew each time: a service may also change by itself, as a scheduled one does.
            const prior = await listed(gateway);
            const answer = await gateway.admin.call(operation, pathOf(id));
            // The states of the interface do not cover a repetition: it may be a conflict, and must change no state.
            const isConflict = requirement === again && answer.rejected;
            if (!isConflict && verify(requirement).accepted(answer)) {
              verify(requirement).equal(
                answer.data().enable,
                isOn,
                `\`data.enable\` in the answer of ${operation} ${id}`,
                answer,
              );
            }
            // Whether the gateway carried out what it never answered is open.
            if (answer.status === 0) continue;
            const { startedMs } = answer.exchange;
            const now = await waitListed(gateway, waitFor, id, isOn, patienceMs);
            if (requirement === first) {
              measure({
                name: `time until ${id} was listed as ${isOn ? "enabled" : "disabled"}`,
                unit: "s",
                interval: { low: 0, high: (clock.nowMs() - startedMs) / 1000 },
                observers: ["state polled"],
              });
            }
            const isListed = verify(requirement === first ? list : again).equal(
              now.get(id)?.enable,
              isOn,
              `\`enable\` of ${id} in List services after ${operation}`,
            );
            if (!isListed) {
              stuck.add(id);
              patienceMs = afterFailureMs;
            }
            verify("CORE-SERVICE-17").equal(
              without(now, id),
              without(prior, id),
              `\`enable\` of the other services after ${operation} ${id}`,
            );
            if (!hardware.test(id))
              verify("CORE-SERVICE-34").equal(
                now.get(id)?.available,
                prior.get(id)?.available,
                `\`available\` of ${id} in List services after ${operation}`,
              );
          }
      }
    },
  }),
  testCase({
    id: "services/every-allowed-id-is-taken",
    title: "Every available service accepts the switch to its present state",
    group: "services",
    requirements: ["CORE-SERVICE-32"],
    effect: "reversible",
    touches: [...switched, "event-log"],
    capabilities: ["services"],
    deadlineMs: 300_000,
    async run(context) {
      const { gateway, profile, verify, notApplicable } = context;
      const before = await listed(gateway);
      const allowed = serviceIds.filter((id) => before.get(id)?.available === true);
      if (allowed.length === 0) notApplicable("List services has no available service");
      const answers: {
        id: ServiceId;
        enable: boolean;
        answer: Answer<"enableService" | "disableService">;
      }[] = [];
      for (const id of allowed) {
        const enable = before.get(id)?.enable === true;
        // To the present state, because a change could cut off a listener or network in use.
        const answer = await gateway.admin.call(enable ? "enableService" : "disableService", {
          path: { id },
        });
        answers.push({ id, enable, answer });
      }
      // A repetition may be a conflict, for all services or for some.
      const isConflict = answers.every(({ answer }) => answer.rejected);
      const unknown = await gateway.admin.callInvalid("disableService", { path: { id: unknownId } });
      const looksUnknown = ({ id, answer }: (typeof answers)[number]): boolean =>
        answer.status === unknown.status && textWithout(id, answer) === textWithout(unknownId, unknown);
      const showsConflicts = answers.some((one) => one.answer.rejected && !looksUnknown(one));
      for (const one of answers) {
        const { id, enable, answer } = one;
        if (answer.rejected && !isConflict && profile.switchableServices.includes(id)) {
          await switchThereAndBack(context, id, enable);
          continue;
        }
        // Where conflicts look like that of an unknown id, neither is shown.
        if (answer.rejected && (isConflict || !looksUnknown(one) || !showsConflicts)) {
          verify("CORE-SERVICE-32").notApplicable(`switch of ${id} to its present state`, "rejected");
          continue;
        }
        if (verify("CORE-SERVICE-32").accepted(answer)) {
          verify("CORE-SERVICE-32").equal(
            answer.data().enable,
            enable,
            `\`data.enable\` in the answer for ${id}`,
            answer,
          );
        }
      }
      const expected = without(before, "");
      verify("CORE-SERVICE-32").equal(
        await laterSwitches(context, expected),
        expected,
        "`enable` of all services after switches to their present state",
      );
    },
  }),
  testCase({
    id: "services/unknown-ids-are-refused",
    title: "Enable and disable reject ids outside the allowed ones",
    group: "services",
    requirements: ["CORE-SERVICE-18", "CORE-SERVICE-19"],
    effect: "reversible",
    touches: switched,
    capabilities: ["services"],
    async run({ gateway, verify }) {
      const before = await listed(gateway);
      // Also ids that begin with an available one, or are the beginning of one.
      const similar = serviceIds
        .filter((id) => before.get(id)?.available === true)
        .slice(-2)
        .flatMap((id) => [`${id}-of-the-suite`, id.slice(0, -1)])
        .filter((id) => !before.has(id));
      for (const id of [...unknownIds, ...similar]) {
        verify("CORE-SERVICE-18").refused(await gateway.admin.callInvalid("enableService", { path: { id } }));
        verify("CORE-SERVICE-19").refused(
          await gateway.admin.callInvalid("disableService", { path: { id } }),
        );
      }
      verify("CORE-SERVICE-19").equal(
        without(await listed(gateway), ""),
        without(before, ""),
        "`enable` of all services after the rejected switches",
      );
    },
  }),
  testCase({
    id: "services/unavailable-stays-off",
    title: "An unavailable service cannot be enabled",
    group: "services",
    requirements: ["CORE-SERVICE-12", "CORE-SERVICE-17", "CORE-SERVICE-22"],
    effect: "reversible",
    touches: switched,
    capabilities: ["services"],
    async run(context) {
      const { gateway, profile, scratch, verify, notApplicable, waitFor } = context;
      const before = await listed(gateway);
      // Only the stated ids: a gateway may list further services, and the interface does not speak of switching those.
      const missing = serviceIds.filter((id) => {
        const state = before.get(id);
        return state?.available === false && !state.enable;
      });
      if (missing.length === 0) notApplicable("every service of the gateway is available");
      for (const id of missing)
        scratch.undo(`service ${id}`, async () =>
          (await listed(gateway)).get(id)?.enable === true
            ? gateway.admin.call("disableService", { path: { id } })
            : undefined,
        );
      const attempt = async (id: ServiceId): Promise<boolean> => {
        const prior = await listed(gateway);
        const answer = await gateway.admin.call("enableService", { path: { id } });
        // The states of the interface let every allowed id be enabled; an accepted switch must then be a real one.
        const enable = answer.accepted && answer.data().enable;
        const now = await waitListed(gateway, waitFor, id, enable, profile.patience.settleMs);
        const state = now.get(id)?.enable;
        const what = `\`enable\` of the unavailable ${id} in List services after enableService`;
        if (answer.accepted) {
          verify("CORE-SERVICE-22").notApplicable(what, "accepted");
          // The answer has the new state, whichever it is.
          if (!verify("CORE-SERVICE-12").equal(state, enable, what, answer)) return false;
        } else {
          verify("CORE-SERVICE-22").refused(answer);
          verify("CORE-SERVICE-22").equal(state, false, what, answer);
          verify("CORE-SERVICE-12").notApplicable(what, "rejected");
        }
        verify("CORE-SERVICE-17").equal(
          without(now, id),
          without(prior, id),
          `\`enable\` of the other services after enableService ${id}`,
          answer,
        );
        return true;
      };
      const attemptAll = async (): Promise<boolean> => {
        for (const id of missing) if (!(await attempt(id))) return false;
        return true;
      };
      // The second time the others are on where they were off, and the other way round.
      if (!(await attemptAll())) return;
      await laterSwitches(context, await invertServices(context));
      await attemptAll();
    },
  }),
  ...sshCases,
];
