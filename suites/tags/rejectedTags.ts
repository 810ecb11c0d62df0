// Virtual tags beyond the stated limits: each is rejected, and none of them exists afterwards.
import type { CaseContext } from "../../harness/index.ts";
import {
  maxTagDataSize,
  maxTagNameLength,
  maxTagUnitLength,
  tagDataTypes,
} from "../../interface/resources/tags.ts";
import { keyOf, listed, nameOf, wish } from "../support/virtualTag.ts";

const beyond = (letter: string): string => letter.repeat(maxTagNameLength + 1);

/** What is beyond its limit, with the requirement that states the limit. */
const rejected: readonly (readonly [requirement: string, part: Readonly<Record<string, unknown>>])[] = [
  ["CORE-TAG-38", { prvdName: beyond("p") }],
  ["CORE-TAG-39", { srcName: beyond("s") }],
  ["CORE-TAG-40", { tagName: beyond("t") }],
  ["CORE-TAG-42", { dataUnit: "u".repeat(maxTagUnitLength + 1) }],
  ...[-1, maxTagDataSize + 1, "many"].map((dataSize) => ["CORE-TAG-44", { dataSize }] as const),
  ...["uint128", "no-such-type", ""].map((dataType) => ["CORE-TAG-45", { dataType }] as const),
  ...["x", "no-such-access", ""].map((access) => ["CORE-TAG-46", { access }] as const),
];
/** Spellings that a gateway may take for a stated value. */
const spellings = [
  ["CORE-TAG-45", "dataType", "INT32", tagDataTypes],
  ["CORE-TAG-46", "access", "wr", ["r", "w", "rw"]],
] as const;
const required = ["prvdName", "srcName", "tagName", "dataType", "access"];

const withoutMember = (json: object, missing: string): object =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== missing));

/** Checks that no such tag is created. */
export async function verifyRejectedTags(context: CaseContext): Promise<void> {
  const { gateway, verify } = context;
  const wishes = rejected.map(([requirement, part]) => ({
    requirement,
    json: { ...wish(context), ...part },
  }));
  for (const { requirement, json } of wishes) {
    context.scratch.removeTagLater(json);
    verify(requirement).refused(await gateway.admin.callInvalid("createVirtualTag", { json }));
  }
  for (const [requirement, member, value, stated] of spellings) {
    const json = { ...wish(context), [member]: value };
    context.scratch.removeTagLater(json);
    const answer = await gateway.admin.callInvalid("createVirtualTag", { json });
    const shown = (await listed(gateway)).get(keyOf(json))?.[member];
    verify(requirement).that(answer.accepted ? stated.some((one) => one === shown) : shown === undefined, {
      what: `\`${member}\` in List tags after a creation with ${value}`,
      expected: answer.accepted ? stated.join(", ") : "no such tag",
      observed: shown,
      evidence: answer,
    });
    if (!answer.accepted) verify(requirement).refused(answer);
  }
  for (const missing of required) {
    const json = withoutMember(wish(context), missing);
    verify("CORE-TAG-47").refused(await gateway.admin.callInvalid("createVirtualTag", { json }));
  }
  const present = new Set([...(await listed(gateway)).values()].map(({ tagName }) => tagName));
  for (const { requirement, json } of wishes)
    verify(requirement).equal(
      present.has(json.tagName),
      false,
      "presence of a tag after its creation was rejected",
    );
}

/** Checks that an update or a deletion without a required member is rejected, and an update with an unknown value. */
export async function verifyRejectedChanges(context: CaseContext): Promise<void> {
  const { gateway, verify } = context;
  const { admin } = gateway;
  const plain = wish(context);
  // A deletion without a name may delete all tags of the source: it must be one of the case.
  const own = { ...plain, srcName: `${plain.tagName}s` };
  const isOwn = (await admin.call("createVirtualTag", { json: own })).accepted;
  const json = isOwn ? own : plain;
  context.scratch.removeTagLater(json);
  if (!isOwn) (await admin.call("createVirtualTag", { json })).body();
  for (const missing of required)
    verify("CORE-TAG-47").refused(
      await admin.callInvalid("updateVirtualTag", { json: withoutMember(json, missing) }),
    );
  for (const [requirement, part] of [
    ["CORE-TAG-45", { dataType: "uint128" }],
    ["CORE-TAG-46", { access: "x" }],
  ] as const)
    verify(requirement).refused(await admin.callInvalid("updateVirtualTag", { json: { ...json, ...part } }));
  for (const missing of required.slice(0, 3)) {
    if (missing === "tagName" && !isOwn) continue;
    const answer = await admin.callInvalid("deleteVirtualTag", {
      json: withoutMember(nameOf(json), missing),
    });
    verify("CORE-TAG-58").refused(answer);
    verify("CORE-TAG-58").equal(
      (await listed(gateway)).has(keyOf(json)),
      true,
      `presence of a tag in the list after a deletion without \`${missing}\``,
      answer,
    );
  }
}
