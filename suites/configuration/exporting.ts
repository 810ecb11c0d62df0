import type { GatewayUnderTest } from "../../harness/client/gatewayUnderTest.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";
import type { ConfigurationSectionEntry } from "../../interface/resources/configuration.ts";

async function profileOf(
  gateway: GatewayUnderTest,
  query: { select?: string; filter?: string } = {},
): Promise<ConfigurationSectionEntry[]> {
  return (
    await gateway.admin.call("exportConfiguration", { query: { action: "get-profile", ...query } })
  ).body().data;
}

const nameOf = ({ app, section }: ConfigurationSectionEntry): string => `${app}/${section}`;
const names = (entries: readonly ConfigurationSectionEntry[]): string[] => entries.map(nameOf).toSorted();

export const exportCases: readonly TestCase[] = [
  testCase({
    id: "configuration/select-and-filter",
    title: "An export holds what select names, without what filter excludes",
    group: "configuration",
    requirements: ["CORE-CONFIG-11", "CORE-CONFIG-12", "CORE-CONFIG-13", "CORE-CONFIG-14", "CORE-CONFIG-15"],
    effect: "read-only",
    touches: [],
    capabilities: ["configuration"],
    tags: ["smoke"],
    async run({ gateway, verify, random, notApplicable }) {
      const all = await profileOf(gateway);
      verify("CORE-CONFIG-11").that(all.length > 0, {
        what: "an export without select",
        expected: "at least one section",
        observed: all,
      });
      verify("CORE-CONFIG-11").equal(
        names(await profileOf(gateway, { select: "[]" })),
        names(all),
        "sections selected by an empty select",
      );
      const apps = [...new Set(all.map((entry) => entry.app))];
      const labels = [...new Set(all.flatMap((entry) => entry.labels))];
      const label = labels.includes("network") ? "network" : labels[0];
      for (const app of apps) {
        const selected = await profileOf(gateway, { select: JSON.stringify([{ app }]) });
        verify("CORE-CONFIG-12").equal(
          names(selected),
          names(all.filter((entry) => entry.app === app)),
          `sections selected by the app ${app}`,
        );
      }
      if (apps.length > 1) {
        const [one = "", two = ""] = random.shuffle(apps);
        const both = await profileOf(gateway, { select: JSON.stringify([{ app: one }, { app: two }]) });
        verify("CORE-CONFIG-15").equal(
          names(both),
          names(all.filter(({ app }) => app === one || app === two)),
          `sections selected by ${one} and ${two}`,
        );
      } else {
        verify("CORE-CONFIG-15").equal(
          names(await profileOf(gateway, { select: JSON.stringify(apps.map((app) => ({ app }))) })),
          names(all),
          "sections selected by all apps",
        );
      }
      if (label === undefined)
        return notApplicable("no section of the gateway carries a label that a filter could name");
      const filter = JSON.stringify([{ labels: [label] }]);
      const isKept = (entry: ConfigurationSectionEntry): boolean => !entry.labels.includes(label);
      verify("CORE-CONFIG-13").equal(
        names(await profileOf(gateway, { filter })),
        names(all.filter(isKept)),
        `sections without those labelled ${label}`,
      );
      for (const app of new Set(all.filter((entry) => !isKept(entry)).map((entry) => entry.app))) {
        const chosen = await profileOf(gateway, { select: JSON.stringify([{ app }]), filter });
        const expected = all.filter((entry) => entry.app === app && isKept(entry));
        verify("CORE-CONFIG-14").equal(
          names(chosen),
          names(expected),
          `sections of ${app} without those labelled ${label}`,
        );
      }
    },
  }),
  testCase({
    id: "configuration/export-input-is-checked",
    title: "Exports with an unknown action, or a password without a digit or special character, are refused",
    group: "configuration",
    requirements: ["CORE-CONFIG-16", "CORE-CONFIG-17", "CORE-CONFIG-18", "CORE-CONFIG-34"],
    effect: "read-only",
    touches: [],
    capabilities: ["configuration"],
    async run({ gateway, verify }) {
      verify("CORE-CONFIG-16").refused(
        await gateway.admin.callInvalid("exportConfiguration", { query: { action: "upload" } }),
      );
      for (const password of ["NoDigits!here", "only-letters#"]) {
        const answer = await gateway.admin.call("exportConfiguration", {
          query: { action: "download", encryption: true },
          headers: { password },
        });
        verify("CORE-CONFIG-17").refused(answer);
      }
      for (const password of ["NoSpecial123", "1234567890"]) {
        const answer = await gateway.admin.call("exportConfiguration", {
          query: { action: "download", encryption: true },
          headers: { password },
        });
        verify("CORE-CONFIG-18").refused(answer);
      }
      verify("CORE-CONFIG-34").refused(
        await gateway.admin.call("exportConfiguration", { query: { action: "get-profile", select: "[{" } }),
      );
      verify("CORE-CONFIG-34").refused(
        await gateway.admin.call("exportConfiguration", {
          query: { action: "get-profile", filter: "network" },
        }),
      );
    },
  }),
];
