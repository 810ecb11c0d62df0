// The words of rackproof: what to say, what it replaces, and why. One list for guides, comments, messages and names.

export interface Term {
  readonly use: string;
  readonly insteadOf: readonly string[];
  readonly because: string;
  /**
   * Where the words are looked for: in `prose` (guides, comments, texts of the program), in `names` too (identifiers,
   * file names, texts of one word), or only where they are the `whole` text.
   */
  readonly in?: "prose" | "names" | "whole";
  /** Folders and files, by how their path begins, to which the row is restricted. */
  readonly only?: readonly string[];
}

export const terms: readonly Term[] = [
  {
    use: "gateway, emulated gateway, emulated machine",
    insteadOf: ["guest", "guests"],
    because: "a gateway is no visitor",
    in: "names",
  },
  {
    use: "compared gateway",
    insteadOf: ["contestant", "contestants"],
    because: "two gateways are compared, they do not compete",
    in: "names",
  },
  {
    use: "contradicting, inconsistent, misreporting",
    insteadOf: ["liar", "liars", "lying", "haunted", "haunt", "culprit", "innocent"],
    because: "a device has no intent",
    in: "names",
  },
  {
    use: "layout, space",
    insteadOf: ["room"],
    because: "rooms are the top-level folders",
    in: "names",
    only: ["reports/"],
  },
  {
    use: "inconclusive, with its reason",
    insteadOf: [
      "undecided",
      "not decided",
      "could not be decided",
      "decides nothing",
      "decided nothing",
      "no verdict was possible",
    ],
    because: "one word for one verdict",
  },
  {
    use: "inconclusive",
    insteadOf: ["undecided"],
    because: "one word for one verdict",
    in: "names",
    only: ["reports/"],
  },
  {
    use: "tested, checked, examined",
    insteadOf: ["looked at", "looks at", "nothing to look at", "look first"],
    because: "a requirement is tested, passed, failed, not tested or not applicable",
  },
  {
    use: "not tested, skipped, excluded",
    insteadOf: ["left aside", "leave aside", "leaves aside", "left out of account", "leaves them aside"],
    because: "a requirement is tested, passed, failed, not tested or not applicable",
  },
  {
    use: "passed; checked against",
    insteadOf: ["held against", "is held to", "are held to", "was held to", "every requirement held"],
    because: "a requirement is tested, passed, failed, not tested or not applicable",
  },
  {
    use: "failed (a requirement), stored, persisted, retained (a value), reserved (a device)",
    insteadOf: [
      "not kept",
      "is kept",
      "are kept",
      "was kept",
      "were kept",
      "be kept",
      "stays kept",
      "kept aside",
    ],
    because: "kept has six meanings",
  },
  {
    use: "inject, injected; configured to",
    insteadOf: ["told to", "told what", "is told", "are told", "was told", "be told"],
    because: "a gateway is configured, a fault is injected",
  },
  { use: "distinguished", insteadOf: ["told apart", "tell apart", "tells apart"], because: "idiom" },
  {
    use: "fault-free, conforming",
    insteadOf: [
      "gateway that is right",
      "gateways that are right",
      "gateway that is wrong",
      "gateways that are wrong",
    ],
    because: "conforming is the field's word",
  },
  {
    use: "legitimate variation",
    insteadOf: [
      "different and right",
      "different and is right",
      "different and still right",
      "looks different",
    ],
    because: "the field's word",
  },
  {
    use: "the suite reports a failure",
    insteadOf: ["accuse", "accuses", "accused", "accusing"],
    because: "a check has no opinion",
    in: "names",
  },
  {
    use: "expired, ended, finished",
    insteadOf: ["is over", "are over", "was over", "were over", "has been over"],
    because: "a lease expires, a run ends",
  },
  {
    use: "unset, omit",
    insteadOf: ["leave the variable out", "do without", "does without", "did without"],
    because: "says what to do",
  },
  {
    use: "continues, keeps updating",
    insteadOf: ["goes on", "go on", "going on", "went on", "carries on", "carry on"],
    because: "one verb for it",
  },
  {
    use: "delivers, returns, sends, includes",
    insteadOf: ["brings", "bring", "brought", "bringing"],
    because: "a stream delivers values, a package includes files",
  },
  {
    use: "available, reachable, present, reports ready",
    insteadOf: [
      "is there",
      "is not there",
      "are there already",
      "is there already",
      "is back",
      "are back",
      "was back",
      "came back",
      "comes back",
    ],
    because: "says what was observed",
  },
  {
    use: "restored, reset to default",
    insteadOf: ["put back", "puts back", "putting back", "brought back", "set as they were", "set as it was"],
    because: "says to which state",
  },
  {
    use: "unchanged, equal to the baseline",
    insteadOf: ["as before", "as it was", "as they were", "as ever", "what it was before", "what was before"],
    because: "names what is compared",
  },
  { use: "regression", insteadOf: ["for the worse"], because: "the field's word" },
  {
    use: "peer, server, client",
    insteadOf: ["other side", "counterpart"],
    because: "names the end of the connection",
  },
  {
    use: "rejected",
    insteadOf: [
      "gateway refuses",
      "gateway refused",
      "gateway may refuse",
      "refused with",
      "refused by the gateway",
      "not taken",
      "request is refused",
      "requests are refused",
    ],
    because: "HTTP 4xx is a rejection; only an actor refuses",
  },
  {
    use: "observed, found; the evidence",
    insteadOf: ["what was seen", "what is seen", "what it saw", "what they saw"],
    because: "observation is the field's word",
  },
  {
    use: "the noun: cases, values, files",
    insteadOf: ["what there is", "what was sent", "what came of", "what became of", "what is there"],
    because: "names the thing",
  },
  {
    use: "reports, prints",
    insteadOf: ["says so", "say so", "said so"],
    because: "a program reports",
  },
  {
    use: "fix, repair; Fix:",
    insteadOf: ["mend", "mends", "mended", "mending"],
    because: "one word for the remedy",
  },
  {
    use: "its own, your own",
    insteadOf: ["the own"],
    because: "English needs the possessive",
  },
  {
    use: "expects, assumes, stores, tracks",
    insteadOf: [
      "gateway knows",
      "gateway believes",
      "gateway thinks",
      "suite knows",
      "rig knows",
      "harness knows",
    ],
    because: "a device does not know",
  },
  {
    use: "succeeds, fails",
    insteadOf: ["comes off", "come off", "came off", "comes to nothing", "came to nothing"],
    because: "idiom",
  },
  {
    use: "stops checking",
    insteadOf: ["falls silent", "fell silent", "fall silent", "fallen silent"],
    because: "a check does not speak",
  },
  {
    use: "client, server",
    insteadOf: ["slave", "slaves"],
    because: "the Modbus organisation's words; the interface's catalogue is quoted as it is",
    in: "names",
  },
  {
    use: 'the expected value or a phrase such as "as expected", "no value within 5 s"',
    insteadOf: ["so", "nothing", "as it was", "not so"],
    because: "expected and observed are compared at a glance",
    in: "whole",
  },
];

