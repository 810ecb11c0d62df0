// The profile of the reference gateway, which the embedded kinds use.
import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { type VariationId, varyProfile } from "../../alterations/variations/index.ts";
import type { ProfilePatch } from "../../alterations/variations/variation.ts";
import { type Profile, parseProfile, readDocument } from "../../harness/index.ts";

const referenceProfileFile = fileURLToPath(
  new URL("../../rigs/process/reference.profile.yaml", import.meta.url),
);

/** Creates a password for one campaign's embedded gateways; it is never printed. */
export function makeAdminPassword(): string {
  return `Rp-${randomBytes(12).toString("base64url")}1!`;
}

/** The profile of an embedded gateway: the reference gateway's or the one in the file, adapted to the variations. */
export async function embeddedProfile(
  adminPassword: string,
  file: string | undefined,
  variations: readonly VariationId[],
): Promise<Profile> {
  const origin = file ?? referenceProfileFile;
  const environment = { ...process.env, RACKPROOF_PASSWORD: adminPassword };
  const text = file === undefined ? await readFile(origin, "utf8") : await readDocument("profile", file);
  const plain = parseProfile(text, origin, { environment });
  if (variations.length === 0) return plain;
  const varied = stringify(varyProfile(parse(text) as ProfilePatch, variations));
  return parseProfile(varied, `${origin} with ${variations.join(", ")}`, { environment });
}
