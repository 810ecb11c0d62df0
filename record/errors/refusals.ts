// Why `certify` and `verify` refuse a certificate: exit code 1. Listed in docs/errors.md and by `rackproof list errors`.
import type { ErrorEntry } from "./entry.ts";

export const refusals = {
  CAPABILITIES_UNKNOWN: {
    means: "The record does not contain what the profile declares.",
    remedy: "run the campaign again with this release",
  },
  CASE_INCOMPLETE: {
    means: "A case did not decide one of its requirements exactly once.",
    remedy: "run the campaign again",
  },
  CASE_LEFT_OUT: {
    means: "A required case was not applicable for a reason that is not a property of the gateway.",
    remedy: "add the equipment or the permission that the case needs, or waive the pair",
  },
  CASE_MISSING: {
    means: "A required case was not run.",
    remedy: "run the campaign again without --select",
  },
  CASE_TWICE: {
    means: "A case occurs more than once.",
    remedy: "run the campaign again; the record was changed",
  },
  CLASS: {
    means: "The evidence does not bear the class of the certificate, or the certificate has a lower class.",
    remedy: "choose a lower class, or provide what the message names; docs/certify.md explains the classes",
  },
  DECLARATION_FAILED: {
    means: "The profile or the rack file declares something that the gateway does not do.",
    remedy: "correct the declaration or the gateway and run the campaign again, or waive the pair",
  },
  DEVELOPMENT_BUILD: {
    means: "The run was made with a development build of rackproof.",
    remedy: "run the campaign again with a release",
  },
  EXPIRED: {
    means: "The certificate has expired.",
    remedy: "certify the gateway again",
  },
  FAULT: {
    means: "The gateway ran with an injected fault.",
    remedy: "run the campaign again without --fault",
  },
  FIRMWARE: {
    means: "The certificate is for another firmware version.",
    remedy: "certify a run over this firmware",
  },
  FIRMWARE_UNKNOWN: {
    means: "The record contains no firmware version.",
    remedy: "declare gateway.version in the profile and run the campaign again",
  },
  FORM: {
    means: "The file is signed, and its content is not a certificate.",
    remedy: "ask the issuer for the file that certify wrote",
  },
  INTERFACE: {
    means: "Run and requirement set belong to different versions of the interface.",
    remedy: "choose a matching set with --set",
  },
  JUDGED_OTHERWISE: {
    means: "The stored evidence, judged again, gives other verdicts than the record.",
    remedy: 'compare with "rackproof judge RUN", and run the campaign again',
  },
  LAB_TROUBLE: {
    means:
      "The run was ended by a failure of the lab, such as a gateway that was lost. It is no verdict on the gateway.",
    remedy: "remove the cause that the message names and run the campaign again",
  },
  LEVEL: {
    means: "The run has another level than certification.",
    remedy: "run the campaign again with --level certification",
  },
  LOG: {
    means: "The run's log is missing, was changed, or has no end.",
    remedy: "run the campaign again, and keep evidence.log unchanged",
  },
  LOG_KEY: {
    means: "The run's log is not signed by a lasting key.",
    remedy: 'create a key with "rackproof key new FILE" and run the campaign again with --key FILE',
  },
  NOT_REPLAYABLE: {
    means: "A case cannot be judged again, because the record does not hold what it asks for.",
    remedy: "run the campaign again with this release",
  },
  NOT_YET_VALID: {
    means: "The certificate is not valid yet.",
    remedy: "check the date of this machine, or --at",
  },
  NOT_REGISTERED: {
    means: "The registry does not contain the certificate.",
    remedy: "ask the issuer to register the certificate, and check the address of the registry",
  },
  PROFILE: {
    means: "The run used another profile than the given one.",
    remedy: "give the profile of the run to --profile, or run the campaign again",
  },
  RECORD: {
    means: "The certificate was made from another record.",
    remedy: "give the folder of the certified run to --run",
  },
  RECORD_CHANGED: {
    means: "A file of the record was changed after the run.",
    remedy: "run the campaign again",
  },
  REGISTRY_PROOF: {
    means: "A proof, the checkpoint or the list of revocations of the registry does not fit its signed log.",
    remedy: "check the key of the registry, try again, and ask the operator of the registry",
  },
  REQUIREMENT_CONTRADICTION: {
    means: "The verdict of a requirement does not follow from its cases.",
    remedy: "run the campaign again; the record was changed",
  },
  REQUIREMENT_FAILED: {
    means: "A stated requirement failed.",
    remedy: "correct the gateway, or waive the pair",
  },
  REQUIREMENT_MISSING: {
    means: "A requirement of the set does not occur.",
    remedy: "run the campaign again with a release that contains the set",
  },
  REQUIREMENT_TWICE: {
    means: "A requirement occurs more than once.",
    remedy: "run the campaign again; the record was changed",
  },
  REQUIREMENT_UNDECIDED: {
    means: "A stated requirement was left inconclusive or not tested.",
    remedy: "read the reason in the report, remove its cause and run the campaign again, or waive the pair",
  },
  REVOKED: {
    means: "The certificate was revoked.",
    remedy: "read the reason, and ask the issuer for a new certificate",
  },
  RUN_INCOMPLETE: {
    means: "The run was interrupted.",
    remedy: "run the campaign again to its end",
  },
  SELECTION: {
    means: "The run was restricted by --select.",
    remedy: "run the campaign again without --select",
  },
  SET_CHANGED: {
    means: "The frozen requirement set of this release is not the one that the certificate names.",
    remedy: "verify with the release that issued the certificate, and ask the issuer",
  },
  SIGNATURE: {
    means: "The signature does not fit the content or the key.",
    remedy: "ask the issuer for the original file and the public key",
  },
  WAIVER_EXPIRED: {
    means: "A waiver has expired.",
    remedy: "correct the gateway, or renew the waiver",
  },
  WAIVER_STALE: {
    means: "A waiver belongs to other evidence, or its case passes now.",
    remedy: "remove the waiver, or draft it again with --draft-waivers",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** `SET_UNKNOWN` is a mistake of `certify --set` and a refusal of `verify`. */
export type RefusalCode = keyof typeof refusals | "SET_UNKNOWN";
