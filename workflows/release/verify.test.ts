import { beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../record/digests.ts";
import type { Certificate, Waiver } from "../../record/certificate.ts";
import { worst } from "../../record/verdict.ts";
import { newestFrozenSet } from "./requirementSet.ts";
import { newKeyPair, seal } from "./signature.ts";
import { allCapabilities, flawlessCertificate } from "./testing/certificates.ts";
import { verifyCertificate } from "./verify.ts";

const frozen = newestFrozenSet();
const atMs = Date.parse("2027-01-15T00:00:00Z");
let keys: { privatePem: string; publicPem: string };

beforeAll(async () => {
  keys = await newKeyPair();
});

const firstCase = frozen.set.cases[0]?.id ?? "";
const firstRequirement = frozen.set.cases[0]?.requirements[0] ?? "";

async function codesOf(
  certificate: Certificate,
  wish: { firmware?: string; atMs?: number } = {},
): Promise<string[]> {
  const text = await seal(certificate, keys.privatePem);
  const { refusals } = await verifyCertificate(text, { atMs, publicPem: keys.publicPem, ...wish });
  return [...new Set(refusals.map((one) => one.code))];
}

type Decision = Certificate["cases"][number]["verdict"];

/** The certificate with the cases that fit decided otherwise, and the requirements as they then follow. */
function decidedOtherwise(
  verdict: Decision,
  reasonCode: string | undefined,
  fits: (caseId: string) => boolean,
): Certificate {
  const whole = flawlessCertificate();
  const cases = whole.cases.map((one) =>
    fits(one.id)
      ? {
          ...one,
          verdict,
          ...(reasonCode === undefined ? {} : { reasonCode }),
          decided: one.decided.map(({ requirement }) => ({ requirement, verdict })),
        }
      : one,
  );
  return { ...whole, cases, requirements: requirementsFrom(cases) };
}

function requirementsFrom(cases: Certificate["cases"]): Certificate["requirements"] {
  const decisions = cases.flatMap((one) => one.decided);
  return frozen.set.requirements.map(({ id }) => {
    const verdicts = decisions.filter((one) => one.requirement === id).map((one) => one.verdict);
    return { id, verdict: worst(verdicts) ?? "not-covered" };
  });
}

function withDecision(verdict: Decision, reasonCode?: string): Certificate {
  return decidedOtherwise(verdict, reasonCode, (id) => id === firstCase);
}

function waiver(expires: string): Waiver {
  return {
    check: firstCase,
    requirement: firstRequirement,
    reason: "fixed in 4.2",
    who: "Ada",
    expires,
    evidenceSha256: sha256("evidence"),
  };
}

test("a whole certificate holds, by the given key and by the one it carries", async () => {
  const text = await seal(flawlessCertificate(), keys.privatePem);
  const given = await verifyCertificate(text, { atMs, publicPem: keys.publicPem, firmware: "4.1.0" });
  const carried = await verifyCertificate(text, { atMs });
  expect([given.refusals, carried.refusals]).toEqual([[], []]);
  expect(carried.keyId).toBe(given.keyId);
});

test("one flipped bit anywhere in the file is refused", async () => {
  const bytes = Buffer.from(await seal(flawlessCertificate(), keys.privatePem));
  const places = [0, 1, 2, 3, 20, bytes.length - 1, bytes.length - 2, bytes.length - 3, bytes.length - 5];
  const everywhere = Array.from({ length: 60 }, (_, index) => Math.floor((index * bytes.length) / 60));
  for (const place of [...places, ...everywhere]) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << bit), place);
      const { refusals } = await verifyCertificate(flipped.toString("utf8"), {
        atMs,
        publicPem: keys.publicPem,
      });
      expect(
        refusals.map((one) => one.code),
        `byte ${place}, bit ${bit}`,
      ).toEqual(["SIGNATURE"]);
    }
  }
});

test("one that another key signed is refused", async () => {
  const text = await seal(flawlessCertificate(), (await newKeyPair()).privatePem);
  const { refusals } = await verifyCertificate(text, { atMs, publicPem: keys.publicPem });
  expect(refusals.map((one) => one.code)).toEqual(["SIGNATURE"]);
});

test("validity, firmware and record are compared with the expected ones", async () => {
  expect(await codesOf(flawlessCertificate(), { atMs: Date.parse("2028-01-02T00:00:00Z") })).toEqual([
    "EXPIRED",
  ]);
  expect(await codesOf(flawlessCertificate(), { atMs: Date.parse("2026-12-31T00:00:00Z") })).toEqual([
    "NOT_YET_VALID",
  ]);
  expect(await codesOf(flawlessCertificate(), { firmware: "4.1.1" })).toEqual(["FIRMWARE"]);
  const text = await seal(flawlessCertificate(), keys.privatePem);
  const other = await verifyCertificate(text, { atMs, campaignSha256: sha256("another") });
  expect(other.refusals.map((one) => one.code)).toEqual(["RECORD"]);
});

