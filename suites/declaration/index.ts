// The static review of a conformance test: capabilities declared present are served, those declared absent are not.
import { type TestCase, capabilityProbes, isServed, testCase } from "../../harness/index.ts";

export const declarationSuite: readonly TestCase[] = [
  testCase({
    id: "declaration/declared-and-served",
    title: "Capabilities declared present are served, those declared absent are not",
    group: "general",
    requirements: ["CORE-PROFILE-01", "CORE-PROFILE-02"],
    effect: "read-only",
    touches: [],
    tags: ["smoke"],
    async run({ gateway, verify, declares, note }) {
      let undeclared = 0;
      for (const [id, probe] of capabilityProbes) {
        const answer = await probe(gateway);
        if (declares(id)) {
          verify("CORE-PROFILE-01").that(isServed(answer), {
            what: `${answer.operation} for the capability ${id}, which the profile declares present`,
            expected: "served",
            observed: answer.summary(),
            evidence: answer,
          });
        } else {
          undeclared += 1;
          verify("CORE-PROFILE-02").that(!answer.accepted, {
            what: `${answer.operation} for the capability ${id}, which the profile declares absent`,
            expected: "not served",
            observed: answer.summary(),
            evidence: answer,
          });
        }
      }
      note(`${undeclared} capabilities are declared absent`);
      if (undeclared === 0) {
        verify("CORE-PROFILE-02").equal(
          undeclared,
          0,
          "number of capabilities that the profile declares absent",
        );
      }
    },
  }),
];
