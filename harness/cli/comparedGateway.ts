// The two gateways that `rackproof compare` is given, started or found.
import type { RunningGateway } from "../../rigs/gateway.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { findRemoteGateway } from "../../rigs/remote/remoteGateway.ts";
import { UsageError } from "../errors.ts";
import { loadProfile } from "../profile/load.ts";
import type { Profile } from "../profile/profile.ts";
import { findInRack } from "../rack/rackFile.ts";
import { makeAdminPassword, referenceProfile } from "./referenceProfile.ts";

/** A gateway by the word that names it: `process`, a URL, or a name in the rack file. */
export interface NamedGateway {
  readonly title: string;
  readonly profile: Profile;
  readonly start: () => Promise<RunningGateway>;
  /** Whether each start makes another gateway, which has done nothing yet. */
  readonly isStarted: boolean;
}

/** Throws a UsageError when the word cannot be used; `option` names the profile's option in messages. */
export async function findGateway(
  word: string,
  profileFile: string | undefined,
  rack: string | undefined,
  option: string,
): Promise<NamedGateway> {
  if (word === "process") return embedded(word, profileFile);
  const entry =
    rack === undefined || /^https?:\/\//.test(word)
      ? { url: word, profileFile: undefined }
      : await findInRack(rack, word);
  if (!/^https?:\/\//.test(entry.url)) {
    throw new UsageError(
      "GATEWAY_UNKNOWN",
      `gateway ${word}: expected process, a URL that begins with http:// or https://, or with --rack FILE a name in the rack file`,
    );
  }
  const file = profileFile ?? entry.profileFile;
  if (file === undefined) {
    throw new UsageError(
      "PROFILE_MISSING",
      `gateway ${word}: a gateway on a URL needs ${option} FILE, which says what it declares`,
    );
  }
  const profile = await loadProfile(file, { environment: process.env });
  return {
    title: word,
    profile,
    start: () => findRemoteGateway(entry.url, profile.gateway, profile.patience.bootMs),
    isStarted: false,
  };
}

async function embedded(title: string, profileFile: string | undefined): Promise<NamedGateway> {
  const adminPassword = makeAdminPassword();
  const environment = { ...process.env, RACKPROOF_PASSWORD: adminPassword };
  const profile =
    profileFile === undefined
      ? await referenceProfile(adminPassword)
      : await loadProfile(profileFile, { environment });
  return { title, profile, start: () => startProcessGateway({ adminPassword }), isStarted: true };
}
