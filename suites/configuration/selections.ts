import { type TestCase, testCase } from "../../harness/index.ts";
import { password, upload } from "./support.ts";

/** Each parameter of an export with and without every other one. */
const combinations = [false, true].flatMap((encryption) =>
  [false, true].flatMap((hasSelect) =>
    [false, true].map((hasFilter) => ({ encryption, hasSelect, hasFilter })),
  ),
);

export const selectionCases: readonly TestCase[] = [
  testCase({
    id: "configuration/exports-of-a-selection",
    title: "A selection is exported with and without encryption, and can be uploaded again",
    group: "configuration",
    requirements: ["CORE-CONFIG-10", "CORE-CONFIG-21", "CORE-CONFIG-22", "CORE-CONFIG-24"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, verify, random, unmet }) {
      const { admin } = gateway;
      const sections = (await admin.call("exportConfiguration", { query: { action: "get-profile" } })).data();
      if (sections.length === 0) unmet("the gateway has no sections to export");
      const labels = [...new Set(sections.flatMap((section) => section.labels))];
      const filter = JSON.stringify([{ labels: [labels[0] ?? "network"] }]);
      for (const { encryption, hasSelect, hasFilter } of combinations) {
        // A section that the filter leaves in: an export without any section is not stated.
        const remaining = hasFilter
          ? sections.filter((section) => !section.labels.includes(labels[0] ?? "network"))
          : sections;
        if (remaining.length === 0) continue;
        const { app } = random.pick(remaining);
        const select = JSON.stringify([{ app }]);
        const query = {
          action: "download",
          encryption,
          ...(hasSelect ? { select } : {}),
          ...(hasFilter ? { filter } : {}),
        } as const;
        const headers = { headers: { password } };
        const file = await admin.call("exportConfiguration", { query, ...headers });
        if (!verify("CORE-CONFIG-10").accepted(file)) continue;
        verify("CORE-CONFIG-10").that(file.bytes.length > 0, {
          what: `size in bytes of the file exported with ${JSON.stringify(query)}`,
          expected: "at least 1",
          observed: file.bytes.length,
          evidence: file,
        });
        const uploaded = await upload(gateway, file.bytes, {
          apply: false,
          encryption,
          ...(encryption ? { password } : {}),
        });
        if (!verify(encryption ? "CORE-CONFIG-21" : "CORE-CONFIG-22").accepted(uploaded)) continue;
        verify("CORE-CONFIG-24").equal(
          uploaded.data().fileSize,
          file.bytes.length,
          "`fileSize` of the uploaded file",
          uploaded,
        );
      }
    },
  }),
];
