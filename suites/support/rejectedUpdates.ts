// Wrong values sent beside right ones: an update that is rejected must change nothing.
import type { Answer, CaseContext, Session } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";

export const rejectedRequirement = "CORE-GENERAL-10";

/** Something that an operation updates, with a body of other values and wrong values for its members. */
export interface Updatable {
  readonly what: string;
  readonly operation: OperationId;
  /** Whose update it is; the administrator's where it is absent. */
  readonly caller?: Session;
  readonly path?: { readonly id: number };
  readonly body: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
  readonly read: () => Promise<unknown>;
  /** Undoes an update that was not rejected, where it must not stay. */
  readonly restore?: () => Promise<unknown>;
}

/** Sends each wrong value beside the right ones; returns the number of rejected updates. */
export async function rejectedUpdates(
  { gateway: { admin }, verify }: CaseContext,
  { what, operation, caller = admin, path, body, wrong, read, restore }: Updatable,
): Promise<number> {
  let before = await read();
  let rejected = 0;
  for (const [member, values] of Object.entries(wrong)) {
    const { [member]: _right, ...rest } = body;
    for (const value of values)
      // A gateway may store what it has read so far: the wrong member comes last, and first.
      for (const json of [
        { ...rest, [member]: value },
        { [member]: value, ...rest },
      ]) {
        const request = { json, ...(path === undefined ? {} : { path }) };
        const answer: Answer = await caller.callInvalid(operation, request);

        if (!answer.rejected) await restore?.();
        const after = await read();
        if (answer.rejected) {
          rejected += 1;
          verify(rejectedRequirement).equal(
            after,
            before,
            `${what} after the rejected body ${JSON.stringify(json)}`,
            answer,
          );
        }
        before = after;
      }
  }
  return rejected;
}
