// Removal of resources created by accepted hostile requests, which keeps the lists of the gateway short.
import type { ExtensionId } from "../../interface/binding.ts";
import type { CaseContext } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { isInteger } from "../../record/index.ts";

type TakeBack = (body: unknown) => Promise<void>;

const removals: Partial<Record<OperationId, ExtensionId>> = {
  createRole: "deleteRole",
  addUser: "deleteUser",
  createUpgradeJob: "deleteUpgradeJob",
};

/** Whether resources that the operation creates can be removed; true where it creates none. */
export function canTakeBack({ profile }: CaseContext, operation: OperationId): boolean {
  const extension = removals[operation];
  return extension === undefined || profile.extensions.has(extension);
}

/** Removal after an accepted answer of the operation; undefined where it creates nothing removable. */
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
    if (isInteger(id)) await admin.callExtension(extension, { path: { id: String(id) } });
  };
}

function dataOf(body: unknown): Record<string, unknown> | undefined {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  return typeof data === "object" && data !== null ? Object.fromEntries(Object.entries(data)) : undefined;
}
