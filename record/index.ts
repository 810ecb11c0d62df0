// What a run leaves, as other rooms use it: the record, its parts, their schemas and readers.
export type {
  CampaignRecord,
  CaseRecord,
  CheckRecord,
  Measurement,
  LeftChange,
  RequirementRecord,
  Timeline,
  TlsCertificate,
  Trouble,
} from "./campaign.ts";
export {
  Certificate,
  Waiver,
  certificateClasses,
  type CertificateClass,
  type CertifiedCase,
  type Voucher,
} from "./certificate.ts";
export {
  Cause,
  causeVerdicts,
  type CauseCase,
  type CausePart,
  type CauseTurn,
  type CauseVerdict,
} from "./cause.ts";
export { cellIds, type Coverage } from "./coverage.ts";
export { Registration, Revocation, type RegisteredCertificate, type RegistryIndex } from "./registration.ts";
export { curlLine, signInLine } from "./curl.ts";
export { changedFiles, digestsOf, sha256 } from "./digests.ts";
export { disputesOf, readDisputes, type Dispute } from "./dispute.ts";
export { distributionOf, type Counted } from "./distribution.ts";
export { callName, type CallName, type Exchange, type NoAnswer } from "./exchange.ts";
export type { Cadence, Distribution, LoadTrial, RigInventory } from "./figures.ts";
export { expiryMs } from "./expiry.ts";
export { causesOf, codeOf, notTested, outcomeOfCode } from "./fleet.ts";
export type {
  FindingGroup,
  FleetFinding,
  FleetHistory,
  FleetLab,
  FleetTurn,
  FleetUnit,
  LastResult,
} from "./fleet.ts";
export type { GateComparison, GateReason, GateResult } from "./gate.ts";
export { isInteger, parseJson, stringifyJson } from "./json.ts";
export type { LiveReading, LiveRun, LiveState, LiveTurn } from "./live.ts";
export { logFile } from "./log/chain.ts";
export type { LogEntry } from "./log/entry.ts";
export { logKey, publicKeyId, type LogKey } from "./log/key.ts";
export { verifyLog, type VerifiedLog } from "./log/verify.ts";
export { LogWriter, type NewEntry } from "./log/writer.ts";
export { SecretMasks, headersLoosely, loosely } from "./log/secrets.ts";
export { decodeValue, encodeValue } from "./log/values.ts";
export { packText, unpackText } from "./log/pack.ts";
export { redactLog } from "./log/redact.ts";
export { readRedaction, redactedFile, type RedactionFile } from "./log/redaction.ts";
export { maskExchange, maskText } from "./mask.ts";
export type { RefusalCode } from "./errors/refusals.ts";
export { registeredErrors } from "./errors/registry.ts";
export { UsageError, messageOf } from "./errors/usageError.ts";
export type { UsageErrorCode } from "./errors/usageErrors.ts";
export { HarnessFault, NotApplicable, Unmet, type NotApplicableCode } from "./outcome.ts";
export type { Alert, Notice, NoticeGateway } from "./notice.ts";
export { SuiteFacts, type CaseFacts, type FaultResult, type SelfTestRecord } from "./selfTest.ts";
export { rollUpRequirements, summarise } from "./rollUp.ts";
export { testsNothingStated } from "./statedScope.ts";
export { SetQualityFile, type SetQuality } from "./setQuality.ts";
export type { Flip, FlipReason, Preview, PreviewRun } from "./preview.ts";
export {
  SoakEvent,
  SoakRecord,
  soakEventKinds,
  soakVerdicts,
  type SoakFinding,
  type SoakSeries,
  type SoakTrend,
  type SoakVerdict,
} from "./soak.ts";
export { median } from "./statistics.ts";
export {
  exchangesFile,
  readCampaign,
  readExchanges,
  writeCampaign,
  writeExchanges,
  writeJudged,
  writeWhole,
} from "./store.ts";
export type { Transcript } from "./transcript.ts";
export type {
  Cell,
  Change,
  Outcome,
  Trend,
  TrendGateway,
  TrendNight,
  TrendRow,
  TrendTurn,
  TurnOutcome,
} from "./trend.ts";
export { outcomes, turnOutcomes } from "./trend.ts";
export { unhurried } from "./unhurried.ts";
export { verdicts, worst, type Verdict } from "./verdict.ts";
