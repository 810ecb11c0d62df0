// Makes the content of a certificate from the folder of a certification run, or lists every reason against it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type RefusalCode,
  type CampaignRecord,
  type Certificate,
  type Waiver,
  type VerifiedLog,
  changedFiles,
  sha256,
  verifyLog,
  expiryMs,
} from "../../record/index.ts";
import { ReplayFault } from "../replay/replayFault.ts";
import type { Replayed } from "../replay/replayRun.ts";
import { completeness, type Pair, type Refusal } from "./completeness.ts";
import type { FrozenSet } from "./requirementSet.ts";
import { readSetQuality } from "./setQuality.ts";
import { vouch, type Vouched, type VoucherWish } from "./voucher.ts";
import { brokenWaivers, evidenceOf, waives } from "./waivers.ts";

export interface CertifyWish {
  readonly folder: string;
  readonly frozen: FrozenSet;
  readonly waivers: readonly Waiver[];
  /** SHA-256 of the profile that the gateway is to be certified with, when one is given. */
  readonly profileSha256?: string;
  readonly issuer?: string;
  readonly nowMs: number;
  readonly validDays: number;
  /** Judges the run again by replaying its log. */
  readonly replay: (log: VerifiedLog) => Promise<Pick<Replayed, "differences" | "notReplayable">>;
  /** The class to certify, and what it rests on; self-declared without a voucher when absent. */
  readonly voucher?: Omit<VoucherWish, "nowMs">;
}

export type CertifyResult =
  | { readonly certificate: Certificate }
  | { readonly refusals: readonly (Refusal & { readonly evidenceSha256?: string })[] };

const followsFromTrouble: readonly RefusalCode[] = [
  "CASE_MISSING",
  "CASE_INCOMPLETE",
  "CASE_LEFT_OUT",
  "REQUIREMENT_UNDECIDED",
  "REQUIREMENT_MISSING",
];

const dayMs = 86_400_000;

/** Makes the content of a certificate from a run. */
export async function certifyRun(record: CampaignRecord, wish: CertifyWish): Promise<CertifyResult> {
  const { folder, frozen, waivers } = wish;
  const content = decisionsOf(record, frozen);
  const isWaived = (pair: Pair): boolean => waives(waivers, pair);
  const vouched: Vouched =
    wish.voucher === undefined
      ? { refusals: [] }
      : await vouch(folder, record, { ...wish.voucher, nowMs: wish.nowMs });
  const all: Refusal[] = [
    ...originRefusals(record, wish),
    ...(await changedFiles(folder)).map((reason): Refusal => ({ code: "RECORD_CHANGED", reason })),
    ...(await evidenceRefusals(record, wish)),
    ...completeness(frozen.set, { ...content, capabilities: record.profile.capabilities ?? [] }, isWaived),
    ...newerRefusals(record, frozen, isWaived),
    ...declarationRefusals(record, isWaived),
    ...vouched.refusals,
    ...(await brokenWaivers(waivers, record, folder, wish.nowMs)),
  ];
  // What was not run is explained by one reason.
  const refusals =
    record.trouble === undefined ? all : all.filter(({ code }) => !followsFromTrouble.includes(code));
  if (refusals.length === 0) return { certificate: await certificateOf(record, wish, content, vouched) };
  return {
    refusals: await Promise.all(
      refusals.map(async (refusal) => {
        const found = record.cases.find((one) => one.id === refusal.waivable?.check);
        return found === undefined
          ? refusal
          : { ...refusal, evidenceSha256: await evidenceOf(folder, found) };
      }),
    ),
  };
}