export interface Allowed {
  /** The words around a forbidden term in which it stands rightly; for a path, how the path begins. */
  readonly text: string;
  /** Folders and files, by how their path begins, in which that is so; everywhere when left out. */
  readonly in?: readonly string[];
  readonly because: string;
}

/** Exceptions, each with its reason. One that no longer excuses anything is reported. */
export const allowed: readonly Allowed[] = [
  {
    text: "modbusSlave",
    because: "key of the rack file and the profile, as the interface's catalogue names the app",
  },
  { text: "ModbusSlave", in: ["reference-impl/"], because: "app of the interface's catalogue" },
  { text: "slave", in: ["reference-impl/fieldbus/modbus/"], because: "app of the interface's catalogue" },
  { text: "Slave", in: ["reference-impl/fieldbus/modbus/"], because: "app of the interface's catalogue" },
  { text: "slave device", because: "event of the interface's catalogue" },
  { text: "Modbus TCP slave", in: ["reference-impl/"], because: "app of the interface's catalogue" },
  { text: '"guest":true', in: ["rigs/qemu/"], because: "member of an event of the emulator" },
  { text: "say # or undecided", in: ["docs/gate.md"], because: "value of a policy that users have written" },
  {
    text: "undecided",
    in: ["reports/gate/gateMarkdown.ts", "reports/gate/gateText.ts", "reports/pages.test.ts"],
    because: "verdict of a gate's record, which users' programs read",
  },
  {
    text: "undecided",
    in: ["reports/selftest/killTable.ts", "reports/selftest/operators.test.ts"],
    because: "member of the self-test's record, which users' programs read",
  },
  { text: "newly-undecided", because: "value in records that users' programs read" },
];

/** Files that are not read: they consist of the forbidden words. */
export const notRead: readonly string[] = ["tools/prose/terms.ts", "test/prose.test.ts"];
