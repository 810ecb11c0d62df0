import { type TestCase, testCase } from "../../harness/index.ts";
import type { LogConfiguration } from "../../interface/resources/log.ts";
import { keptMember, memberOf } from "../support/settingCheck.ts";
import { readZip, type ZipEntry } from "../support/zipFile.ts";

/** Below this a log may be empty or say nothing but that it is. */
const telltaleBytes = 40;

/** A body of Set log with every member: what becomes of one that is left out is not stated. */
function bodyOf(settings: Omit<LogConfiguration, "disks">): Readonly<Record<string, unknown>> {
  return {
    desiredDiskCacheSizeMB: String(settings.desiredDiskCacheSizeMB),
    enable: settings.enable,
    enableTimeToLiveSec: settings.enableTimeToLiveSec,
    targetDiskName: settings.targetDiskName,
    timeToLiveSec: settings.timeToLiveSec,
  };
}

export const logSuite: readonly TestCase[] = [
  testCase({
    id: "log/configuration-is-kept",
    title: "The log configuration that was set is answered and read back",
    group: "log",
    requirements: ["CORE-LOG-10", "CORE-LOG-21", "CORE-LOG-22", "CORE-LOG-23", "CORE-LOG-24", "CORE-LOG-25"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway, verify, scratch, random, notApplicable }) {
      const { admin } = gateway;
      const { disks, ...before } = (await admin.call("getLog")).data();
      scratch.undo("log configuration", () => admin.call("setLog", { json: bodyOf(before) }));
      const wishes = [
        {
          size: 1,
          enable: false,
          enableTimeToLiveSec: true,
          timeToLiveSec: random.integer(100_000, 900_000),
        },
        { size: 0, enable: true, enableTimeToLiveSec: false, timeToLiveSec: 0 },
        {
          size: 2,
          enable: true,
          enableTimeToLiveSec: false,
          timeToLiveSec: random.integer(100_000, 900_000),
        },
        { size: 3, enable: false, enableTimeToLiveSec: false, timeToLiveSec: -1 },
      ];
      for (const { size, ...wish } of wishes) {
        // Near the size that the gateway came with, because how much it can hold is not stated.
        const wanted = {
          ...before,
          ...wish,
          desiredDiskCacheSizeMB: before.desiredDiskCacheSizeMB + size,
        };
        const answer = await admin.call("setLog", { json: bodyOf(wanted) });
        verify(wish.timeToLiveSec <= 0 ? "CORE-LOG-25" : "CORE-LOG-24").accepted(answer);
        const readBack = await admin.call("getLog");
        keptMember(
          verify("CORE-LOG-21"),
          "desiredDiskCacheSizeMB",
          wanted.desiredDiskCacheSizeMB,
          answer,
          readBack,
        );
        keptMember(verify("CORE-LOG-22"), "enable", wish.enable, answer, readBack);
        keptMember(verify("CORE-LOG-23"), "enableTimeToLiveSec", wish.enableTimeToLiveSec, answer, readBack);
        if (wish.timeToLiveSec > 0) {
          keptMember(verify("CORE-LOG-24"), "timeToLiveSec", wish.timeToLiveSec, answer, readBack);
        } else {
          const kept = memberOf(readBack, "timeToLiveSec");
          verify("CORE-LOG-25").that(typeof kept === "number" && kept <= 0, {
            what: `timeToLiveSec read back after ${wish.timeToLiveSec} was set`,
            expected: "zero or less, which means unlimited",
            observed: kept,
            evidence: readBack,
          });
        }
      }
      for (const { name } of disks) {
        const answer = await admin.call("setLog", { json: bodyOf({ ...before, targetDiskName: name }) });
        verify("CORE-LOG-10").accepted(answer);
        keptMember(verify("CORE-LOG-10"), "targetDiskName", name, answer, await admin.call("getLog"));
      }
      if (disks.length === 0) notApplicable("the gateway lists no disk");
    },
  }),
  testCase({
    id: "log/disk-is-of-any-type",
    title: "The member disk of a request may be of any type",
    group: "log",
    requirements: ["CORE-LOG-29"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway, verify, scratch }) {
      const { admin } = gateway;
      const { disks, desiredDiskCacheSizeMB, ...rest } = (await admin.call("getLog")).data();
      const json = { ...rest, desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB) };
      scratch.undo("log configuration", () => admin.call("setLog", { json }));
      for (const disk of [disks, disks[0] ?? {}, rest.targetDiskName]) {
        verify("CORE-LOG-29").accepted(await admin.call("setLog", { json: { ...json, disk } }));
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
    async run({ gateway, scratch, verify }) {
      const { disks: _before, ...expected } = (await gateway.admin.call("getLog")).listedData();
      const whole = { json: bodyOf(expected) };
      scratch.undo("log configuration", () => gateway.admin.call("setLog", whole));
      const timeToLiveSec = Math.max(0, expected.timeToLiveSec) + 1;
      for (const json of [
        { enable: "maybe" },
        { ...whole.json, timeToLiveSec, enable: "maybe" },
        { ...whole.json, enable: !expected.enable, timeToLiveSec: "long" },
        { timeToLiveSec: "long" },
        { enableTimeToLiveSec: [] },
        { timeToLiveSec: {} },
      ]) {
        verify("CORE-LOG-26").refused(await gateway.admin.callInvalid("setLog", { json }));
        const after = await gateway.admin.call("getLog");
        const { disks: _after, ...settings } = after.listedData();
        verify("CORE-LOG-26").equal(settings, expected, "the log configuration afterwards", after);
      }
    },
  }),
  testCase({
    id: "log/download-is-a-zip",
    title: "The log is downloaded as a zip file, whole and for one app",
    group: "log",
    requirements: ["CORE-LOG-17", "CORE-LOG-18", "CORE-LOG-19"],
    effect: "read-only",
    touches: [],
    capabilities: ["log"],
    tags: ["smoke"],
    async run({ gateway, verify, declares, note }) {
      const apps = declares("apps") ? (await gateway.admin.call("listApps")).data() : [];
      const names = apps.length === 0 ? ["system"] : apps.slice(0, 4).map((app) => app.name);
      const load = async (requirement: string, appName?: string): Promise<ZipEntry[] | undefined> => {
        const query = { download: true, ...(appName === undefined ? {} : { appName }) };
        const answer = await gateway.admin.call("getLog", { query });
        if (!verify(requirement).accepted(answer)) return undefined;
        const entries = await readZip(answer.bytes);
        verify(requirement).that(entries !== undefined, {
          what: `the downloaded log ${JSON.stringify(query)}`,
          expected: "a zip file",
          observed: `${answer.bytes.length} bytes of ${answer.headers["content-type"]}`,
          evidence: answer,
        });
        note(`${entries?.length ?? 0} files in the log ${JSON.stringify(query)}`);
        return entries;
      };
      const whole = await load("CORE-LOG-18");
      const ofApps: (ZipEntry[] | undefined)[] = [];
      for (const name of names) ofApps.push(await load("CORE-LOG-19", name));
      // Two apps cannot both have the log of the whole gateway, unless there is next to nothing in it.
      const sameAsWhole = ofApps.filter((entries) => isSameLog(entries, whole)).length;
      verify("CORE-LOG-19").that(sameAsWhole < 2 || (whole?.length ?? 0) < 2, {
        what: `the logs of ${names.join(", ")}`,
        expected: "each the log of its app",
        observed: `${sameAsWhole} of them the log of the whole gateway`,
      });
      // What becomes of an app that does not exist is open; that it has the log of the whole gateway is not.
      const nobody = await gateway.admin.call("getLog", {
        query: { download: true, appName: "no-such-app-of-the-suite" },
      });
      const isWhole = nobody.accepted && isSameLog(await readZip(nobody.bytes), whole);
      verify("CORE-LOG-19").that(!isWhole, {
        what: "the log of an app that does not exist",
        expected: "a refusal, or nothing of other apps",
        observed: isWhole ? "the log of the whole gateway" : nobody.status,
        evidence: nobody,
      });
      const answer = await gateway.admin.call("getLog");
      verify("CORE-LOG-17").that(memberOf(answer, "enable") !== undefined, {
        what: "the answer without a query",
        expected: "the log configuration",
        observed: answer.headers["content-type"],
        evidence: answer,
      });
    },
  }),
];

/** Whether both zips hold files of the same names that begin alike, with more than a line or two in them. */
function isSameLog(some: readonly ZipEntry[] | undefined, whole: readonly ZipEntry[] | undefined): boolean {
  if (some === undefined || whole === undefined || some.length !== whole.length) return false;
  const bytes = some.reduce((sum, entry) => sum + entry.content.length, 0);
  return (
    bytes >= telltaleBytes &&
    some.every((entry) =>
      whole.some(
        // The whole log may have grown between the two downloads.
        ({ name, content }) =>
          name === entry.name && content.subarray(0, 200).equals(entry.content.subarray(0, 200)),
      ),
    )
  );
}
