// The record of a campaign, `campaign.json`: what scripts, reports, the gate and the certificate read.
import Type, { type Static } from "typebox";
import { campaignLevels, requirementLevels } from "../interface/vocabulary/levels.ts";
import { requirementVerdicts, verdicts } from "./verdict.ts";
import { Coverage } from "./coverage.ts";
import { Transcript } from "./transcript.ts";
import { Cadence, Distribution, LoadTrial, RigInventory } from "./figures.ts";

const VerdictName = Type.Enum([...verdicts]);
const Count = Type.Integer({ minimum: 0 });

/** A measured quantity: the interval that contains it, and its limits. */
export const Measurement = Type.Object({
  name: Type.String(),
  unit: Type.String(),
  low: Type.Number(),
  high: Type.Number(),
  limitLow: Type.Optional(Type.Number()),
  limitHigh: Type.Optional(Type.Number()),
  observers: Type.Array(Type.String()),
  /** The interval of each observer; the measured interval is what all of them leave open. */
  seenBy: Type.Optional(
    Type.Array(Type.Object({ observer: Type.String(), low: Type.Number(), high: Type.Number() })),
  ),
});
export type Measurement = Static<typeof Measurement>;

/** One comparison of a case, recorded whether it passed or failed. */
export const CheckRecord = Type.Object({
  requirement: Type.String(),
  verdict: VerdictName,
  what: Type.String(),
  expected: Type.String(),
  observed: Type.String(),
  /** Number of the exchange that shows it. */
  exchange: Type.Optional(Type.Integer()),
  /** Case that the exchange belongs to, when it is another than the one that checked. */
  exchangeCase: Type.Optional(Type.String()),
  /** Of a check on a stream that did not pass: the lines around it. */
  transcript: Type.Optional(Transcript),
});
export type CheckRecord = Static<typeof CheckRecord>;

/** Requests and observations around a restart, in order. */
export const Timeline = Type.Object({
  title: Type.String(),
  entries: Type.Array(
    Type.Object({
      /** Milliseconds after the first entry. */
      atMs: Type.Number(),
      /** `harness`, `gateway`, `console`, or the observer. */
      who: Type.String(),
      what: Type.String(),
      /** How much earlier it may have been. */
      uncertainMs: Type.Optional(Type.Number()),
    }),
  ),
});
export type Timeline = Static<typeof Timeline>;

/** When a case ran, in milliseconds after the start of the run, with what it does before and after itself. */
const Ran = Type.Object({
  /** Which gateway of the run, from 0. */
  gateway: Type.Integer(),
  fromMs: Type.Integer(),
  untilMs: Type.Integer(),
  /** The case whose end let it start; absent if it could start at once. */
  after: Type.Optional(Type.String()),
});

export const CaseRecord = Type.Object({
  id: Type.String(),
  title: Type.String(),
  group: Type.String(),
  requirements: Type.Array(Type.String()),
  effect: Type.String(),
  verdict: VerdictName,
  durationMs: Type.Number(),
  /** Absent for cases that did not run. */
  ran: Type.Optional(Ran),
  seed: Type.Integer(),
  /** Present unless the verdict is pass. */
  reason: Type.Optional(Type.String()),
  /** A word for programs: the kind of reason. */
  reasonCode: Type.Optional(Type.String()),
  /** A command line that reproduces it; present for fail, error and inconclusive. */
  reproduce: Type.Optional(Type.String()),
  /** A curl line of the exchange that shows it, if one does. */
  curl: Type.Optional(Type.String()),
  checks: Type.Array(CheckRecord),
  measurements: Type.Array(Measurement),
  notes: Type.Array(Type.String()),
  /** For cases during which the gateway restarted. */
  timelines: Type.Optional(Type.Array(Timeline)),
  /** Distribution of values that are too many to list. */
  distributions: Type.Optional(Type.Array(Distribution)),
  /** Loads in the order of their trials. */
  loadTrials: Type.Optional(Type.Array(LoadTrial)),
  /** Streams whose cadence was measured. */
  cadences: Type.Optional(Type.Array(Cadence)),
  /** Verdict of each requirement that the case decided. */
  decided: Type.Array(Type.Object({ requirement: Type.String(), verdict: VerdictName })),
});
export type CaseRecord = Static<typeof CaseRecord>;

