// Judges a run again: every case's present code runs against the record, without a gateway.
import {
  GatewayConnection,
  type Profile,
  Recorder,
  ShapeJudge,
  type FinishedCase,
  type TestCase,
  inapplicable,
  isDeclared,
  runCase,
  spareKeys,
  Spares,
  lacksRoom,
  runConfirmed,
  select,
  shapePrefix,
  unrunRecord,
} from "../../harness/index.ts";
import {
  UsageError,
  type CampaignRecord,
  type CaseRecord,
  type VerifiedLog,
  rollUpRequirements,
  summarise,
} from "../../record/index.ts";
import { type CaseEvidence, evidenceOf, type RunEvidence } from "./caseEvidence.ts";
import { differencesOf } from "./differences.ts";
import { ReplayFault } from "./replayFault.ts";
import { tapedGateway } from "./tapedGateway.ts";
import { readRecordedProfile } from "./recordedProfile.ts";
import { NotReplayable, ReplayTape } from "./replayTape.ts";
import { Standstill, VirtualClock } from "./virtualClock.ts";

export interface Replayed {
  /** The record with the verdicts of the present code. */
  readonly record: CampaignRecord;
  /** One line for each verdict that differs from the stored one. */
  readonly differences: readonly string[];
  readonly notReplayable: readonly { readonly case: string; readonly lacks: string }[];
  /** Number of cases that were replayed to their end. */
  readonly replayed: number;
}

/**
 * Replays every case of the log. Of the stored record only what no case decides is used: the rig, the coverage, notes
 * and timelines.
 */
export async function replayRun(
  log: VerifiedLog,
  stored: CampaignRecord,
  suite: readonly TestCase[],
  suiteVersion: string,
): Promise<Replayed> {
  const { header, end } = log;
  const evidence = evidenceOf(log);
  const profile = profileOf(evidence);
  const { seed, level } = header;
  const cases: CaseRecord[] = [];
  const notReplayable: { case: string; lacks: string }[] = [];
  const shapes = new ShapeJudge();
  let replayed = 0;
  const facts = [...evidence.gateways.values()].map((one) => one.facts);
  const idle = new ReplayTape(noEvidence, new VirtualClock(0, 0), []);
  const gateways = facts.map((one) => tapedGateway(one, idle));
  const before = new Map(stored.cases.map((one) => [one.id, one]));
  for (const testCase of select(suite, header.selection)) {
    const attempts = evidence.cases.get(testCase.id) ?? [];
    const why = inapplicable(testCase, gateways, profile);
    if (why !== undefined || attempts.at(-1)?.end === undefined) {
      cases.push(
        unrunRecord(
          testCase,
          seed,
          why ?? { verdict: "inconclusive", reasonCode: "not-run", reason: "not run: not in the record" },
        ),
      );
      continue;
    }
    const { finished, lacks } = await replayAttempts(testCase, attempts, { evidence, profile, seed, level });
    if (lacks !== undefined) {
      notReplayable.push({ case: testCase.id, lacks });
      cases.push(
        unrunRecord(testCase, seed, {
          verdict: "inconclusive",
          reasonCode: "not-replayable",
          reason: `not replayable: the record does not hold ${lacks}`,
        }),
      );
      continue;
    }
    replayed += 1;
    await shapes.take(testCase.id, finished.answers);
    const { timelines } = before.get(testCase.id) ?? {};
    cases.push({ ...finished.record, ...(timelines === undefined ? {} : { timelines }) });
  }
  const reproduce = (caseId: string): string => reproduceLine(before.get(caseId), caseId);
  const all = [...cases, ...shapes.records(seed, reproduce)];
  const [first] = gateways;
  const requirements = rollUpRequirements(all, (id) => first !== undefined && isDeclared(id, profile, first));
  const complete = end?.complete === true && stored.complete;
  const record: CampaignRecord = {
    ...stored,
    suite: { version: suiteVersion, interface: header.suite.interface },
    profile: {
      name: profile.name,
      sha256: header.profile.sha256,
      capabilities: [...profile.capabilities].toSorted(),
    },
    level,
    seed,
    selection: header.selection,
    startedAt: header.startedAt,
    complete,
    cases: all,
    requirements,
    summary: summarise(all, requirements, complete),
  };
  return { record, differences: differencesOf(stored, record), notReplayable, replayed };
}

