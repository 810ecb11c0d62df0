import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { eventKinds, eventOrigins, neutralCloudCategory } from "../../interface/catalogue.ts";
import { severities as eventSeverities } from "../../interface/resources/events.ts";
import { keptMember, memberOf } from "../support/settingCheck.ts";
import { verifyTargets } from "../support/targetDisks.ts";
import { firstAccepted, withinLimits } from "../support/withinLimits.ts";
import { verifyStreamAfterSets } from "./streamAfterSet.ts";
import { configurationBody } from "./support.ts";

const signInFailure = { id: 49, event: "user login fail" };

/** Every member that can be set, with the requirement that it is stored. */
const requirementOf = {
  desiredDiskCacheSizeMB: "CORE-EVENT-49",
  enable: "CORE-EVENT-48",
  enableTimeToLiveSec: "CORE-EVENT-50",
  timeToLiveSec: "CORE-EVENT-50",
  reachThresholdPolicy: "CORE-EVENT-51",
  targetDiskName: "CORE-EVENT-52",
} as const;

const policies: ReadonlySet<unknown> = new Set(["rotate", "stop"]);

type Catalogue = ReturnType<Answer<"getEventCatalogue">["data"]>;
type Kinds = Catalogue["events"];
/** `enable` of the event kinds by their id. */
type Switches = Record<string, boolean>;

const switches = (kinds: Kinds): Switches =>
  Object.fromEntries(kinds.map(({ id, enable }) => [String(id), enable]));

/** What an id of no kind differs by from that of a kind: one is the same in 8, 16 or 32 bits. */
const idOffsets = [256, 65_536, 2 ** 32];

/** Names a kind together with an id that no kind has: no other kind changes, and none at all by a rejected update. */
async function verifyUnknownKinds(
  { gateway: { admin }, verify }: CaseContext,
  before: Switches,
  one: string,
  other: string,
): Promise<void> {
  const known = { id: Number(one), enable: before[one] !== true };
  for (const [index, offset] of idOffsets.entries()) {
    const id = Number(other) + offset;
    if (before[String(id)] !== undefined) continue;
    const unknown = { id, enable: before[other] !== true };
    const events = index % 2 === 0 ? [known, unknown] : [unknown, known];
    const prior = switches((await admin.call("getEventCatalogue")).data().events);
    const answer = await admin.call("updateEventKinds", { json: { events } });
    const readBack = await admin.call("getEventCatalogue");
    const now = switches(readBack.data().events);
    const isNamed = ([kind]: [string, boolean]): boolean => kind === one;
    const othersOf = (kinds: Switches): object =>
      Object.fromEntries(Object.entries(kinds).filter((entry) => !isNamed(entry)));
    const what = `after an update of kind ${one} and of the unknown kind ${id}`;
    verify("CORE-EVENT-70").equal(
      othersOf(now),
      othersOf(prior),
      `\`enable\` of the event kinds other than ${one} ${what}`,
      answer,
    );
    // Whether an unknown kind is an error is not stated.
    if (answer.rejected)
      verify("CORE-GENERAL-10").equal(
        now[one],
        prior[one],
        `\`enable\` of event kind ${one} ${what}, which was rejected`,
        answer,
      );
    else
      verify("CORE-GENERAL-10").notApplicable(
        `\`enable\` of the kinds that a rejected update names`,
        "an update with an unknown kind is accepted",
      );
    if (now[one] !== before[one])
      await admin.call("updateEventKinds", {
        json: { events: [{ ...known, enable: before[one] === true }] },
      });
  }
}

