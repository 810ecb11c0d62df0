// Whole certificates for tests, each changed where a test needs it.
import { type Certificate, sha256 } from "../../../record/index.ts";
import { newestFrozenSet } from "../requirementSet.ts";

const frozen = newestFrozenSet();

/** Every capability that a requirement or a case of the set needs. */
export const allCapabilities = [
  ...new Set(frozen.set.requirements.flatMap((one) => one.capability ?? [])),
  ...new Set(frozen.set.cases.flatMap((one) => one.capabilities)),
];

/** The certificate of a gateway that passes every requirement of the newest set. */
export function flawlessCertificate(change: Partial<Certificate> = {}): Certificate {
  const deciding = new Map<string, { requirement: string; verdict: "pass" }[]>();
  for (const { id, cases } of frozen.set.requirements) {
    for (const caseId of cases) {
      deciding.set(caseId, [...(deciding.get(caseId) ?? []), { requirement: id, verdict: "pass" }]);
    }
  }
  return {
    format: "rackproof/certificate@1",
    issuedAt: "2027-01-01T00:00:00.000Z",
    validFrom: "2027-01-01T00:00:00.000Z",
    validTo: "2028-01-01T00:00:00.000Z",
    gateway: { name: "gw", kind: "remote", firmware: "4.1.0" },
    profile: { name: "p", sha256: sha256("p"), capabilities: allCapabilities },
    suite: { version: "1.0.0", interface: "Core 2.3.0" },
    requirementSet: { name: frozen.set.name, sha256: frozen.sha256 },
    run: {
      level: "certification",
      seed: 1,
      startedAt: "2027-01-01T00:00:00.000Z",
      endedAt: "2027-01-01T00:05:00.000Z",
      campaignSha256: sha256("campaign"),
      digestsSha256: sha256("digests"),
    },
    requirements: frozen.set.requirements.map(({ id }) => ({ id, verdict: "pass" })),
    cases: [...deciding].map(([id, decided]) => ({ id, verdict: "pass", decided })),
    measurements: [],
    beside: [],
    waivers: [],
    ...change,
  };
}
