import { type Answer, type CaseContext, sameValue, type TestCase, testCase } from "../../harness/index.ts";
import type { ConfigurationSectionEntry } from "../../interface/resources/configuration.ts";

/** The section entries of an export; checks that `count` is their number, whatever the selection. */
async function profileOf(
  { gateway, verify }: CaseContext,
  query: { select?: string; filter?: string } = {},
): Promise<ConfigurationSectionEntry[]> {
  const answer = await gateway.admin.call("exportConfiguration", {
    query: { action: "get-profile", ...query },
  });
  const { count, data } = answer.body();
  const what = `\`count\` of the section entries with ${JSON.stringify(query)}`;
  verify("CORE-CONFIG-39").equal(count, data.length, what, answer);
  return data;
}

const nameOf = ({ app, section }: ConfigurationSectionEntry): string => `${app}/${section}`;
const names = (entries: readonly ConfigurationSectionEntry[]): string[] => entries.map(nameOf).toSorted();

/** Those that every usual rule for passwords names: which others are special characters is not stated. */
const specialCharacters = ["!", "@", "$", "%", "&", "*"];

/** Passwords with each digit alone, and each special character alone. */
function anyCharacters(random: CaseContext["random"]): string[] {
  const specials = random.shuffle(specialCharacters);
  return random
    .shuffle(Array.from({ length: 10 }, (_, digit) => digit))
    .map((digit, index) => `Rack${specials[index % specials.length]}${digit}proof`);
}

/** How many exports a gateway makes at the same time is not stated: the cases that export run one after the other. */
const oneExport = ["configuration"] as const;

/** Exports at the same time. */
const mostAtOnce = 4;

