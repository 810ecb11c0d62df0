// The settings as a soak found them: written to its journal, and restored at its end.
import { isDeepStrictEqual } from "node:util";
import { type GatewayUnderTest, type Members, type Profile, readableState } from "../../harness/index.ts";
import { messageOf } from "../../record/index.ts";

/** Parts that the actions of a soak change. */
const domains = ["log", "event-configuration", "upgrade-configuration"] as const;

export type FoundSettings = Readonly<Record<string, Members>>;

export async function findSettings(gateway: GatewayUnderTest): Promise<FoundSettings> {
  const found: Record<string, Members> = {};
  for (const domain of domains) {
    const reading = await readableState(domain)
      ?.read(gateway)
      .catch(() => undefined);
    if (reading !== undefined) found[domain] = reading;
  }
  return found;
}

/** Restores what differs; answers one line for each part that still does. */
export async function restoreSettings(
  gateway: GatewayUnderTest,
  profile: Profile,
  found: FoundSettings,
): Promise<string[]> {
  const left: string[] = [];
  for (const domain of domains) {
    const before = found[domain];
    const state = readableState(domain);
    if (before === undefined || state === undefined || typeof state.restore !== "function") continue;
    try {
      if (isDeepStrictEqual(await state.read(gateway), before)) continue;
      await state.restore({ gateway, profile, baseUrl: gateway.currentBaseUrl() }, before);
      const now = await state.read(gateway);
      if (!isDeepStrictEqual(now, before))
        left.push(`${domain}: ${JSON.stringify(before)} before, ${JSON.stringify(now)} now`);
    } catch (thrown) {
      left.push(`${domain}: ${messageOf(thrown)}`);
    }
  }
  return left;
}