export const RequirementRecord = Type.Object({
  id: Type.String(),
  level: Type.Enum([...requirementLevels]),
  /** Of a declared requirement: whether this profile or rack declares it explicitly. */
  isDeclared: Type.Optional(Type.Boolean()),
  /** Of a recommended requirement: the standard or guide that it comes from. */
  source: Type.Optional(Type.String()),
  group: Type.String(),
  statement: Type.String(),
  place: Type.String(),
  /** `not-covered`: no case of the selection tests it, for the given reason. */
  verdict: Type.Enum([...requirementVerdicts]),
  cases: Type.Array(Type.String()),
  reason: Type.Optional(Type.String()),
});
export type RequirementRecord = Static<typeof RequirementRecord>;

/** A certificate that the gateway showed over HTTPS. */
export const TlsCertificate = Type.Object({
  /** SHA-256, 64 hexadecimal digits. */
  fingerprint: Type.String(),
  subject: Type.String(),
  issuer: Type.String(),
  validTo: Type.String(),
});
export type TlsCertificate = Static<typeof TlsCertificate>;

/** Why a run ended early without an interruption: a failure of the lab, not of the gateway. */
export const Trouble = Type.Object({
  kind: Type.Enum(["health-check", "gateway-lost", "tls-changed"]),
  /** The failed step, such as `reachable` or `sign-in`. */
  part: Type.String(),
  expected: Type.String(),
  found: Type.String(),
  remedy: Type.String(),
  /** Of a lost gateway: the time of the first request without an answer. */
  since: Type.Optional(Type.String()),
});
export type Trouble = Static<typeof Trouble>;

/** A part of the gateway's state that the run changed and could not restore. */
export const LeftChange = Type.Object({
  /** A setting and its member, or a thing that a case made. */
  what: Type.String(),
  from: Type.String(),
  to: Type.String(),
  /** The case after which it differed first. */
  case: Type.String(),
  /** Why no operation restores it; absent where one should have. */
  why: Type.Optional(Type.String()),
});
export type LeftChange = Static<typeof LeftChange>;

export const CampaignRecord = Type.Object({
  format: Type.Literal("rackproof/campaign@1"),
  suite: Type.Object({ version: Type.String(), interface: Type.String() }),
  gateway: Type.Object({
    kind: Type.String(),
    name: Type.String(),
    version: Type.String(),
    /** As the profile declares them; absent where it does not. */
    vendor: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    firmwareSha256: Type.Optional(Type.String()),
    baseUrl: Type.String(),
    fault: Type.Optional(Type.String()),
    /** Certificates that it showed, in order; absent where only HTTP was used. */
    tls: Type.Optional(Type.Array(TlsCertificate)),
  }),
  profile: Type.Object({
    name: Type.String(),
    /** Of the profile's text. */
    sha256: Type.String(),
    /** Capabilities that the profile declares, defaults included; ids of the suite version that wrote the record. */
    capabilities: Type.Optional(Type.Array(Type.String())),
    /** Operations of these capabilities that the profile declares as not served; absent where there are none. */
    notServed: Type.Optional(Type.Array(Type.String())),
  }),
  level: Type.Enum([...campaignLevels]),
  seed: Type.Integer(),
  selection: Type.String(),
  startedAt: Type.String(),
  endedAt: Type.String(),
  /** False when the campaign was interrupted; the results until then are recorded. */
  complete: Type.Boolean(),
  machine: Type.Object({ cpu: Type.String(), cores: Type.Integer(), node: Type.String(), os: Type.String() }),
  summary: Type.Object({
    verdict: Type.Enum(["conformant", "non-conformant", "inconclusive"]),
    pass: Count,
    fail: Count,
    inconclusive: Count,
    error: Count,
    notApplicable: Count,
  }),
  requirements: Type.Array(RequirementRecord),
  cases: Type.Array(CaseRecord),
  /** A shell line that signs in and sets TOKEN, which the curl lines of the cases use. */
  signIn: Type.Optional(Type.String()),
  /** Times to answer, of all operations and of each; the harness sends up to four requests at a time. */
  answerTimes: Type.Optional(Type.Object({ all: Distribution, operations: Type.Array(Distribution) })),
  /** Which cells of the interface the checks of the run observed; absent in older records. */
  coverage: Type.Optional(Coverage),
  /** The equipment around the gateway. */
  rig: Type.Optional(RigInventory),
  trouble: Type.Optional(Trouble),
  /** What the run changed and could not restore; absent when everything was restored. */
  left: Type.Optional(Type.Array(LeftChange)),
  /** Remarks on the run: exclusions with their reasons, restored settings. */
  notes: Type.Array(Type.String()),
});
export type CampaignRecord = Static<typeof CampaignRecord>;
