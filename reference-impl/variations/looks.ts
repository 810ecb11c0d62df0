// How a gateway looks: what it is delivered with, who may call what, and what stands before its HTTP side.
import type { RequestListener } from "node:http";
import type { RequiredPermission } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Delivery } from "./delivery.ts";

export interface Looks {
  readonly delivery: Delivery;
  /** The permission that an operation needs, where the usual one is given. */
  readonly permissionOf: (id: OperationId, usual: RequiredPermission) => RequiredPermission;
  /** Stands before the gateway's own handling of requests. */
  readonly front: (handle: RequestListener) => RequestListener;
  /** The address of an upgrade as the gateway itself serves it. */
  readonly upgradeUrl: (url: string) => string;
  readonly connections: { readonly requestsAConnection?: number; readonly idleMs?: number };
}

/** The reference gateway as it is. */
export const plainLooks: Looks = {
  delivery: {},
  permissionOf: (_id, usual) => usual,
  front: (handle) => handle,
  upgradeUrl: (url) => url,
  connections: {},
};
