// What remains of a deleted virtual tag: nothing that a read, a write, monitoring or a new tag of its name shows.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { VirtualTagInput } from "../../interface/resources/tags.ts";
import { keyOf, listed, type Name, nameOf, pathOf } from "../support/virtualTag.ts";
import { verifyViews } from "../support/tagViews.ts";
import { verifyMessageOf400 } from "./readOnlyTags.ts";

/** No type's first value, and none that another case writes. */
const lastValue = 86_421;

/** Makes the tag a readable and writable one with a value. */
export async function giveValue({ gateway: { admin } }: CaseContext, tag: VirtualTagInput): Promise<void> {
  const json = { ...nameOf(tag), dataType: "int32", access: "rw" } as const;
  await admin.call("updateVirtualTag", { json });
  const write = { dataType: "int32", dataValue: lastValue } as const;
  await admin.call("writeTag", { path: pathOf(tag), json: write });
}

/** Writes a value of its own to each int32 tag; answers how to check after a deletion that they have these values. */
export async function watchValues(
  context: CaseContext,
  tags: readonly VirtualTagInput[],
): Promise<() => Promise<void>> {
  const { gateway, verify } = context;
  const { admin } = gateway;
  const written: { readonly path: ReturnType<typeof pathOf>; readonly dataValue: number }[] = [];
  for (const [index, tag] of tags.entries()) {
    const [path, dataValue] = [pathOf(tag), lastValue + 10 + index];
    const write = await admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
    if (write.accepted) written.push({ path, dataValue });
  }
  return async () => {
    for (const { path, dataValue } of written) {
      const shows = (value: unknown): boolean => value === dataValue;
      const valueIn = (answer: Answer<"readTag">): unknown =>
        answer.accepted ? answer.body().dataValue : undefined;
      const read = await settled(
        context,
        () => admin.call("readTag", { path }),
        (answer) => shows(valueIn(answer)),
      );
      const beside = "value of a tag after another one was deleted";
      verify("CORE-TAG-30").equal(valueIn(read), dataValue, beside, read);
      const shown = (answer: Answer<"monitorTags">): unknown =>
        answer.accepted
          ? [answer.data()].flat().findLast(({ tagName }) => tagName === path.tag)?.dataValue
          : undefined;
      const monitored = await settled(
        context,
        () => admin.call("monitorTags", { path }),
        (answer) => shows(shown(answer)),
      );
      verify("CORE-TAG-48").equal(shown(monitored), dataValue, `monitored ${beside}`, monitored);
    }
  };
}

/** Checks that direct access and monitoring of a deleted tag have ended. */
export async function verifyDeleted(context: CaseContext, gone: Name): Promise<void> {
  const { gateway, verify } = context;
  const { admin } = gateway;
  const path = pathOf(gone);
  const read = await settled(
    context,
    () => admin.call("readTag", { path }),
    ({ accepted }) => !accepted,
  );
  verify("CORE-TAG-29").refused(read);
  const monitored = await settled(
    context,
    () => admin.call("monitorTags", { path }),
    (answer) => !namesOf(answer).includes(gone.tagName),
  );
  verify("CORE-TAG-29").equal(
    namesOf(monitored).includes(gone.tagName),
    false,
    "presence of a deleted tag in monitoring of its source",
    monitored,
  );
  const json = { dataType: "int32", dataValue: lastValue + 1 } as const;
  const write = await admin.call("writeTag", { path, json });
  // A write that creates its tag is not excluded: the tag must exist then.
  verifyMessageOf400(verify("CORE-TAG-36"), write);
  if (!write.accepted) verify("CORE-TAG-29").refused(write);
  else
    verify("CORE-TAG-29").equal(
      (await listed(gateway)).has(keyOf(gone)),
      true,
      "presence in the list of a deleted tag to which a write was accepted",
      write,
    );
}

/** Checks that a tag of another type that took the name shows no value of the deleted one. */
export async function verifyForgotten({ gateway: { admin }, verify }: CaseContext, tag: Name): Promise<void> {
  const path = pathOf(tag);
  const read = await admin.call("readTag", { path });
  const monitored = await admin.call("monitorTags", { path, query: { tags: tag.tagName } });
  const shown = monitored.accepted ? [monitored.data()].flat().at(-1)?.dataValue : undefined;
  for (const [view, value, answer] of [
    ["direct read", read.accepted ? read.body().dataValue : undefined, read],
    ["monitored", shown, monitored],
  ] as const)
    verify("CORE-TAG-29").that(value !== lastValue, {
      what: `${view} value of a string tag that was created after a tag of its name was deleted`,
      expected: `not the number ${lastValue} of the deleted tag`,
      observed: value ?? "no value",
      evidence: answer,
    });
}

/** Checks that a tag that is created after one of its name was deleted is written, read, monitored and streamed. */
export async function verifyInUseAgain(context: CaseContext, name: Name): Promise<void> {
  const { admin } = context.gateway;
  (await admin.call("deleteVirtualTag", { json: name })).body();
  const json = { ...name, dataType: "int32", access: "rw" } as const;
  (await admin.call("createVirtualTag", { json })).body();
  const write = { path: pathOf(name), json: { dataType: "int32", dataValue: lastValue } } as const;
  const written = await settled(
    context,
    () => admin.call("writeTag", write),
    ({ accepted }) => accepted,
  );
  const what = "value of a virtual tag that was deleted and created again, after a write";
  if (context.verify("CORE-TAG-30").accepted(written))
    await verifyViews(context, name, what, { isStreamOwed: false });
}

function namesOf(answer: Answer<"monitorTags">): readonly unknown[] {
  return answer.accepted ? [answer.data()].flat().map(({ tagName }) => tagName) : [];
}

/** The first answer that is as wanted, or the last one when the settling time has ended. */
async function settled<T extends Answer>(
  { clock, signal, profile }: CaseContext,
  call: () => Promise<T>,
  isWanted: (answer: T) => boolean,
): Promise<T> {
  const endMs = clock.nowMs() + profile.patience.settleMs;
  for (;;) {
    const answer = await call();
    if (isWanted(answer) || clock.nowMs() > endMs) return answer;
    await clock.delay(100, signal);
  }
}
