// What comes of hostile requests that a gateway accepts is removed at once, so that its lists stay as long as they were.
import type { ExtensionId } from "../../interface/binding.ts";
import type { CaseContext } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";

type TakeBack = (body: unknown) => Promise<void>;

const removals: Partial<Record<OperationId, ExtensionId>> = {
  createRole: "deleteRole",
  addUser: "deleteUser",
  createUpgradeJob: "deleteUpgradeJob",
};

/** Whether what comes of the operation can be removed, where something comes of it. */
export function canTakeBack({ profile }: CaseContext, operation: OperationId): boolean {
  const extension = removals[operation];
  return extension === undefined || profile.extensions.has(extension);
}

/** What to do about an accepted answer of the operation; undefined where nothing comes of it that could be removed. */
export function takeBackOf(context: CaseContext, operation: OperationId): TakeBack | undefined {
  const { admin } = context.gateway;
  if (operation === "createVirtualTag") {
    return async (body) => {
      const { prvdName, srcName, tagName } = dataOf(body) ?? {};
      await admin.callInvalid("deleteVirtualTag", { json: { prvdName, srcName, tagName } });
    };
  }
  const extension = removals[operation];
  if (extension === undefined || !canTakeBack(context, operation)) return undefined;
  return async (body) => {
    const id = dataOf(body)?.["id"];
    if (typeof id === "number") await admin.callExtension(extension, { path: { id } });
  };
}

function dataOf(body: unknown): Record<string, unknown> | undefined {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  return typeof data === "object" && data !== null ? Object.fromEntries(Object.entries(data)) : undefined;
}
