import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { keptMember } from "../support/settingCheck.ts";
import { readZip } from "../support/zipFile.ts";

export const logSuite: readonly TestCase[] = [
  testCase({
    id: "log/configuration-is-kept",
    title: "The log configuration that was set is answered and read back",
    group: "log",
    requirements: ["CORE-LOG-10", "CORE-LOG-21", "CORE-LOG-22", "CORE-LOG-23", "CORE-LOG-24", "CORE-LOG-25"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway, verify, scratch, random }) {
      const { admin } = gateway;
      const before = (await admin.call("getLog")).data();
      const { disks, ...settings } = before;
      scratch.undo("log configuration", () =>
        admin.call("setLog", {
          json: { ...settings, desiredDiskCacheSizeMB: String(settings.desiredDiskCacheSizeMB) },
        }),
      );
      const sizes = [before.desiredDiskCacheSizeMB, random.integer(16, 40), random.integer(41, 64)];
      const lifetimes = [random.integer(100_000, 900_000), 0, -1];
      for (const [index, size] of sizes.entries()) {
        const json = {
          desiredDiskCacheSizeMB: String(size),
          enable: index !== 1,
          enableTimeToLiveSec: index !== 2,
          timeToLiveSec: lifetimes[index] ?? 0,
        };
        const answer = await admin.call("setLog", { json });
        verify(json.timeToLiveSec <= 0 ? "CORE-LOG-25" : "CORE-LOG-24").accepted(answer);
        const readBack = await admin.call("getLog");
        keptMember(verify("CORE-LOG-21"), "desiredDiskCacheSizeMB", size, answer, readBack);
        keptMember(verify("CORE-LOG-22"), "enable", json.enable, answer, readBack);
        keptMember(verify("CORE-LOG-23"), "enableTimeToLiveSec", json.enableTimeToLiveSec, answer, readBack);
        if (json.timeToLiveSec > 0)
          keptMember(verify("CORE-LOG-24"), "timeToLiveSec", json.timeToLiveSec, answer, readBack);
      }
      verify("CORE-LOG-10").that(disks.length > 0, {
        what: "disks of the log configuration",
        expected: "at least one",
        observed: disks,
      });
      for (const { name } of disks) {
        const answer = await admin.call("setLog", { json: { targetDiskName: name } });
        verify("CORE-LOG-10").accepted(answer);
        keptMember(verify("CORE-LOG-10"), "targetDiskName", name, answer, await admin.call("getLog"));
      }
    },
  }),
  testCase({
    id: "log/wrong-types-are-refused",
    title: "Values of a wrong type are refused and change nothing",
    group: "log",
    requirements: ["CORE-LOG-26"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway, verify }) {
      const { disks: _before, ...expected } = (await gateway.admin.call("getLog")).data();
      for (const json of [
        { enable: "maybe" },
        { timeToLiveSec: "long" },
        { enableTimeToLiveSec: [] },
        { timeToLiveSec: {} },
      ]) {
        verify("CORE-LOG-26").refused(await gateway.admin.callInvalid("setLog", { json }));
        const after = await gateway.admin.call("getLog");
        const { disks: _after, ...settings } = after.data();
        verify("CORE-LOG-26").equal(settings, expected, "the log configuration afterwards", after);
      }
    },
  }),
  testCase({
    id: "log/download-is-a-zip",
    title: "The log is downloaded as a zip file, whole and for one app",
    group: "log",
    requirements: ["CORE-LOG-18", "CORE-LOG-19"],
    effect: "read-only",
    touches: [],
    capabilities: ["log"],
    async run({ gateway, verify, declares, note }) {
      const apps = declares("apps") ? (await gateway.admin.call("listApps")).data() : [];
      const appName = apps[0]?.name ?? "system";
      for (const [requirement, query] of [
        ["CORE-LOG-18", { download: true }],
        ["CORE-LOG-19", { download: true, appName }],
      ] as const) {
        const answer = await gateway.admin.call("getLog", { query });
        if (!verify(requirement).accepted(answer)) continue;
        const entries = await readZip(answer.bytes);
        verify(requirement).that(entries !== undefined, {
          what: "the downloaded log",
          expected: "a zip file",
          observed: `${answer.bytes.length} bytes of ${answer.headers["content-type"]}`,
          evidence: answer,
        });
        note(`${entries?.length ?? 0} files in the log ${JSON.stringify(query)}`);
      }
    },
  }),
];
