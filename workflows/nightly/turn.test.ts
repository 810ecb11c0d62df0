// What a turn makes of broken wires, of runs that end early, and of second tries.
import { expect, test } from "vitest";
import type { PartCheck, WirePart } from "../../harness/rack/wireChecks.ts";
import type { CaseRecord } from "../../record/campaign.ts";
import type { RackGateway } from "../../harness/rack/rackFile.ts";
import { testCase } from "../../harness/suite/case.ts";
import type { AttemptResult, AttemptWish } from "./attempt.ts";
import type { ConcludedCase } from "../history/outcome.ts";
import { campaignWith } from "../../record/testing/campaigns.ts";
import { planGateway } from "./plan.ts";
import { takeTurn, type TurnSurroundings } from "./turn.ts";

const suite = ["a", "b"].map((name) =>
  testCase({
    id: `x/${name}`,
    title: name,
    group: "general",
    requirements: [`CORE-${name}`],
    effect: "read-only",
    touches: [],
    run: () => Promise.resolve(),
  }),
);
const gateway: RackGateway = {
  kind: "remote",
  name: "left",
  url: "http://192.0.2.1",
  profileFile: "p.yaml",
  console: "/dev/ttyUSB0",
  power: { driver: "labgrid", place: "left" },
};

function concluded(id: string, verdict: CaseRecord["verdict"]): ConcludedCase {
  const decided = [{ requirement: `CORE-${id.slice(2)}`, verdict }];
  return {
    id,
    verdict,
    durationMs: 1,
    decided,
    ...(verdict === "pass" ? {} : { reason: `it was ${verdict}` }),
  };
}

/** A turn in which the runs end as given, one after another; answers it with what each run was asked for. */
async function turn(
  results: readonly AttemptResult[],
  { broken = [], ...more }: Partial<TurnSurroundings> & { broken?: readonly WirePart[] } = {},
) {
  const asked: AttemptWish[] = [];
  const checks = broken.map((part): PartCheck => ({
    part,
    wire: `${part} 1`,
    ok: false,
    detail: "not found",
  }));
  const finished = await takeTurn({
    plan: planGateway(suite, "", gateway, undefined),
    rackWords: ["--rack", "lab.yaml"],
    level: "smoke",
    selection: "",
    seed: 1,
    retries: 1,
    nightFolder: "/nights/1",
    lease: { environment: {}, lost: new AbortController().signal },
    signal: new AbortController().signal,
    checkWires: () => Promise.resolve(checks),
    runAttempt: (wish) => {
      asked.push(wish);
      return Promise.resolve(results[asked.length - 1] ?? { ending: "exit code 3", concluded: [] });
    },
    tell: () => undefined,
    nowIso: () => "2027-01-01T00:00:00.000Z",
    isStated: () => true,
    ...more,
  });
  const after = (word: string): (string | undefined)[] =>
    asked.map(({ words }) => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined));
  return { finished, selected: after("--select"), without: after("--without") };
}

const passed = { ending: "exit code 0", concluded: [concluded("x/a", "pass"), concluded("x/b", "pass")] };

test("a part of the rig that does not work is left out of the run, and told", async () => {
  const { finished, without } = await turn([passed], { broken: ["console"] });
  expect(without).toEqual(["console"]);
  expect(finished).toMatchObject({ outcome: "conformant", withoutParts: ["console: not found"] });
});

test.each([
  [["gateway"], "conformant"],
  [["gateway", "power"], "set-aside"],
  [["profile"], "set-aside"],
] as const)("with %j broken the gateway is %s", async (broken, outcome) => {
  const { finished } = await turn([passed], { broken });
  expect(finished.outcome).toBe(outcome);
});

test("only cases that did not pass are repeated, and a failure counts", async () => {
  const first = { ending: "exit code 1", concluded: [concluded("x/a", "pass"), concluded("x/b", "fail")] };
  const { finished, selected } = await turn([
    first,
    { ending: "exit code 0", concluded: [concluded("x/b", "pass")] },
  ]);
  expect(selected).toEqual(["", "x/b"]);
  expect(Object.fromEntries(finished.cases)).toEqual({
    "x/a": { outcome: "pass" },
    "x/b": { outcome: "flaky", reason: "fail at attempt 1: it was fail" },
  });
  expect(finished).toMatchObject({ outcome: "non-conformant", exitCode: 1 });
  expect(finished.requirements.get("CORE-b")?.outcome).toBe("flaky");
});

