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
