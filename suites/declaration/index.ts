// The static review of a conformance test: the profile's capabilities against what the gateway serves, both ways.
import { type TestCase, capabilityProbes, isServed, testCase } from "../../harness/index.ts";

export const declarationSuite: readonly TestCase[] = [
  testCase({
    id: "declaration/declared-and-served",
    title: "What the profile declares is served, and what it does not declare is not",
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
            what: `the capability ${id}, which the profile declares`,
            expected: `${answer.operation} is served`,
            observed: answer.summary(),
            evidence: answer,
          });
        } else {
          undeclared += 1;
          verify("CORE-PROFILE-02").that(!answer.accepted, {
            what: `the capability ${id}, which the profile does not declare`,
            expected: `${answer.operation} is not served`,
            observed: answer.summary(),
            evidence: answer,
          });
        }
      }
      note(`${undeclared} groups of operations are not declared`);
      if (undeclared === 0) {
        verify("CORE-PROFILE-02").equal(
          undeclared,
          0,
          "number of groups of operations that the profile does not declare",
        );
      }
    },
  }),
];
