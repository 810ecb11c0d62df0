// What each variation changes of the gateway; the type makes sure that none is forgotten.
import type { VariationId } from "../../interface/variations/index.ts";
import { absentBehaviours } from "./absent.ts";
import type { Behaviour } from "./behaviour.ts";
import { contentBehaviours } from "./contents.ts";
import type { Delivery } from "./delivery.ts";
import { createFront } from "./front.ts";
import type { Looks } from "./looks.ts";
import { notationBehaviours } from "./notation.ts";
import { refusalBehaviours } from "./refusals.ts";
import { VariedRoutes } from "./routes.ts";
import { streamBehaviours } from "./streams.ts";
import { briefIdleMs, requestsAConnection, transferBehaviours } from "./transfer.ts";

// The declared binding is all that these are.
const bindingBehaviours = {
  "path-prefix": {},
  "post-for-changes": {},
  "calls-by-name": {},
  "other-methods": {},
  "closing-slashes": {},
  "token-header": {},
  "token-scheme": {},
  "role-objects": {},
  "upgrade-forms": {},
  "other-permissions": {},
} as const satisfies Readonly<Record<string, Behaviour>>;

const behaviours: Readonly<Record<VariationId, Behaviour>> = {
  ...bindingBehaviours,
  ...contentBehaviours,
  ...notationBehaviours,
  ...refusalBehaviours,
  ...transferBehaviours,
  ...streamBehaviours,
  ...absentBehaviours,
};

/** How a gateway with these variations looks; `ownPrefix` is what it serves its paths under itself. */
export function looksOf(ids: readonly VariationId[], ownPrefix: string): Looks {
  const chosen = ids.map((id) => behaviours[id]);
  const routes = new VariedRoutes(ids, ownPrefix);
  const most = ids.map((id) => requestsAConnection[id]).find((count) => count !== undefined);
  return {
    delivery: Object.assign({}, ...chosen.map(({ delivery }) => delivery ?? {})) as Delivery,
    permissionOf: (id, usual) => routes.permissionOf(id) ?? usual,
    front: (handle) => createFront(chosen, routes, ids.includes("head-and-options"), handle),
    upgradeUrl: (url) => routes.ownUpgradeUrl(url),
    connections: {
      ...(most === undefined ? {} : { requestsAConnection: most }),
      ...(ids.includes("brief-idle-connections") ? { idleMs: briefIdleMs } : {}),
    },
  };
}