export const configuringCases: readonly TestCase[] = [
  testCase({
    id: "events/configuration-is-kept",
    title: "The event configuration is returned and read back as set",
    group: "events",
    requirements: [
      "CORE-EVENT-28",
      "CORE-EVENT-48",
      "CORE-EVENT-49",
      "CORE-EVENT-50",
      "CORE-EVENT-51",
      "CORE-EVENT-52",
      "CORE-EVENT-53",
      "CORE-GENERAL-09",
    ],
    effect: "reversible",
    touches: ["event-configuration", "event-catalogue", "services", "event-log"],
    capabilities: ["events"],
    async run(context) {
      const { gateway, verify, scratch, random } = context;
      const { admin } = gateway;
      const { disks, ...before } = (await admin.call("getEventConfiguration")).data();
      scratch.undo("event configuration", () =>
        admin.call("setEventConfiguration", { json: configurationBody(before) }),
      );
      const size = before.desiredDiskCacheSizeMB;
      const wishes = [
        // A time to live of decades, because a shorter one would remove events of the gateway's user.
        {
          ttl: [true, random.integer(700_000_000, 900_000_000)],
          reachThresholdPolicy: "rotate",
          enable: false,
        },
        { ttl: [false, 0], reachThresholdPolicy: "stop", enable: true },
        { ttl: [false, random.integer(100_000, 900_000)], reachThresholdPolicy: "rotate", enable: true },
        { ttl: [false, random.integer(-900_000, -2)], reachThresholdPolicy: "stop", enable: false },
      ] as const;
      for (const [index, { ttl, ...wish }] of wishes.entries()) {
        const [enableTimeToLiveSec, usualSec] = ttl;
        const other = { ...before, ...wish, enableTimeToLiveSec };
        const {
          wish: { timeToLiveSec, ...rest },
          answer,
        } = await firstAccepted(withinLimits(usualSec, size, (index % 3) + 1), (values) =>
          admin.call("setEventConfiguration", { json: configurationBody({ ...other, ...values }) }),
        );
        const wanted = { ...other, ...rest, timeToLiveSec };
        verify("CORE-EVENT-49").accepted(answer);
        const readBack = await admin.call("getEventConfiguration");
        for (const [member, requirement] of Object.entries(requirementOf)) {
          const value = new Map<string, unknown>(Object.entries(wanted)).get(member);
          if (member === "timeToLiveSec" && timeToLiveSec <= 0)
            for (const [seen, how] of [
              [answer, "returned"],
              [readBack, "read back"],
            ] as const) {
              const shown = memberOf(seen, member);
              verify(requirement).that(typeof shown === "number" && shown <= 0, {
                what: `\`timeToLiveSec\` as ${how} after ${timeToLiveSec} was set`,
                expected: "0 or less (unlimited)",
                observed: shown,
                evidence: seen,
              });
            }
          else keptMember(verify(requirement), member, value, answer, readBack);
        }
      }
      await verifyTargets(
        context,
        "CORE-EVENT-52",
        { disks, ...before },
        {
          read: () => admin.call("getEventConfiguration"),
          set: (targetDiskName) =>
            admin.call("setEventConfiguration", { json: configurationBody({ ...before, targetDiskName }) }),
        },
      );
      await verifyStreamAfterSets(context, before);
      const prior = await admin.call("getEventConfiguration");
      const unknown = await admin.callInvalid("setEventConfiguration", {
        json: { ...configurationBody(before), enable: !before.enable, reachThresholdPolicy: "overwrite" },
      });
      verify("CORE-GENERAL-09").refused(unknown);
      for (const wrong of [{ enable: "maybe" }, { timeToLiveSec: "many" }, { enableTimeToLiveSec: [] }]) {
        const json = { ...configurationBody(before), ...wrong };
        verify("CORE-GENERAL-09").refused(await admin.callInvalid("setEventConfiguration", { json }));
      }
      const after = await admin.call("getEventConfiguration");
      verify("CORE-EVENT-53").that(policies.has(memberOf(after, "reachThresholdPolicy")), {
        what: "`reachThresholdPolicy` after another value was sent",
        expected: "rotate or stop",
        observed: memberOf(after, "reachThresholdPolicy"),
        evidence: after,
      });
      if (unknown.accepted) return;
      for (const member of Object.keys(requirementOf))
        verify("CORE-EVENT-53").equal(
          memberOf(after, member),
          memberOf(prior, member),
          `\`${member}\` after the rejected request`,
          unknown,
        );
    },
  }),
  testCase({
    id: "events/catalogue-is-complete",
    title: "The event catalogue contains every stated kind",
    group: "events",
    requirements: [
      "CORE-EVENT-61",
      "CORE-EVENT-62",
      "CORE-EVENT-67",
      "CORE-EVENT-68",
      "CORE-EVENT-72",
      "CORE-EVENT-81",
    ],
    effect: "read-only",
    touches: [],
    capabilities: ["events"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("getEventCatalogue");
      const { categories, eventNames, events, origins, severities } = answer.data();
      for (const kind of eventKinds) {
        const found = events.find(({ id }) => id === kind.id);
        // The vendor's own name replaces the neutral word of the interface.
        const category = kind.category === neutralCloudCategory ? found?.category : kind.category;
        verify("CORE-EVENT-67").equal(
          { id: found?.id, category: found?.category, event: found?.event },
          { id: kind.id, category, event: kind.event },
          `\`id\`, \`category\` and \`event\` of event kind ${kind.id}`,
          answer,
        );
        verify("CORE-EVENT-68").equal(
          found?.severity,
          kind.severity,
          `\`severity\` of event kind ${kind.id} (${kind.event})`,
          answer,
        );
      }
      const listedIds = events.map(({ id }) => id);
      verify("CORE-EVENT-67").equal(
        listedIds.filter((id, index) => listedIds.indexOf(id) !== index),
        [],
        "ids listed more than once in the event catalogue",
        answer,
      );
      for (const [requirement, member, values, needed] of [
        ["CORE-EVENT-61", "categories", categories, events.map(({ category }) => category)],
        ["CORE-EVENT-62", "eventNames", eventNames, events.map(({ event }) => event)],
      ] as const)
        verify(requirement).equal(
          [...new Set(needed)].filter((value) => !values.includes(value)),
          [],
          `values of the listed event kinds missing from \`${member}\` of the catalogue`,
          answer,
        );
      for (const [requirement, member, values, stated] of [
        ["CORE-EVENT-72", "severities", severities, eventSeverities],
        ["CORE-EVENT-81", "origins", origins, eventOrigins],
      ] as const)
        verify(requirement).equal(
          stated.filter((value) => !values.includes(value)),
          [],
          `${member} missing from \`${member}\` of the catalogue`,
          answer,
        );
    },
  }),
  testCase({
    id: "events/kinds-are-switched-one-by-one",
    title: "Update event kinds changes the named kinds only",
    group: "events",
    requirements: ["CORE-EVENT-69", "CORE-EVENT-70", "CORE-EVENT-71", "CORE-GENERAL-09", "CORE-GENERAL-10"],
    effect: "reversible",
    touches: ["event-catalogue"],
    capabilities: ["events"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, level, verify, random, scratch } = context;
      const { admin } = gateway;
      let catalogue = (await admin.call("getEventCatalogue")).data();
      const read = async (): Promise<Switches> => {
        catalogue = (await admin.call("getEventCatalogue")).data();
        return switches(catalogue.events);
      };
      const listed = catalogue.events;
      // Which order they have is not stated.
      const others = (kinds: Kinds): Kinds =>
        kinds.filter(({ id, category, event, severity }) => {
          const one = listed.find((kind) => kind.id === id);
          return one?.category !== category || one.event !== event || one.severity !== severity;
        });
      const before = switches(listed);
      const ids = Object.keys(before).filter((id) => Number(id) !== signInFailure.id);
      const shuffled = random.shuffle(ids);
      // Each kind alone to its other state: kinds may share their event. Then back, while kinds that are not named have
      // their other state too.
      const some = level === "smoke" ? shuffled.slice(0, 11) : shuffled;
      const steps = [
        ...some.map((id) => ({ changed: [id], isOther: true })),
        { changed: [], isOther: true },
        ...[some.slice(0, 1), some.slice(1, 3), some.slice(3, 11), some.slice(11)]
          .filter((part) => part.length > 0)
          .map((changed) => ({ changed, isOther: false })),
      ];
      scratch.undo("event kinds", () =>
        admin.call("updateEventKinds", {
          json: { events: some.map((id) => ({ id: Number(id), enable: before[id] === true })) },
        }),
      );
      for (const { changed, isOther } of steps) {
        const wanted = { ...(await read()) };
        const earlier = catalogue;
        const events = changed.map((id) => ({ id: Number(id), enable: (before[id] === true) !== isOther }));
        const answer = await admin.call("updateEventKinds", { json: { events } });
        // Whether an update must name a kind is not stated.
        if (events.length === 0 && answer.rejected) continue;
        if (!verify("CORE-EVENT-69").accepted(answer)) continue;
        for (const { id, enable } of events) wanted[String(id)] = enable;
        verify("CORE-EVENT-71").equal(
          others(answer.data().events).slice(0, 3),
          [],
          "event kinds as returned with a category, event or severity that Get event catalogue does not show",
          answer,
        );
        const answered = switches(answer.data().events);
        const readBack = await read();
        for (const member of ["categories", "eventNames", "origins", "severities"] as const)
          verify("CORE-EVENT-71").equal(
            // Before and after: a gateway may list what its present entries have.
            earlier[member].filter(
              (value) => catalogue[member].includes(value) && !answer.data()[member].includes(value),
            ),
            [],
            `values of \`${member}\` in Get event catalogue, missing from the answer of Update event kinds`,
            answer,
          );
        for (const [how, now] of [
          ["returned", answered],
          ["read back", readBack],
        ] as const) {
          for (const { id, enable } of events)
            verify("CORE-EVENT-69").equal(
              now[String(id)],
              enable,
              `\`enable\` of event kind ${id} as ${how}`,
              answer,
            );
          verify("CORE-EVENT-70").equal(now, wanted, `\`enable\` of all event kinds as ${how}`, answer);
        }
      }
      const [one, other] = some;
      const wrong = { events: [{ id: Number(one), enable: "maybe" }] };
      verify("CORE-GENERAL-09").refused(await admin.callInvalid("updateEventKinds", { json: wrong }));
      if (one !== undefined && other !== undefined) await verifyUnknownKinds(context, before, one, other);
    },
  }),
];
