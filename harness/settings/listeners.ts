// Restores the listeners of the HTTP server without losing the gateway: the address that was in use is among them.
import { setTimeout as delay } from "node:timers/promises";
import type { Members } from "./setting.ts";
import { readSetting, unrestored, writeBack } from "./setting.ts";
import type { RestoreSurroundings } from "./restore.ts";

const everyMs = 100;

/** Answers why the listeners were not restored; an empty list when they were. */
export async function restoreListeners(
  { gateway, profile, baseUrl }: RestoreSurroundings,
  before: Members,
): Promise<string[]> {
  if (!profile.capabilities.has("listener-changes")) return ["the profile does not declare listener-changes"];
  const inUse = baseUrl.startsWith("https:") ? "httpsEnable" : "httpEnable";
  if (before[inUse] !== true) return [`${inUse} was not true when ${baseUrl} was in use`];
  const present = gateway.currentBaseUrl();
  for (const url of new Set([present, baseUrl])) {
    gateway.movedTo(url);
    const now = await readSetting(gateway, "http-server");
    if (now === undefined) continue;
    await writeBack(gateway, "http-server", before, now);
    break;
  }
  if (await isReached(baseUrl))
    return unrestored("http-server", before, await readSetting(gateway, "http-server"));
  gateway.movedTo(present);
  return [`no answer at ${baseUrl} after the listeners were restored`];

  async function isReached(url: string): Promise<boolean> {
    gateway.movedTo(url);
    const endMs = performance.now() + profile.patience.settleMs;
    do {
      if ((await readSetting(gateway, "http-server")) !== undefined) return true;
      await delay(everyMs);
    } while (performance.now() < endMs);
    return false;
  }
}
