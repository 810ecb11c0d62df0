import { expect, test } from "vitest";
import type { CampaignRecord, RequirementRecord, Verdict } from "../../record/index.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { gate } from "./gate.ts";
import { withDefaults } from "./policy.ts";

type Rule = Pick<RequirementRecord, "level" | "isDeclared"> & { readonly verdict: Verdict };

/** A run of one case for each requirement. */
function run(...rules: Rule[]): CampaignRecord {
  const stated: Rule = { level: "stated", verdict: "pass" };
  const all = [stated, ...rules].map((rule, index) => ({ ...rule, id: `CORE-APP-${index}` }));
  return campaignWith({
    level: "nightly",
    requirements: all.map((one) => ({
      ...one,
      group: "apps",
      statement: "s",
      place: "p",
      cases: [`apps/${one.id}`],
    })),
    cases: all.map(({ id, verdict }) =>
      caseWith({
        id: `apps/${id}`,
        requirements: [id],
        verdict: verdict === "advice" ? "pass" : verdict,
        decided: [{ requirement: id, verdict }],
      }),
    ),
  });
}

const own = (verdict: Verdict): Rule => ({ level: "declared", isDeclared: true, verdict });

test("a failed declaration of the gateway's own holds a release", () => {
  const { verdict, reasons } = gate([run(own("fail"))], [], withDefaults({}));
  expect(verdict).toBe("hold");
  expect(reasons).toMatchObject([{ kind: "failure", subject: "CORE-APP-1" }]);
  expect(reasons[0]?.text).toContain("the gateway's own declaration CORE-APP-1 failed");
});

test("advice, failed published requirements and lost recommendations hold no release", () => {
  const rules = (verdict: Verdict): Rule[] => [
    { level: "recommended", verdict },
    { level: "declared", isDeclared: false, verdict },
  ];
  const published: Rule = { level: "published", verdict: "fail" };
  expect(gate([run(...rules("advice"), published)], [], withDefaults({})).verdict).toBe("release");
  for (const verdict of ["advice", "inconclusive"] as const)
    expect(gate([run(...rules(verdict))], [run(...rules("pass"))], withDefaults({})).verdict).toBe("release");
  // The gateway's own declaration decides there too.
  expect(gate([run(own("inconclusive"))], [run(own("pass"))], withDefaults({})).reasons).toMatchObject([
    { kind: "no-longer-decided" },
  ]);
});

test("a run that the lab ended is one open question, not a requirement without a verdict", () => {
  const whole = run({ level: "stated", verdict: "pass" });
  const trouble = {
    kind: "gateway-lost" as const,
    part: "reachable",
    expected: "the gateway answers after apps/x",
    found: "no answer within 2000 ms",
    remedy: "check the power",
    since: "2027-01-01T00:00:30.000Z",
  };
  const lost: CampaignRecord = {
    ...whole,
    complete: false,
    trouble,
    requirements: whole.requirements.map((one, index) => ({
      ...one,
      verdict: index === 0 ? "pass" : "inconclusive",
    })),
    cases: whole.cases.map((one, index) =>
      index === 0
        ? one
        : {
            ...one,
            verdict: "inconclusive",
            reasonCode: "not-run",
            decided: one.decided.map((decision) => ({ ...decision, verdict: "inconclusive" })),
          },
    ),
  };
  for (const baseline of [[], [whole]]) {
    const { verdict, reasons, open } = gate([lost], baseline, withDefaults({}));
    expect([verdict, reasons, open.map(({ kind }) => kind)]).toEqual(["undecided", [], ["lab-trouble"]]);
    expect(open[0]?.text).toContain("found no answer within 2000 ms, since 2027-01-01T00:00:30.000Z");
  }
});
