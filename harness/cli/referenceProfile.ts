// What the reference gateway declares about itself: the profile of the embedded kinds.
import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Profile } from "../profile/profile.ts";
import { parseProfile } from "../profile/load.ts";

const referenceProfileFile = fileURLToPath(
  new URL("../../rigs/process/reference.profile.yaml", import.meta.url),
);

/** A password made for one campaign's embedded gateways; it is never shown. */
export function makeAdminPassword(): string {
  return `Rp-${randomBytes(12).toString("base64url")}1!`;
}

export async function referenceProfile(adminPassword: string): Promise<Profile> {
  const text = await readFile(referenceProfileFile, "utf8");
  return parseProfile(text, referenceProfileFile, { environment: { RACKPROOF_PASSWORD: adminPassword } });
}