/** The run and its gateway. */
function originRefusals(record: CampaignRecord, { frozen, profileSha256 }: CertifyWish): Refusal[] {
  const { suite, gateway, level, selection, complete, profile, trouble } = record;
  const refusals: Refusal[] = [];
  const refuse = (code: RefusalCode, reason: string): void => void refusals.push({ code, reason });
  if (level !== "certification") {
    refuse("LEVEL", `the run has level ${level}. Fix: repeat it with --level certification`);
  }
  if (trouble !== undefined) {
    const { part, expected, found, since } = trouble;
    const when = since === undefined ? "" : `, since ${since}`;
    refuse(
      "LAB_TROUBLE",
      `the run ended early, not by the gateway (${part}): expected ${expected}, found ${found}${when}`,
    );
  } else if (!complete) refuse("RUN_INCOMPLETE", "the run was interrupted");
  if (selection !== "") refuse("SELECTION", `the run was restricted by --select ${selection}`);
  if (gateway.fault !== undefined) {
    refuse("FAULT", `a fault was injected into the gateway: --fault ${gateway.fault}`);
  }
  if (suite.version.includes("-")) {
    refuse("DEVELOPMENT_BUILD", `rackproof ${suite.version} is a development build. Fix: use a release`);
  }
  if (suite.interface !== frozen.set.interface) {
    refuse("INTERFACE", `the run is for ${suite.interface}, the requirement set for ${frozen.set.interface}`);
  }
  if (gateway.version === "") {
    refuse("FIRMWARE_UNKNOWN", "firmware version unknown. Fix: declare gateway.version in the profile");
  }
  if (profile.capabilities === undefined) {
    refuse(
      "CAPABILITIES_UNKNOWN",
      "the record does not contain the capabilities of the profile. Fix: run the campaign again",
    );
  }
  if (profileSha256 !== undefined && profileSha256 !== profile.sha256) {
    refuse(
      "PROFILE",
      `the run had another profile: expected SHA-256 ${profileSha256}, found ${profile.sha256}`,
    );
  }
  return refusals;
}

/** The log must be the one that the run wrote, and every verdict must follow from it by the present code. */
async function evidenceRefusals(record: CampaignRecord, { folder, replay }: CertifyWish): Promise<Refusal[]> {
  const result = await verifyLog(folder);
  if ("breach" in result) {
    const { line, problem } = result.breach;
    return [{ code: "LOG", reason: `${line === undefined ? "" : `evidence.log, line ${line}: `}${problem}` }];
  }
  const { log } = result;
  const { header, end } = log;
  if (end === undefined) return [{ code: "LOG", reason: "the end of evidence.log is missing" }];
  const refusals: Refusal[] = log.changedFiles.map((reason) => ({ code: "RECORD_CHANGED", reason }));
  if (header.key.isOneTime)
    refusals.push({
      code: "LOG_KEY",
      reason: "evidence.log is signed by a key that was discarded. Fix: repeat the run with --key FILE",
    });
  const judged = await replay(log).catch((thrown: unknown) => {
    if (thrown instanceof ReplayFault) return thrown;
    throw thrown;
  });
  if (judged instanceof ReplayFault) return [...refusals, { code: "NOT_REPLAYABLE", reason: judged.message }];
  const { differences, notReplayable } = judged;
  return [
    ...refusals,
    ...differences.map((line): Refusal => ({
      code: "JUDGED_OTHERWISE",
      reason: `the record differs from the verdicts of its evidence: ${line}`,
    })),
    ...notReplayable.map((one): Refusal => ({
      code: "NOT_REPLAYABLE",
      reason: `${one.case}: the record does not hold ${one.lacks}`,
    })),
  ];
}

/** Checks added since the set was frozen make a certificate harder to get, never easier. */
function newerRefusals(
  record: CampaignRecord,
  { set }: FrozenSet,
  isWaived: (pair: Pair) => boolean,
): Refusal[] {
  const known = new Set(set.requirements.map((one) => one.id));
  const newer = new Set(
    record.requirements.filter((one) => one.level === "stated" && !known.has(one.id)).map((one) => one.id),
  );
  return record.cases.flatMap(({ id, decided }) =>
    decided
      .filter(({ requirement, verdict }) => newer.has(requirement) && !isSettled(verdict))
      .map(({ requirement, verdict }): Refusal & { waivable: Pair } => ({
        code: verdict === "fail" ? "REQUIREMENT_FAILED" : "REQUIREMENT_UNDECIDED",
        reason: `${requirement} in ${id}: ${verdict}`,
        waivable: { check: id, requirement },
      }))
      .filter(({ waivable }) => !isWaived(waivable)),
  );
}