export const exportCases: readonly TestCase[] = [
  testCase({
    id: "configuration/select-and-filter",
    title: "`select` chooses the exported sections and `filter` excludes some of them",
    group: "configuration",
    requirements: [
      "CORE-CONFIG-11",
      "CORE-CONFIG-12",
      "CORE-CONFIG-13",
      "CORE-CONFIG-14",
      "CORE-CONFIG-15",
      "CORE-CONFIG-39",
    ],
    effect: "read-only",
    touches: oneExport,
    capabilities: ["configuration"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, verify, random, notApplicable } = context;
      const all = await profileOf(context);
      verify("CORE-CONFIG-11").that(all.length > 0, {
        what: "sections exported without `select`",
        expected: "at least one section",
        observed: all,
      });
      for (const select of ["[]", ""])
        verify("CORE-CONFIG-11").equal(
          names(await profileOf(context, { select })),
          names(all),
          `sections exported with the empty \`select\` "${select}"`,
        );
      const apps = [...new Set(all.map((entry) => entry.app))];
      const labels = [...new Set(all.flatMap((entry) => entry.labels))];
      const label = labels.includes("network") ? "network" : labels[0];
      for (const app of apps) {
        const selected = await profileOf(context, { select: JSON.stringify([{ app }]) });
        verify("CORE-CONFIG-12").equal(
          names(selected),
          names(all.filter((entry) => entry.app === app)),
          `sections exported with \`select\` of the app ${app}`,
        );
      }
      const some = random.shuffle(apps).slice(0, mostAtOnce);
      const atOnce = await Promise.all(
        some.map(async (app) => {
          const query = { action: "get-profile", select: JSON.stringify([{ app }]) } as const;
          return { app, answer: await gateway.admin.call("exportConfiguration", { query }) };
        }),
      );
      for (const { app, answer } of atOnce)
        if (answer.accepted)
          verify("CORE-CONFIG-12").equal(
            names(answer.data()),
            names(all.filter((entry) => entry.app === app)),
            `sections exported with \`select\` of the app ${app} at the same time as those of other apps`,
            answer,
          );
      // Beside a name of its own the beginnings of names, and names that begin with one.
      const noApps = [
        `no-such-app-${random.word(6)}`,
        ...apps.flatMap((app) => [app.slice(0, -1), `${app}x`]),
      ]
        .filter((app) => app !== "" && !apps.includes(app))
        .map((app) => ({ app }));
      const unknown = await gateway.admin.call("exportConfiguration", {
        query: { action: "get-profile", select: JSON.stringify(noApps) },
      });
      if (unknown.accepted)
        verify("CORE-CONFIG-12").equal(
          names(unknown.data()),
          [],
          `sections exported with \`select\` of unknown apps ${JSON.stringify(noApps)}`,
          unknown,
        );
      const [known, none = known] = [{ app: random.pick(apps) }, noApps[0]];
      for (const select of [
        [known, none],
        [none, known],
      ]) {
        const query = { action: "get-profile", select: JSON.stringify(select) } as const;
        const answer = await gateway.admin.call("exportConfiguration", { query });
        // Whether an unknown app is rejected is not stated.
        if (answer.accepted)
          verify("CORE-CONFIG-15").equal(
            names(answer.data()),
            names(all.filter(({ app }) => app === known.app)),
            `sections exported with \`select\` ${query.select}, of a known app and an unknown one`,
            answer,
          );
      }
      if (apps.length > 1) {
        const [one = "", two = ""] = random.shuffle(apps);
        const both = await profileOf(context, { select: JSON.stringify([{ app: one }, { app: two }]) });
        verify("CORE-CONFIG-15").equal(
          names(both),
          names(all.filter(({ app }) => app === one || app === two)),
          `sections exported with \`select\` of ${one} and ${two}`,
        );
      } else {
        verify("CORE-CONFIG-15").equal(
          names(await profileOf(context, { select: JSON.stringify(apps.map((app) => ({ app }))) })),
          names(all),
          "sections exported with `select` of every app",
        );
      }
      if (label === undefined) return notApplicable("no section of the gateway has a label to filter by");
      for (const other of labels.filter((one) => one !== label)) {
        const excluded = [label, other];
        verify("CORE-CONFIG-13").equal(
          names(
            await profileOf(context, { filter: JSON.stringify(excluded.map((one) => ({ labels: [one] }))) }),
          ),
          names(all.filter((entry) => !excluded.some((one) => entry.labels.includes(one)))),
          `sections exported with \`filter\` of the labels ${excluded.join(" and ")}, each in an object of its own`,
        );
      }
      const unlabelled = { labels: [`no-such-label-${random.word(6)}`] };
      const near = [label.slice(0, -1), label.slice(1), `${label}x`];
      const unknownLabels = near.filter((one) => one !== "" && !labels.includes(one));
      for (const one of [...unlabelled.labels, ...unknownLabels])
        verify("CORE-CONFIG-13").equal(
          names(await profileOf(context, { filter: JSON.stringify([{ labels: [one] }]) })),
          names(all),
          `sections exported with \`filter\` of ${one}, a label that no section has`,
        );
      // Beside an object that matches no section, in both orders.
      for (const together of [
        [{ labels: [label] }, unlabelled],
        [unlabelled, { labels: [label] }],
      ])
        verify("CORE-CONFIG-13").equal(
          names(await profileOf(context, { filter: JSON.stringify(together) })),
          names(all.filter((entry) => !entry.labels.includes(label))),
          `sections exported with \`filter\` ${JSON.stringify(together)}`,
        );
      // Whether one or all labels of an object must match is not stated, and their order has no meaning.
      let expected = [all.filter((entry) => !entry.labels.includes(label)), all].map(names);
      for (const ofOne of [
        [label, ...unlabelled.labels],
        [...unlabelled.labels, label],
      ]) {
        const several = JSON.stringify([{ labels: ofOne }]);
        const answer = await gateway.admin.call("exportConfiguration", {
          query: { action: "get-profile", filter: several },
        });
        if (!answer.accepted) continue;
        const found = names(answer.data());
        verify("CORE-CONFIG-13").that(
          expected.some((one) => sameValue(one, found)),
          {
            what: `sections exported with \`filter\` ${several}`,
            expected: expected.map((one) => one.join(", ")).join(" or "),
            observed: found.join(", "),
            evidence: answer,
          },
        );
        expected = [found];
      }
      const filter = JSON.stringify([{ labels: [label] }]);
      const passesFilter = (entry: ConfigurationSectionEntry): boolean => !entry.labels.includes(label);
      verify("CORE-CONFIG-13").equal(
        names(await profileOf(context, { filter })),
        names(all.filter(passesFilter)),
        `sections exported with \`filter\` of the label ${label}`,
      );
      verify("CORE-CONFIG-14").equal(
        names(await profileOf(context, { select: JSON.stringify(apps.map((app) => ({ app }))), filter })),
        names(all.filter(passesFilter)),
        `sections exported with \`select\` of every app and \`filter\` of the label ${label}`,
      );
      for (const app of new Set(all.filter((entry) => !passesFilter(entry)).map((entry) => entry.app))) {
        const chosen = await profileOf(context, { select: JSON.stringify([{ app }]), filter });
        const expected = all.filter((entry) => entry.app === app && passesFilter(entry));
        verify("CORE-CONFIG-14").equal(
          names(chosen),
          names(expected),
          `sections exported with \`select\` of ${app} and \`filter\` of the label ${label}`,
        );
      }
    },
  }),
  testCase({
    id: "configuration/download-is-the-default-action",
    title: "Export returns a file for download and a list for get-profile",
    group: "configuration",
    requirements: ["CORE-CONFIG-10", "CORE-CONFIG-39", "CORE-CONFIG-40"],
    effect: "read-only",
    touches: oneExport,
    capabilities: ["configuration"],
    async run({ gateway, verify }) {
      const isProfile = (answer: Answer): boolean =>
        Array.isArray((answer.json as { data?: unknown } | undefined)?.data);
      const listed = await gateway.admin.call("exportConfiguration", { query: { action: "get-profile" } });
      if (verify("CORE-CONFIG-39").accepted(listed)) {
        const { count, data } = listed.body();
        verify("CORE-CONFIG-39").equal(count, data.length, "`count` of the section entries", listed);
      }
      const file = await gateway.admin.call("exportConfiguration", { query: { action: "download" } });
      if (verify("CORE-CONFIG-10").accepted(file)) {
        verify("CORE-CONFIG-10").that(file.bytes.length > 0 && !isProfile(file), {
          what: "body of an export with the action download",
          expected: "a file of at least 1 byte",
          observed: isProfile(file) ? "a list of section entries" : `a file of ${file.bytes.length} bytes`,
          evidence: file,
        });
      }
      // The interface calls `action` required and gives it a default: a rejection conforms, and a download does too.
      const [app] = listed.accepted ? listed.data().map((entry) => entry.app) : [];
      const select = JSON.stringify(app === undefined ? [] : [{ app }]);
      for (const query of [{}, { encryption: false }, { select }, { select, encryption: false }]) {
        const without = await gateway.admin.callInvalid("exportConfiguration", { query });
        verify("CORE-CONFIG-40").that(
          without.accepted ? !isProfile(without) : without.status >= 400 && without.status < 500,
          {
            what: `answer to an export without \`action\`, with ${JSON.stringify(query)}`,
            expected: "a file as for download, or a rejection (4xx)",
            observed: isProfile(without) ? "a list of section entries" : `status ${without.status}`,
            evidence: without,
          },
        );
      }
      for (const encryption of [true, false]) {
        const query = { action: "get-profile", encryption } as const;
        const answer = await gateway.admin.call("exportConfiguration", { query });
        if (answer.accepted && listed.accepted)
          verify("CORE-CONFIG-39").equal(
            isProfile(answer) ? answer.body().count : "a file",
            listed.body().count,
            `\`count\` of the section entries with \`encryption\` ${encryption}`,
            answer,
          );
      }
    },
  }),
  testCase({
    id: "configuration/export-input-is-checked",
    title: "Export takes no unknown actions, and no passwords without a digit or special character",
    group: "configuration",
    requirements: ["CORE-CONFIG-16", "CORE-CONFIG-17", "CORE-CONFIG-18", "CORE-CONFIG-34", "CORE-CONFIG-41"],
    effect: "read-only",
    touches: oneExport,
    capabilities: ["configuration"],
    async run({ gateway, random, verify }) {
      const unknown = await gateway.admin.callInvalid("exportConfiguration", { query: { action: "upload" } });
      // A profile is JSON, a download of these is encrypted.
      if (unknown.accepted)
        verify("CORE-CONFIG-16").equal(
          unknown.json === undefined && unknown.bytes.length > 0 ? "a download" : "no download",
          "a download",
          "answer to an unknown action that is not rejected",
          unknown,
        );
      else verify("CORE-CONFIG-16").refused(unknown);
      for (const password of ["NoDigits!here", "only-letters#"]) {
        const answer = await gateway.admin.call("exportConfiguration", {
          query: { action: "download" },
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
      for (const password of [
        "Digit1Special!",
        "1!Digit-first",
        "@Special-first2",
        ...anyCharacters(random),
      ]) {
        verify("CORE-CONFIG-41").accepted(
          await gateway.admin.call("exportConfiguration", {
            query: { action: "download", encryption: true },
            headers: { password },
          }),
        );
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
