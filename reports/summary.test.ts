import { describe, expect, it } from "vitest";
import type { CampaignRecord } from "../record/campaign.ts";
import { caseRecord, record } from "./testing/hostileRecord.ts";
import { summaryText } from "./text/terminal.ts";

describe("the closing summary", () => {
  it("gives the verdict, the requirement in words and the command, and lets no control character through", () => {
    const text = summaryText(record, { reportFile: "runs/x/report.html", width: 80, colours: false });
    expect(text).toContain("✕ Not conformant: 1 stated requirement failed");
    expect(text).toContain("CORE-REBOOT-02");
    expect(text).toContain("Statement of reboot/fails");
    expect(text).toMatch(/reproduce +rackproof run/);
    expect(text).toMatch(/place +Endpoints 5/);
    expect(text).toMatch(/expected +exp/);
    expect(text).toMatch(/observed +obs/);
    expect(text).toMatch(/curl +curl/);
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "4 of 5 stated requirements tested: 1 passed, 1 failed, 2 inconclusive; 1 not applicable",
    );
    expect(text).toContain("1 error, 1 case inconclusive");
    expect(text).toContain("Report  runs/x/report.html");
    // oxlint-disable-next-line no-control-regex -- control characters are what must be absent
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it("names the requirements that have no verdict because a case failed before it decided them", () => {
    const failed = {
      ...caseRecord("users/own", "fail", "CORE-USER-54"),
      decided: [
        { requirement: "CORE-USER-54", verdict: "fail" as const },
        { requirement: "CORE-USER-52", verdict: "inconclusive" as const },
        { requirement: "CORE-USER-53", verdict: "inconclusive" as const },
      ],
    };
    const requirement = (id: string, verdict: "fail" | "inconclusive" | "pass") => ({
      id,
      level: "stated" as const,
      group: "users",
      statement: "s",
      place: "p",
      cases: [],
      verdict,
    });
    const requirements = [
      requirement("CORE-USER-54", "fail"),
      requirement("CORE-USER-52", "inconclusive"),
      // Another case decided it.
      requirement("CORE-USER-53", "pass"),
    ];
    const run = { ...record, cases: [failed], requirements } satisfies CampaignRecord;
    const text = summaryText(run, { width: 100, colours: false });
    expect(text).toContain(
      "Without a verdict because of a failure\n  users/own, which failed before: CORE-USER-52\n",
    );
  });

  it("counts the tested requirements and lists why the others were not tested", () => {
    const stated = Array.from({ length: 5 }, (_, index) => ({
      id: `CORE-LOG-0${index + 1}`,
      level: "stated" as const,
      group: "log",
      statement: "s",
      place: "p",
      cases: [],
      ...(index < 2
        ? { verdict: "pass" as const }
        : {
            verdict: "not-covered" as const,
            reason: index < 4 ? "needs power" : "a notation of the document",
          }),
    }));
    const passed: CampaignRecord = {
      ...record,
      requirements: stated,
      cases: [],
      summary: { verdict: "conformant", pass: 0, fail: 0, inconclusive: 0, error: 0, notApplicable: 0 },
    };
    const text = summaryText(passed, { width: 100, colours: false });
    expect(text).toContain("2 of 5 stated requirements tested, all passed; 3 not tested (reasons below)");
    const [, reasons = ""] = text.split("Not tested\n");
    expect(reasons).toMatch(
      /^ {2}needs power: CORE-LOG-03, CORE-LOG-04\n {2}a notation of the document: CORE-LOG-05\n/,
    );
  });

  it("shows at most 20 failures", () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      caseRecord(`reboot/c${index}`, "fail", `CORE-REBOOT-${100 + index}`),
    );
    const text = summaryText({ ...record, cases: many }, { width: 80, colours: false });
    expect(text.match(/^✕ CORE-REBOOT/gm)).toHaveLength(20);
    expect(text).toContain("and 5 more requirements (5 findings) in the report");
  });
});
