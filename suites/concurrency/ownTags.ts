// Virtual tags that clients update and delete at the same time, each of them its own.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { keyOf, listed, type Name, nameOf } from "../support/virtualTag.ts";
import { efforts, sideBySide } from "./effort.ts";

const used = ["listTags", "createVirtualTag", "updateVirtualTag", "deleteVirtualTag"] as const;
const absent = "absent";

/** Checks that the list has these tags with these units, as soon as it shows them. */
async function verifyListed(
  { gateway, profile, verify, waitFor }: CaseContext,
  requirement: string,
  units: ReadonlyMap<string, string>,
  what: string,
): Promise<void> {
  const expected = [...units.values()];
  let observed: string[] = [];
  const isShown = async (): Promise<true | undefined> => {
    const tags = await listed(gateway);
    observed = [...units.keys()].map((key) => {
      const tag = tags.get(key);
      return tag === undefined ? absent : tag.dataUnit;
    });
    return sameValue(observed, expected) ? true : undefined;
  };
  const limits = { deadlineMs: profile.patience.settleMs, everyMs: 50 };
  await waitFor("the list of tags to show what was written", isShown, limits).catch(() => undefined);
  verify(requirement).equal(observed, expected, what);
}

/** Each client updates its own tag; then half of the tags are deleted while the others are updated. */
export async function ownTags(context: CaseContext): Promise<void> {
  const { gateway, level, profile, scratch, verify } = context;
  const { admin } = gateway;
  if (!used.every((operation) => isOffered(profile, operation))) {
    for (const requirement of ["CORE-TAG-28", "CORE-TAG-29"])
      verify(requirement).notApplicable("tags of several clients", "the profile declares no virtual tags");
    return;
  }
  const { clients, rounds } = efforts[level];
  const tags: Name[] = [];
  while (tags.length < clients) tags.push(await scratch.virtualTag({ dataType: "int32" }));
  // What was accepted last; other cases show whether an update or a deletion is.
  const units = new Map<string, string>();
  const update = async (tag: Name, dataUnit: string): Promise<void> => {
    const json = { ...nameOf(tag), dataType: "int32", access: "rw", dataUnit } as const;
    if ((await admin.call("updateVirtualTag", { json })).accepted) units.set(keyOf(tag), dataUnit);
  };
  await sideBySide(clients, Math.ceil(rounds / 3), async (client, round) => {
    const tag = tags[client];
    if (tag === undefined) return;
    await update(tag, `c${client}r${round}`);
    const own = units.get(keyOf(tag));
    if (own === undefined) return;
    const what = "`dataUnit` of a virtual tag updated by one client only";
    await verifyListed(context, "CORE-TAG-28", new Map([[keyOf(tag), own]]), what);
  });
  await Promise.all(
    tags.map(async (tag, index) => {
      if (index % 2 === 0) return update(tag, `last${index}`);
      const { accepted } = await admin.call("deleteVirtualTag", { json: nameOf(tag) });
      if (accepted) units.set(keyOf(tag), absent);
    }),
  );
  for (const [requirement, isWanted, what] of [
    ["CORE-TAG-28", (unit: string) => unit !== absent, "updated while others were deleted"],
    ["CORE-TAG-29", (unit: string) => unit === absent, "deleted while others were updated"],
  ] as const) {
    const wanted = new Map([...units].filter(([, unit]) => isWanted(unit)));
    await verifyListed(context, requirement, wanted, `\`dataUnit\` of virtual tags ${what}`);
  }
}