const ticket = { reason: "ticket 12", owner: "anna", expires: "2027-03-31" };
const shown = {
  outcome: "quarantined",
  reason: "quarantined until 2027-03-31, by anna, ticket 12; x/a: it was fail",
};
const failed = { outcome: "fail", reason: "x/a: it was fail" };

test.each([
  [[{ requirement: "CORE-a", ...ticket }], 0, shown],
  [[{ requirement: "CORE-a", case: "x/a", ...ticket }], 0, shown],
  [[{ requirement: "CORE-a", case: "x/b", ...ticket }], 1, failed],
  [[], 1, failed],
])(
  "a quarantined requirement is run and shown, and changes no exit code: %j",
  async (quarantined, code, is) => {
    const once = { ending: "exit code 1", concluded: [concluded("x/a", "fail"), concluded("x/b", "pass")] };
    const { finished } = await turn([once, once], { quarantined });
    expect(finished).toMatchObject({ outcome: "non-conformant", exitCode: code });
    expect(finished.cases.get("x/a")?.outcome).toBe("fail");
    expect(finished.requirements.get("CORE-a")).toEqual(is);
  },
);

test("a case that was inconclusive first and passed then leaves the gateway inconclusive", async () => {
  const first = {
    ending: "exit code 3",
    concluded: [concluded("x/a", "pass"), concluded("x/b", "inconclusive")],
  };
  const { finished } = await turn([first, { ending: "exit code 0", concluded: [concluded("x/b", "pass")] }]);
  expect(finished).toMatchObject({ outcome: "inconclusive", exitCode: 3 });
});

test("a run that could not begin sets the gateway aside with its own words, and is not tried again", async () => {
  const { finished, selected } = await turn([
    { ending: "exit code 3", concluded: [], trouble: "the gateway did not become up within 5 ms" },
  ]);
  expect(selected).toHaveLength(1);
  expect(finished).toMatchObject({
    outcome: "set-aside",
    reason: "the gateway did not become up within 5 ms",
    exitCode: 3,
  });
  expect([...finished.cases.values()].map(({ outcome }) => outcome)).toEqual([
    "not-concluded",
    "not-concluded",
  ]);
});

test("a lease that reached its end leaves the rest not concluded, with that reason", async () => {
  const lost = AbortSignal.abort(new Error("gateway left: lease 7 was lost: it expired"));
  const { finished, selected } = await turn(
    [{ ending: "exit code 130", concluded: [concluded("x/a", "pass")], trouble: "ended" }],
    { lease: { environment: {}, lost } },
  );
  expect(selected).toHaveLength(1);
  expect(finished).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  expect(finished.cases.get("x/b")).toEqual({
    outcome: "not-concluded",
    reason: "gateway left: lease 7 was lost: it expired",
  });
});

/** The record of a run that the lab ended; only what a turn reads. */
function endedByLab(kind: "health-check" | "gateway-lost", ...cases: ConcludedCase[]): AttemptResult {
  const record = campaignWith({
    gateway: { kind: "remote", name: "left", version: "1", baseUrl: "http://192.0.2.1" },
    complete: false,
    summary: { verdict: "inconclusive", pass: 0, fail: 0, inconclusive: 0, error: 0, notApplicable: 0 },
    trouble: {
      kind,
      part: "sign-in",
      expected: "200 with a token",
      found: "401",
      remedy: "check the password",
    },
  });
  return { ending: "exit code 3", record, concluded: cases };
}

test("a health check that failed excludes the gateway for the night, without a second attempt", async () => {
  // What is not applicable to the gateway was concluded without it.
  const { finished, selected } = await turn([
    endedByLab("health-check", concluded("x/a", "not-applicable")),
    passed,
  ]);
  expect(selected).toHaveLength(1);
  expect(finished).toMatchObject({
    outcome: "set-aside",
    exitCode: 3,
    reason: "sign-in: expected 200 with a token, found 401. Fix: check the password",
  });
});

test("a gateway that is lost in mid-run is incomplete, with the failure of the lab as its reason", async () => {
  const { finished } = await turn([endedByLab("gateway-lost", concluded("x/a", "pass"))], { retries: 0 });
  expect(finished).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  expect(finished.reason).toMatch(/^a failure of the lab ended its run: sign-in: expected/);
});
