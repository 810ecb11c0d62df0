// What the URL of a gateway changes in its profile.
import type { ServiceId } from "../../interface/resources/services.ts";
import type { Profile } from "./profile.ts";

const serving: Readonly<Record<string, ServiceId>> = { "http:": "httpservice", "https:": "httpsservice" };

/**
 * The profile for the URL: every path lies below that of the URL, as behind a reverse proxy, and the service that serves
 * the URL is not switched.
 */
export function profileAt(profile: Profile, url: string): Profile {
  const { pathname, protocol } = new URL(url);
  const base = pathname.replace(/\/$/, "");
  const below = <Id, T extends { readonly path: string }>(bindings: ReadonlyMap<Id, T>): Map<Id, T> =>
    new Map([...bindings].map(([id, binding]) => [id, { ...binding, path: base + binding.path }]));
  return {
    ...profile,
    switchableServices: profile.switchableServices.filter((id) => id !== serving[protocol]),
    binding: below(profile.binding),
    extensions: below(profile.extensions),
    websocket: profile.websocket && { ...profile.websocket, path: base + profile.websocket.path },
  };
}
