import { type Answer, type TestCase, testCase } from "../../harness/index.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { diskCases } from "./disks.ts";
import { longListCases } from "./longLists.ts";
import { mediaTypeCases } from "./mediaTypes.ts";
import { rejectingCases } from "./rejecting.ts";
import { repeatedEntries } from "../support/repeatedEntries.ts";
import { isRfc3339 } from "../../interface/schema/validate.ts";
import { isInteger } from "../../record/index.ts";

/** The members that the interface types as timestamps; a gateway's additional members are not checked. */
const timestampNames = new Set([
  "changedPasswordAt",
  "completedAt",
  "createdAt",
  "expiredAfter",
  "lastBootAt",
  "loginAt",
  "nextTriggerAt",
  "pendingAt",
  "startedAt",
  "triggerdAt",
]);

/** Every timestamp of the body that is a string, with its path. */
function* timestampsOf(value: unknown, place = ""): Generator<{ place: string; value: unknown }> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    // What stands for the next trigger where none is scheduled is not stated; an empty text may.
    const isUnset = name === "nextTriggerAt" && inner === "";
    if (timestampNames.has(name) && typeof inner === "string" && !isUnset)
      yield { place: `${place}/${name}`, value: inner };
    else yield* timestampsOf(inner, `${place}/${name}`);
  }
}

/** Lists that no case makes longer, and the requirement on their entries. */
const requirementOfEntries = {
  listPermissions: "CORE-ROLE-12",
  listApps: "CORE-APP-33",
  listJobs: "CORE-APP-45",
  listUpgradeJobs: "CORE-UPGRADE-47",
} as const;

export const generalSuite: readonly TestCase[] = [
  ...diskCases,
  ...longListCases,
  ...mediaTypeCases,
  ...rejectingCases,
  testCase({
    id: "general/lists-count-their-items",
    title: "Answers carry `data`, lists carry `count`, and timestamps are RFC 3339",
    group: "general",
    requirements: [
      "CORE-GENERAL-01",
      "CORE-GENERAL-02",
      "CORE-GENERAL-03",
      ...Object.values(requirementOfEntries),
    ],
    effect: "read-only",
    // A gateway may make one export at a time.
    touches: ["configuration"],
    tags: ["smoke"],
    async run({ gateway: { admin }, verify, declares }) {
      const lists: Answer[] = [];
      if (declares("roles")) lists.push(await admin.call("listPermissions"), await admin.call("listRoles"));
      if (declares("users")) lists.push(await admin.call("listUsers"));
      if (declares("apps")) lists.push(await admin.call("listApps"), await admin.call("listJobs"));
      if (declares("upgrade")) lists.push(await admin.call("listUpgradeJobs"));
      if (declares("events"))
        lists.push(await admin.call("getEvents", { query: { limit: 7 } }), await admin.call("getEvents"));
      if (declares("configuration"))
        lists.push(await admin.call("exportConfiguration", { query: { action: "get-profile" } }));
      const single = declares("reboot") ? [await admin.call("getReboot")] : [];
      for (const answer of lists) {
        const body = answer.json as { count?: unknown; data?: unknown } | undefined;
        if (!verify("CORE-GENERAL-01").accepted(answer)) continue;
        const items = Array.isArray(body?.data) ? body.data.length : "`data` is no array";
        verify("CORE-GENERAL-02").equal(
          body?.count,
          items,
          `\`count\` in the answer of ${answer.operation}`,
          answer,
        );
      }
      for (const [operation, requirement] of Object.entries(requirementOfEntries)) {
        const answer = lists.find((one) => one.operation === operation && one.accepted);
        if (answer === undefined) verify(requirement).notApplicable("entries", `${operation} is not offered`);
        else
          verify(requirement).equal(
            repeatedEntries(answer.json),
            [],
            `repeated entries of ${operation}`,
            answer,
          );
      }
      for (const answer of [...lists, ...single]) {
        const body: unknown = answer.json;
        verify("CORE-GENERAL-01").that(typeof body === "object" && body !== null && "data" in body, {
          what: `body of the answer of ${answer.operation}`,
          expected: "an object with the member `data`",
          observed: answer.summary(),
          evidence: answer,
        });
        const { schema } = answer;
        const stated = schema === undefined ? body : keepListed(schema, body);
        const wrong = [...timestampsOf(stated)].filter(({ value }) => !isRfc3339(String(value)));
        verify("CORE-GENERAL-03").equal(
          wrong,
          [],
          `timestamps in the answer of ${answer.operation} that are no RFC 3339 date-time`,
          answer,
        );
      }
    },
  }),
  testCase({
    id: "general/refusals-have-an-error-object",
    title: "A rejected request returns an error object with code and message",
    group: "general",
    requirements: ["CORE-GENERAL-08"],
    effect: "read-only",
    touches: [],
    capabilities: ["roles", "published-errors"],
    async run({ gateway, verify, unmet }) {
      const answer = await gateway.admin.callInvalid("createRole", { json: { name: 5 } });
      if (answer.accepted)
        unmet("Create role with the number 5 as `name` was expected to be rejected, and was accepted");
      const error = (answer.json as { error?: { code?: unknown; message?: unknown } } | undefined)?.error;
      verify("CORE-GENERAL-08").that(isInteger(error?.code) && typeof error?.message === "string", {
        what: "body of a rejection (4xx)",
        expected: "an object `error` with an integer `code` and a string `message`",
        observed: answer.summary(),
        evidence: answer,
      });
    },
  }),
];
