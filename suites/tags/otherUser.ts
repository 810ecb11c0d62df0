// Virtual tags and their values are those of all users.
import type { CaseContext } from "../../harness/index.ts";
import { keyOf } from "../support/virtualTag.ts";
import { monitored, valuesOf } from "./monitored.ts";

const values = [71, 72] as const;

/** Checks that another user sees a tag, and that monitoring and a stream of changes show what that user writes. */
export async function verifyOtherUser(context: CaseContext): Promise<void> {
  const { declares, gateway, profile, scratch, verify } = context;
  if (!declares("users") || !declares("roles")) {
    for (const requirement of ["CORE-TAG-27", "CORE-TAG-35", "CORE-TAG-48"])
      verify(requirement).notApplicable("tags of another user", "the profile declares no users");
    return;
  }
  const another = await (await scratch.user({ permissions: profile.permissions })).signIn();
  const tag = await scratch.virtualTag({ dataType: "int32" });
  const { path, tagName } = tag;
  const list = await another.call("listTags");
  verify("CORE-TAG-27").equal(
    list.data().some((one) => keyOf(one) === keyOf(tag)),
    true,
    "presence of a virtual tag in the list that another user gets",
    list,
  );
  await using stream = await gateway.admin.openTagStream(path, { tags: tagName, onChanged: true });
  for (const dataValue of values) {
    const written = await another.call("writeTag", { path, json: { dataType: "int32", dataValue } });
    if (!verify("CORE-TAG-35").accepted(written)) return;
  }
  verify("CORE-TAG-48").equal(
    valuesOf(await monitored(context, tag, { tags: tagName }), tag).at(-1),
    values[1],
    "monitored value of a tag that another user wrote",
  );
  const last = await stream
    .next("the value of another user", ({ value }) => value.dataValue === values[1])
    .catch(() => undefined);
  if (last === undefined && (stream.ended || stream.status !== 200)) return;
  verify("CORE-TAG-52").that(last !== undefined, {
    what: "value that another user wrote, on a stream of changes",
    expected: `${values[1]} within 5 s`,
    observed: last === undefined ? "not received within 5 s" : String(values[1]),
    evidence: stream,
  });
}