const noEvidence: CaseEvidence = {
  start: { kind: "case-start", case: "", atMs: 0, gateway: 0, baseUrl: "" },
  end: undefined,
  exchanges: [],
  streams: new Map(),
  outside: new Map(),
  feeds: new Map(),
  reads: new Map(),
};

function profileOf({ profile }: RunEvidence): Profile {
  if (profile === undefined) throw new ReplayFault("the record does not contain its profile");
  try {
    return readRecordedProfile(profile);
  } catch (thrown) {
    if (thrown instanceof UsageError)
      throw new ReplayFault(`the profile in the record cannot be used: ${thrown.message}`);
    throw thrown;
  }
}

interface Surroundings {
  readonly evidence: RunEvidence;
  readonly profile: Profile;
  readonly seed: number;
  readonly level: CampaignRecord["level"];
}

type Outcome =
  | { readonly finished: FinishedCase; readonly lacks?: undefined }
  | { readonly lacks: string; readonly finished?: undefined };

/** A failure that the run repeated counts only when it repeats in the replay. */
async function replayAttempts(
  testCase: TestCase,
  attempts: readonly CaseEvidence[],
  surroundings: Surroundings,
): Promise<Outcome> {
  const left = [...attempts];
  let lacks: string | undefined;
  const place = {
    kind: "process",
    baseUrl: "http://127.0.0.1",
    isLineImpaired: isOverBadLine(attempts, surroundings),
  } as const;
  const run = async (): Promise<FinishedCase> => {
    const next = left.shift();
    const outcome: Outcome =
      next === undefined ? { lacks: "a repetition" } : await replayCase(testCase, next, surroundings);
    if (outcome.finished !== undefined) return outcome.finished;
    lacks = outcome.lacks;
    throw new NotReplayable(outcome.lacks);
  };
  try {
    const confirmed = (): Promise<FinishedCase> =>
      runConfirmed(testCase, place, run, () => () => left.length > 0);
    let finished = await confirmed();
    // The run took such a case once more when no other ran.
    while (lacksRoom(finished) && left.length > 0) finished = await confirmed();
    return { finished };
  } catch (thrown) {
    if (thrown instanceof NotReplayable) return { lacks: lacks ?? thrown.message };
    throw thrown;
  }
}

function isOverBadLine(
  [first]: readonly CaseEvidence[],
  { evidence: { gateways } }: Pick<Surroundings, "evidence">,
): boolean {
  return first !== undefined && gateways.get(first.start.gateway)?.facts.linePace !== undefined;
}

async function replayCase(
  testCase: TestCase,
  found: CaseEvidence,
  { evidence, profile, seed, level }: Surroundings,
): Promise<Outcome> {
  const { start, end } = found;
  if (end?.reasonCode === "interrupted") return { lacks: "the end of the case, which was interrupted" };
  const gateway = evidence.gateways.get(start.gateway);
  if (gateway === undefined) return { lacks: `gateway ${start.gateway}` };
  const clock = new VirtualClock(start.atMs, gateway.epochOffsetMs);
  const tape = new ReplayTape(found, clock, [profile.token.header, profile.tagToken.header]);
  const equipment = tapedGateway(gateway.facts, tape);
  await using connection = new GatewayConnection(equipment, profile, clock);
  connection.view(new Recorder(), new AbortController().signal, tape).movedTo(start.baseUrl);
  try {
    const finished = await clock.run(
      runCase(testCase, {
        connection,
        // Runs of earlier releases reused no accounts.
        spares: spareKeys.some((key) => found.reads.has(key)) ? new Spares() : undefined,
        tape,
        equipment,
        watchedEnd: undefined,
        seed,
        level,
        signal: new AbortController().signal,
        reproduce: (caseId) => `rackproof repro RUN ${caseId}`,
      }),
    );
    return tape.missing === undefined ? { finished } : { lacks: tape.missing };
  } catch (thrown) {
    if (thrown instanceof Standstill) return { lacks: tape.missing ?? "an event that the case waits for" };
    throw thrown;
  }
}

function reproduceLine(stored: CaseRecord | undefined, caseId: string): string {
  return stored?.reproduce ?? `rackproof repro RUN ${caseId.startsWith(shapePrefix) ? "" : caseId}`.trim();
}
