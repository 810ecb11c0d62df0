import type { CapabilityId } from "../vocabulary/capabilities.ts";
import { type OperationId, operations } from "./index.ts";

/** Where it is not the capability of the operation's group. */
const special: Partial<Record<OperationId, readonly CapabilityId[]>> = {
  getSsh: ["ssh"],
  setSsh: ["ssh"],
  getResetCapabilities: ["reset"],
  resetToDefault: ["reset"],
  createVirtualTag: ["virtual-tags"],
  updateVirtualTag: ["virtual-tags"],
  deleteVirtualTag: ["virtual-tags"],
};

/** Capabilities that a gateway must have to serve the operation. */
export function capabilitiesFor(operation: OperationId): readonly CapabilityId[] {
  return special[operation] ?? [operations[operation].group];
}

/** Whether a profile declares the operation as served, by itself and by its capabilities. */
export function isOffered(
  declared: {
    readonly binding: ReadonlyMap<string, { readonly served: boolean }>;
    readonly capabilities: ReadonlySet<CapabilityId>;
  },
  operation: OperationId,
): boolean {
  if (declared.binding.get(operation)?.served !== true) return false;
  return capabilitiesFor(operation).every((capability) => declared.capabilities.has(capability));
}
