import type { CapabilityId } from "../vocabulary/capabilities.ts";
import { type OperationId, operationIds, operations } from "./index.ts";

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

interface Declared {
  readonly binding: ReadonlyMap<string, { readonly served: boolean }>;
  readonly capabilities: ReadonlySet<CapabilityId>;
}

/** Whether a profile declares the operation as served, by itself and by its capabilities. */
export function isOffered(declared: Declared, operation: OperationId): boolean {
  return declared.binding.get(operation)?.served === true && hasCapabilities(declared, operation);
}

/** Operations of declared capabilities that the profile declares as not served. */
export function leftOut(declared: Declared): OperationId[] {
  return operationIds.filter((id) => !isOffered(declared, id) && hasCapabilities(declared, id));
}

function hasCapabilities({ capabilities }: Declared, operation: OperationId): boolean {
  return capabilitiesFor(operation).every((capability) => capabilities.has(capability));
}
