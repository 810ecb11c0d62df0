import { type TestCase, testCase } from "../../harness/index.ts";
import { eventKinds, neutralCloudCategory } from "../../interface/catalogue.ts";
import { reachThresholdPolicies } from "../../interface/resources/events.ts";
import { keptMember } from "../support/settingCheck.ts";
import { page } from "./support.ts";

const signInFailure = { id: 49, event: "user login fail" };

export const configuringCases: readonly TestCase[] = [
  testCase({
    id: "events/configuration-is-kept",
    title: "The event configuration is returned and read back as set",
    group: "events",
    requirements: ["CORE-EVENT-49", "CORE-EVENT-50", "CORE-EVENT-51", "CORE-EVENT-52", "CORE-EVENT-53"],
    effect: "reversible",
    touches: ["event-configuration", "services", "event-log"],
    capabilities: ["events"],
    async run({ gateway, verify, scratch, random }) {
      const { admin } = gateway;
      const { disks, ...before } = (await admin.call("getEventConfiguration")).data();
      scratch.undo("event configuration", () =>
        admin.call("setEventConfiguration", {
          json: { ...before, desiredDiskCacheSizeMB: String(before.desiredDiskCacheSizeMB) },
        }),
      );
      for (const [index, size] of [
        random.integer(65, 90),
        random.integer(91, 120),
        before.desiredDiskCacheSizeMB,
      ].entries()) {
        const reachThresholdPolicy =
          reachThresholdPolicies[index % reachThresholdPolicies.length] ?? "rotate";
        const json = {
          desiredDiskCacheSizeMB: String(size),
          enableTimeToLiveSec: index === 0,
          timeToLiveSec: [random.integer(500_000, 900_000), 0, -1][index] ?? 0,
          reachThresholdPolicy,
        };
        const answer = await admin.call("setEventConfiguration", { json });
        verify("CORE-EVENT-49").accepted(answer);
        const readBack = await admin.call("getEventConfiguration");
        keptMember(verify("CORE-EVENT-49"), "desiredDiskCacheSizeMB", size, answer, readBack);
        keptMember(
          verify("CORE-EVENT-50"),
          "enableTimeToLiveSec",
          json.enableTimeToLiveSec,
          answer,
          readBack,
        );
        if (json.timeToLiveSec > 0)
          keptMember(verify("CORE-EVENT-50"), "timeToLiveSec", json.timeToLiveSec, answer, readBack);
        keptMember(verify("CORE-EVENT-51"), "reachThresholdPolicy", reachThresholdPolicy, answer, readBack);
      }
      verify("CORE-EVENT-52").that(disks.length > 0, {
        what: "`disks` of the event configuration",
        expected: "at least one disk",
        observed: disks,
      });
      for (const { name } of disks) {
        const answer = await admin.call("setEventConfiguration", { json: { targetDiskName: name } });
        verify("CORE-EVENT-52").accepted(answer);
        keptMember(
          verify("CORE-EVENT-52"),
          "targetDiskName",
          name,
          answer,
          await admin.call("getEventConfiguration"),
        );
      }
      verify("CORE-EVENT-53").refused(
        await admin.callInvalid("setEventConfiguration", { json: { reachThresholdPolicy: "overwrite" } }),
      );
    },
  }),
  testCase({
    id: "events/catalogue-is-complete",
    title: "The event catalogue contains every stated kind",
    group: "events",
    requirements: ["CORE-EVENT-67", "CORE-EVENT-68", "CORE-EVENT-72"],
    effect: "read-only",
    touches: [],
    capabilities: ["events"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("getEventCatalogue");
      const { events, severities } = answer.data();
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
      const missing = ["info", "warning", "alert"].filter((severity) => !severities.includes(severity));
      verify("CORE-EVENT-72").equal(
        missing,
        [],
        "severities missing from `severities` of the catalogue",
        answer,
      );
    },
  }),
  testCase({
    id: "events/kinds-are-switched-one-by-one",
    title: "Update event kinds changes the named kinds only",
    group: "events",
    requirements: ["CORE-EVENT-69", "CORE-EVENT-70"],
    effect: "reversible",
    touches: ["event-catalogue"],
    capabilities: ["events"],
    async run({ gateway, verify, random, scratch }) {
      const { admin } = gateway;
      const read = async (): Promise<Record<string, boolean>> =>
        Object.fromEntries(
          (await admin.call("getEventCatalogue")).data().events.map(({ id, enable }) => [String(id), enable]),
        );
      const before = await read();
      const ids = Object.keys(before).filter((id) => Number(id) !== signInFailure.id);
      const [one = "", two = "", three = ""] = random.shuffle(ids);
      for (const changed of [[one], [two, three]]) {
        const wanted = { ...(await read()) };
        const events = changed.map((id) => ({ id: Number(id), enable: before[id] !== true }));
        scratch.undo(`event kinds ${changed.join(", ")}`, () =>
          admin.call("updateEventKinds", {
            json: { events: changed.map((id) => ({ id: Number(id), enable: before[id] === true })) },
          }),
        );
        const answer = await admin.call("updateEventKinds", { json: { events } });
        if (!verify("CORE-EVENT-69").accepted(answer)) continue;
        for (const { id, enable } of events) wanted[String(id)] = enable;
        const answered = Object.fromEntries(
          answer.data().events.map(({ id, enable }) => [String(id), enable]),
        );
        const readBack = await read();
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
    },
  }),
  testCase({
    id: "events/disabled-kind-is-not-recorded",
    title: "A failed sign-in is recorded only while its event kind is enabled",
    group: "events",
    requirements: ["CORE-EVENT-73"],
    effect: "reversible",
    touches: ["event-catalogue", "event-log", "sign-in-failures"],
    capabilities: ["events", "auth"],
    async run({ gateway, verify, scratch, waitFor, clock, signal }) {
      const { admin, anonymous } = gateway;
      const kind = (await admin.call("getEventCatalogue"))
        .data()
        .events.find(({ id }) => id === signInFailure.id);
      const put = async (enable: boolean): Promise<unknown> =>
        admin.call("updateEventKinds", { json: { events: [{ id: signInFailure.id, enable }] } });
      scratch.undo("event kind user login fail", () => put(kind?.enable === true));
      const total = async (): Promise<number> =>
        (await page(gateway, { eventNames: signInFailure.event, limit: 1 })).total;
      const fail = (): Promise<unknown> =>
        anonymous.call("signIn", { json: { name: scratch.name("nobody"), password: "wrong-Pass1!" } });
      await put(true);
      const before = await total();
      await fail();
      const recorded = await waitFor("the failed sign-in to be recorded", async () =>
        (await total()) > before ? true : undefined,
      ).catch(() => false);
      verify("CORE-EVENT-73").equal(
        recorded ? "recorded" : "not recorded",
        "recorded",
        "event of a failed sign-in while its kind is enabled",
      );
      await put(false);
      const beforeDisabled = await total();
      await fail();
      await clock.delay(200, signal);
      verify("CORE-EVENT-73").equal(
        await total(),
        beforeDisabled,
        "recorded failed sign-ins after one more while the kind is disabled",
      );
    },
  }),
];