/** What the profile or the rack file says itself and the gateway does not do. */
function declarationRefusals(record: CampaignRecord, isWaived: (pair: Pair) => boolean): Refusal[] {
  const own = new Set(
    record.requirements
      .filter((one) => one.level === "declared" && one.isDeclared === true)
      .map(({ id }) => id),
  );
  return record.cases.flatMap(({ id, decided }) =>
    decided
      .filter(({ requirement, verdict }) => own.has(requirement) && verdict === "fail")
      .map(({ requirement }): Refusal & { waivable: Pair } => ({
        code: "DECLARATION_FAILED",
        reason: `the gateway's own declaration ${requirement} failed in ${id}`,
        waivable: { check: id, requirement },
      }))
      .filter(({ waivable }) => !isWaived(waivable)),
  );
}

function isSettled(verdict: string): boolean {
  return verdict === "pass" || verdict === "not-applicable";
}

function isWithoutResult(verdict: string): boolean {
  return verdict === "not-covered" || verdict === "advice";
}

/** The requirements and cases of the set in the record. */
function decisionsOf(
  record: CampaignRecord,
  { set }: FrozenSet,
): Pick<Certificate, "requirements" | "cases"> {
  const wanted = new Set(set.requirements.map((one) => one.id));
  return {
    requirements: record.requirements
      .filter((one) => wanted.has(one.id))
      .map(({ id, verdict }) => ({ id, verdict })),
    cases: record.cases
      .map(({ id, verdict, reasonCode, decided }) => ({
        id,
        verdict,
        ...(verdict === "not-applicable" && reasonCode !== undefined ? { reasonCode } : {}),
        decided: decided.filter((one) => wanted.has(one.requirement)),
      }))
      .filter((one) => one.decided.length > 0),
  };
}

async function certificateOf(
  record: CampaignRecord,
  wish: CertifyWish,
  content: Pick<Certificate, "requirements" | "cases">,
  { voucher }: Vouched,
): Promise<Certificate> {
  const { folder, frozen, waivers, nowMs, validDays, issuer } = wish;
  const { gateway, profile, suite, seed, startedAt, endedAt, coverage } = record;
  const endMs = Math.min(nowMs + validDays * dayMs, ...waivers.map((one) => expiryMs(one.expires)));
  const issuedAt = new Date(nowMs).toISOString();
  const quality = readSetQuality(frozen);
  return {
    format: "rackproof/certificate@1",
    class: wish.voucher?.class ?? "self-declared",
    ...(voucher === undefined ? {} : { voucher }),
    ...(issuer === undefined ? {} : { issuer }),
    issuedAt,
    validFrom: issuedAt,
    validTo: new Date(endMs).toISOString(),
    gateway: {
      name: gateway.name,
      kind: gateway.kind,
      firmware: gateway.version,
      ...(gateway.vendor === undefined ? {} : { vendor: gateway.vendor }),
      ...(gateway.model === undefined ? {} : { model: gateway.model }),
      ...(gateway.firmwareSha256 === undefined ? {} : { firmwareSha256: gateway.firmwareSha256 }),
      ...(gateway.tls === undefined ? {} : { tls: gateway.tls }),
    },
    profile: { name: profile.name, sha256: profile.sha256, capabilities: profile.capabilities ?? [] },
    suite: { version: suite.version, interface: suite.interface },
    requirementSet: { name: frozen.set.name, sha256: frozen.sha256 },
    run: {
      level: "certification",
      seed,
      startedAt,
      endedAt,
      campaignSha256: sha256(await readFile(join(folder, "campaign.json"))),
      digestsSha256: sha256(await readFile(join(folder, "digests.json"))),
    },
    ...content,
    measurements: record.cases.flatMap((one) =>
      one.measurements.map((measurement) => ({ case: one.id, ...measurement })),
    ),
    beside: record.requirements
      .filter((one) => one.level !== "stated" && !isSettled(one.verdict) && !isWithoutResult(one.verdict))
      .map(({ id, level, verdict }) => ({ id, level, verdict })),
    advice: record.requirements
      .filter(({ verdict }) => verdict === "advice")
      .map(({ id, source = "default" }) => ({ id, source })),
    ...(coverage === undefined
      ? {}
      : { coverage: { all: coverage.all, observed: coverage.observed, byGroup: coverage.byGroup } }),
    ...(quality === undefined ? {} : { setQuality: quality }),
    waivers: [...waivers],
  };
}