describe("every required case is present once, with a verdict", () => {
  test("a case that is missing, or there twice", async () => {
    const whole = flawlessCertificate();
    const without = { ...whole, cases: whole.cases.filter((one) => one.id !== firstCase) };
    expect(await codesOf(without)).toContain("CASE_MISSING");
    const twice = { ...whole, cases: [...whole.cases, ...whole.cases.filter((one) => one.id === firstCase)] };
    expect(await codesOf(twice)).toContain("CASE_TWICE");
  });

  test("a requirement that is missing, or whose verdict its cases contradict", async () => {
    const whole = flawlessCertificate();
    const [, ...others] = whole.requirements;
    expect(await codesOf({ ...whole, requirements: others })).toEqual(["REQUIREMENT_MISSING"]);
    const failed = withDecision("fail");
    expect(await codesOf({ ...failed, requirements: whole.requirements })).toContain(
      "REQUIREMENT_CONTRADICTION",
    );
  });

  test("a decision that failed or was not made", async () => {
    expect(await codesOf(withDecision("fail"))).toEqual(["REQUIREMENT_FAILED"]);
    expect(await codesOf(withDecision("inconclusive"))).toEqual(["REQUIREMENT_UNDECIDED"]);
  });

  test("a case left out for a reason that the profile does not give", async () => {
    expect(await codesOf(withDecision("not-applicable", "equipment-not-there"))).toEqual(["CASE_LEFT_OUT"]);
    expect(await codesOf(withDecision("not-applicable", "capability-not-declared"))).toEqual([
      "CASE_LEFT_OUT",
    ]);
    for (const sufficient of ["not-offered", "nothing-to-look-at"])
      expect(await codesOf(withDecision("not-applicable", sufficient))).toEqual([]);
  });

  test("what needs an undeclared capability may be left out", async () => {
    const gone = "apps";
    const leftOut = frozen.set.cases.filter((one) => one.capabilities.includes(gone)).map((one) => one.id);
    const whole = decidedOtherwise("not-applicable", "capability-not-declared", (id) => leftOut.includes(id));
    const ofApps = new Set(
      frozen.set.requirements.filter((one) => one.capability === gone).map((one) => one.id),
    );
    // No answer of an app operation was seen, so that their shapes are not there either.
    const cases = whole.cases.filter(
      ({ id, decided }) =>
        !id.startsWith("shape/") || !decided.every(({ requirement }) => ofApps.has(requirement)),
    );
    const small = {
      ...whole,
      profile: { ...whole.profile, capabilities: allCapabilities.filter((one) => one !== gone) },
      requirements: requirementsFrom(cases),
      cases,
    };
    expect(await codesOf(small)).toEqual([]);
    expect(await codesOf({ ...small, profile: whole.profile })).toContain("CASE_LEFT_OUT");
  });
});

test("actions that the suite may not perform leave their requirements without a verdict", async () => {
  const withheld = frozen.set.cases
    .filter((one) => one.capabilities.includes("disruptive-reboot"))
    .map((one) => one.id);
  const whole = decidedOtherwise("not-applicable", "capability-not-declared", (id) => withheld.includes(id));
  const capabilities = allCapabilities.filter((one) => one !== "disruptive-reboot");
  expect(await codesOf({ ...whole, profile: { ...whole.profile, capabilities } })).toEqual(["CASE_LEFT_OUT"]);
});

test("a waiver lets its own decision through, and no longer than it holds", async () => {
  const own = frozen.set.cases[0]?.requirements ?? [];
  const waivers = own.map((requirement) => ({ ...waiver("2027-02-01"), requirement }));
  const waived = { ...withDecision("fail"), waivers };
  expect(await codesOf(waived)).toEqual([]);
  expect(await codesOf(waived, { atMs: Date.parse("2027-02-02T00:00:00Z") })).toEqual(["WAIVER_EXPIRED"]);
  expect(await codesOf({ ...waived, waivers: [{ ...waiver("2027-02-01"), check: "other/case" }] })).toContain(
    "REQUIREMENT_FAILED",
  );
});

test("a certificate of a set that is unknown or was changed is refused", async () => {
  const whole = flawlessCertificate();
  expect(await codesOf({ ...whole, requirementSet: { name: "0.1", sha256: frozen.sha256 } })).toEqual([
    "SET_UNKNOWN",
  ]);
  const changed = { ...whole, requirementSet: { name: frozen.set.name, sha256: sha256("other") } };
  expect(await codesOf(changed)).toEqual(["SET_CHANGED"]);
});
