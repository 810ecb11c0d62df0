// Running cases, as suites, workflows and the command line use it.
export { type CampaignOptions, type CampaignResult, runCampaign } from "./campaign/campaign.ts";
export { dependsOnTime } from "./campaign/confirmed.ts";
export { type FinishedCase, runCase } from "./campaign/caseRun.ts";
export { lacksRoom, runConfirmed } from "./campaign/confirmed.ts";
export { isDeclared } from "./campaign/declarations.ts";
export { noSubject } from "./campaign/ending.ts";
export { inapplicable, unrunRecord } from "./campaign/unrun.ts";
export { checkHealth } from "./campaign/health.ts";
export { inOrder } from "./campaign/plan.ts";
export type { Progress } from "./campaign/progress.ts";
export { sameValue } from "./campaign/sameValue.ts";
export type { Taping } from "./campaign/taping.ts";
export { Recorder } from "./campaign/recorder.ts";
export { spareKeys, Spares } from "./campaign/spares.ts";
export { CaseScratch } from "./campaign/scratch.ts";
export { waitReason } from "./campaign/schedule.ts";
export { select } from "./campaign/selection.ts";
export { ShapeJudge, shapeCases, shapePrefix } from "./campaign/shapes.ts";
export { GatewayConnection } from "./client/connection.ts";
export { monotonicClock, type Clock } from "./clock.ts";
export { type CheckedDocument, checkDocument, inspectDocument, readDocument } from "./document/document.ts";
export { nearest } from "./document/nearest.ts";
export { fitsPattern } from "./document/wildcard.ts";
export { probeOnce } from "./measurement/aliveProbe.ts";
export { decide, difference, type Interval } from "./measurement/interval.ts";
export type { Instant, ObserverInterval } from "./measurement/observer.ts";
export type { RestartWatch } from "./measurement/restartWatch.ts";
export { loadProfile, parseProfile, mistakesOf } from "./profile/load.ts";
export { smallReading } from "./profile/offered.ts";
export { ProfileDocument, type CallBinding, type Profile } from "./profile/profile.ts";
export type { HeldLease } from "./rack/consoleSource.ts";
export { pointsOf } from "./rack/fieldEntries.ts";
export { findInRack, readRack } from "./rack/readRack.ts";
export {
  readSuites,
  type EmbeddedRackGateway,
  type RackGateway,
  type RemoteRackGateway,
} from "./rack/rackFile.ts";
export { startRackGateway } from "./rack/rackGateway.ts";
export { checkSecrets } from "./rack/secrets.ts";
export { checkWires, type PartCheck } from "./rack/wireChecks.ts";
export { consoleWire, wiresOf } from "./rack/wires.ts";
export { without } from "./rack/without.ts";
export { crontabOf, crontabShownFor, scheduleBody } from "./settings/crontab.ts";
export {
  membersOf,
  objectOf,
  readSetting,
  setting,
  settingBody,
  settingNames,
  shownMembers,
  writeBack,
  writeSetting,
  type Members,
  type SettingName,
} from "./settings/setting.ts";
export { readableState } from "./settings/state.ts";
export { readEventKinds, switchEventKinds, switchService } from "./settings/switches.ts";
export type { EventStream } from "./streams/eventStream.ts";
export {
  latenciesMs,
  latencyHistogram,
  SequenceLedger,
  type SequenceTotals,
} from "./streams/sequenceLedger.ts";
export { measureCapacity, type SequenceStream } from "./streams/sequenceStream.ts";
export type { TagStream } from "./streams/tagStream.ts";
export { capabilityProbes, isServed } from "./suite/capabilityProbes.ts";
export { testCase, type StateDomain, type TestCase } from "./suite/case.ts";
export type { CaseContext, Scratch, ScratchRole, ScratchUser, Verify } from "./suite/context.ts";
export type { GatewayUnderTest, Session } from "./suite/gatewayUnderTest.ts";
export { around, type Evidence } from "./transport/evidence.ts";
export { isTimeKey, timeOf, type Outside } from "./transport/outside.ts";
export { seededRandom } from "./suite/random.ts";
export { scratchPrefix } from "./suite/scratchPrefix.ts";
export type { Answer } from "./transport/answer.ts";
export type { Inputs, InvalidInputs } from "./transport/inputs.ts";
export { buildPath } from "./transport/requestBuilder.ts";
export type { Tape, TapedStream } from "./transport/tape.ts";
export {
  explain,
  type OpenStream,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from "./transport/transport.ts";
export { allEnded } from "./suite/allEnded.ts";
