// A gateway whose URL has a path of its own, as behind a reverse proxy: every path of the profile lies below it.
import type { Profile } from "./profile.ts";

/** The profile with all paths below the path of the URL; the same profile where the URL has none. */
export function belowPathOf(profile: Profile, url: string): Profile {
  const base = new URL(url).pathname.replace(/\/$/, "");
  if (base === "") return profile;
  const below = <Id, T extends { readonly path: string }>(bindings: ReadonlyMap<Id, T>): Map<Id, T> =>
    new Map([...bindings].map(([id, binding]) => [id, { ...binding, path: base + binding.path }]));
  return {
    ...profile,
    binding: below(profile.binding),
    extensions: below(profile.extensions),
    websocket: profile.websocket && { ...profile.websocket, path: base + profile.websocket.path },
  };
}
