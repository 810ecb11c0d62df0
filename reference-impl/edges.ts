// The gateway's edges: where its parts meet. Each edge gets a part and answers what is used in its place. The plain
// edges answer the part itself.
import { ServerResponse, type RequestListener } from "node:http";
import type { RequiredPermission } from "../interface/authorisation.ts";
import type { OperationDefinition } from "../interface/operations/operation.ts";
import type { OperationId } from "../interface/operations/index.ts";
import type { Clock } from "./base/clock.ts";
import type { Board, EventRaiser, Foundation, Group } from "./foundation/gateway.ts";
import type { Intake } from "./groups/tags/values.ts";
import type { Download } from "./groups/upgrade/download.ts";
import type { Caller, Handlers } from "./http/handler.ts";
import type { ConnectionLimits } from "./http/listeners.ts";
import type { MessageSender } from "./http/websocket.ts";
import type { GatewayOptions } from "./options.ts";
import type { Product } from "./product/product.ts";
import type { PackageChecks } from "./slots/systemPackage.ts";
import type { SystemSlots } from "./slots/systemSlots.ts";
import type { Store } from "./store/store.ts";

/** Finds who a sign-in token belongs to; throws a Refusal when nobody may use it. */
export type Authenticate = (token: string) => Caller;
/** Takes a websocket token out of use; answers how to ask for the holder of the websocket. */
export type Redeem = (token: string) => (() => Caller | undefined) | undefined;

/** The parts of the gateway that have the clock from an edge. */
export type ClockUser = "accounts" | "reboot" | "tags";

export interface Edges {
  readonly options: (options: GatewayOptions) => GatewayOptions;
  readonly product: (product: Product) => Product;
  /** Gets the opened store at every boot, before anything reads it. */
  readonly store: (store: Store) => void;
  readonly board: (board: Board) => Board;
  /** The system slots, before a boot chooses one; the folder is the one that holds them. */
  readonly slots: (slots: SystemSlots, folder: string) => SystemSlots;
  readonly packageChecks: (checks: PackageChecks) => PackageChecks;
  readonly clock: (user: ClockUser, clock: Clock) => Clock;
  readonly events: (events: EventRaiser) => EventRaiser;
  /** A group with its sections and reset parts. */
  readonly group: (group: Group) => Group;
  readonly handlers: (handlers: Handlers) => Handlers;
  /** What the inputs of an operation are validated against. */
  readonly definition: (id: OperationId, definition: OperationDefinition) => OperationDefinition;
  readonly permission: (id: OperationId, required: RequiredPermission) => RequiredPermission;
  readonly authenticate: (authenticate: Authenticate) => Authenticate;
  readonly redeem: (redeem: Redeem) => Redeem;
  /** Every tag value on its way into the value table; absent for none in between. */
  readonly intake?: Intake;
  /** Requests before the gateway routes them, with their responses. */
  readonly front: (listener: RequestListener) => RequestListener;
  /** Class of the responses that the front gets. */
  readonly responseClass: typeof ServerResponse;
  /** What stands before every path on the way in, as behind a reverse proxy. */
  readonly basePath: string;
  /** The URL of a request for an upgrade. */
  readonly upgradeUrl: (url: string) => string;
  /** One attempt of an upgrade job to download its file. */
  readonly download: (download: Download) => Download;
  readonly websocketSender: (send: MessageSender) => MessageSender;
  readonly connectionLimits: ConnectionLimits;
  /** Work in the background for as long as the gateway serves. */
  readonly background: (foundation: Foundation) => Disposable | undefined;
}

const same = <T>(part: T): T => part;

export const plainEdges: Edges = {
  options: same,
  product: same,
  store: () => undefined,
  board: same,
  slots: same,
  packageChecks: same,
  clock: (_user, clock) => clock,
  events: same,
  group: same,
  handlers: same,
  definition: (_id, definition) => definition,
  permission: (_id, required) => required,
  authenticate: same,
  redeem: same,
  front: same,
  responseClass: ServerResponse,
  basePath: "",
  upgradeUrl: same,
  download: same,
  websocketSender: same,
  connectionLimits: {},
  background: () => undefined,
};
