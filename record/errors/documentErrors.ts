// Files from outside that cannot be used, by kind: unreadable, no valid YAML or JSON, or a wrong field. Exit code 2.
import type { ErrorEntry } from "./entry.ts";

export const documentErrors = {
  EXPECTED_FAILURES_FIELD: {
    means: "A field of the list of expected failures is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/verdicts.md shows the format",
  },
  EXPECTED_FAILURES_SYNTAX: {
    means: "The list of expected failures is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  EXPECTED_FAILURES_UNREADABLE: {
    means: "The list of expected failures cannot be read.",
    remedy: "give the path of an existing list to --expected-failures",
  },
  GATE_POLICY_FIELD: {
    means: "A field of the gate policy is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/gate.md shows every field",
  },
  GATE_POLICY_SYNTAX: {
    means: "The gate policy is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  GATE_POLICY_UNREADABLE: {
    means: "The gate policy cannot be read.",
    remedy: "give the path of an existing policy to --policy",
  },
  NOTIFY_FIELD: {
    means: "A field of the file of --notify is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/nightly.md shows every field",
  },
  NOTIFY_SYNTAX: {
    means: "The file of --notify is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  NOTIFY_UNREADABLE: {
    means: "The file of --notify cannot be read.",
    remedy: "give the path of an existing file",
  },
  PROFILE_FIELD: {
    means: "A field of the profile is missing, unknown or has a wrong value.",
    remedy: 'correct the line that the message names; "rackproof profile check FILE" lists every mistake',
  },
  PROFILE_SYNTAX: {
    means: "The profile is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  PROFILE_UNREADABLE: {
    means: "The profile cannot be read.",
    remedy: "give the path of an existing profile",
  },
  RACK_FIELD: {
    means: "A field of the rack file is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/rack.md shows every field",
  },
  RACK_SYNTAX: {
    means: "The rack file is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  RACK_UNREADABLE: {
    means: "The rack file cannot be read.",
    remedy: "give the path of an existing rack file",
  },
  REPLAY_FIELD: {
    means: "A field of the replay file is missing, unknown or has a wrong value.",
    remedy: "use a replay file as compare wrote it",
  },
  REPLAY_SYNTAX: {
    means: "The replay file is not valid JSON.",
    remedy: "use a replay file as compare wrote it",
  },
  REPLAY_UNREADABLE: {
    means: "The replay file cannot be read.",
    remedy: "give --replay the path of a replay-N.json in the folder of a comparison",
  },
  SOAK_MIX_FIELD: {
    means: "A field of the mix is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/soak.md shows every field",
  },
  SOAK_MIX_SYNTAX: {
    means: "The mix is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  SOAK_MIX_UNREADABLE: {
    means: "The mix cannot be read.",
    remedy: "give the path of an existing file to --mix",
  },
  TRUST_FIELD: {
    means: "A field of the trust file is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/certify.md shows the format",
  },
  TRUST_SYNTAX: {
    means: "The trust file is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  TRUST_UNREADABLE: {
    means: "The trust file cannot be read.",
    remedy: "give the path of an existing file to --trust",
  },
  WAIVERS_FIELD: {
    means: "A field of the waivers is missing, unknown or has a wrong value.",
    remedy: "correct the line that the message names; docs/certify.md shows the format",
  },
  WAIVERS_SYNTAX: {
    means: "The file of waivers is not valid YAML or JSON.",
    remedy: "correct the line that the message names",
  },
  WAIVERS_UNREADABLE: {
    means: "The file of waivers cannot be read.",
    remedy: "give the path of an existing file to --waivers",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
