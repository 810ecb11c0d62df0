import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { firstAccepted, withinLimits } from "../support/withinLimits.ts";
import { hasForeignLines, isNamedAfter, verifyOwnLogs } from "./appLogs.ts";
import { bodyOf } from "./body.ts";
import { endsOf, holdsAnEnd, telltaleBytes } from "./ends.ts";
import { unlimitedCases } from "./unlimited.ts";
import type { ServiceId } from "../../interface/resources/services.ts";
import { allServices, isSetting } from "../support/serviceList.ts";
import { ifMet } from "../support/ifMet.ts";
import { checkWrongInput, keptMember, memberOf } from "../support/settingCheck.ts";
import { verifyTargets } from "../support/targetDisks.ts";
import { readZip, type ZipEntry } from "../support/zipFile.ts";

const mostApps = 4;

/** Gives the log something to tell with characters outside ASCII: sign-ins of a user with such a name, and of nobody. */
async function actBeyondAscii({ declares, gateway, random, scratch }: CaseContext): Promise<void> {
  if (!declares("auth")) return;
  const suffix = " é説\u{1F600}";
  const password = `Pw-${random.word(10)}1!`;
  const trySignIn = (json: { name: string; password: string }) => gateway.anonymous.call("signIn", { json });
  await trySignIn({ name: `${scratch.name("nobody")}${suffix}`, password });
  if (!declares("users") || !declares("roles")) return;
  // Which names a gateway takes is not stated.
  const user = await ifMet(scratch.user({ suffix }));
  if (user !== undefined) await trySignIn({ name: user.name, password: user.password });
}

/** Services that the field cases need. */
const neededElsewhere: ReadonlySet<string> = new Set(["modbusmaster", "opcuaserver"]);

/** Gives the log of a quiet gateway lines of its own: a service is switched there and back. */
async function switchThereAndBack(context: CaseContext): Promise<void> {
  const { declares, gateway, profile, scratch } = context;
  const { admin } = gateway;
  if (!declares("services")) return;
  const service = allServices((await admin.call("listServices")).data()).find(
    ({ id, available }) =>
      available && profile.switchableServices.includes(id) && !isSetting(id) && !neededElsewhere.has(id),
  );
  if (service === undefined) return;
  const path = { id: service.id as ServiceId };
  const [there, back] = service.enable
    ? (["disableService", "enableService"] as const)
    : (["enableService", "disableService"] as const);
  scratch.undo(`service ${service.id}`, () => admin.call(back, { path }));
  await admin.call(there, { path });
  await admin.call(back, { path });
}

export const logSuite: readonly TestCase[] = [
  ...unlimitedCases,
  testCase({
    id: "log/configuration-is-kept",
    title: "The log configuration is returned and read back as set",
    group: "log",
    requirements: [
      "CORE-LOG-10",
      "CORE-LOG-18",
      "CORE-LOG-21",
      "CORE-LOG-22",
      "CORE-LOG-23",
      "CORE-LOG-24",
      "CORE-LOG-25",
    ],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run(context) {
      const { gateway, verify, scratch, random } = context;
      const { admin } = gateway;
      const { disks, ...before } = (await admin.call("getLog")).data();
      scratch.undo("log configuration", () => admin.call("setLog", { json: bodyOf(before) }));
      const wishes = [
        // A time to live of decades, because a shorter one would remove entries of the gateway's log.
        { enable: false, enableTimeToLiveSec: true, timeToLiveSec: random.integer(700_000_000, 900_000_000) },
        { enable: true, enableTimeToLiveSec: false, timeToLiveSec: 0 },
        { enable: true, enableTimeToLiveSec: false, timeToLiveSec: random.integer(100_000, 900_000) },
        { enable: false, enableTimeToLiveSec: false, timeToLiveSec: random.integer(-900_000, -2) },
      ];
      for (const [index, wish] of wishes.entries()) {
        const {
          wish: { desiredDiskCacheSizeMB, timeToLiveSec },
          answer,
        } = await firstAccepted(
          withinLimits(wish.timeToLiveSec, before.desiredDiskCacheSizeMB, index),
          (values) => admin.call("setLog", { json: bodyOf({ ...before, ...wish, ...values }) }),
        );
        verify(wish.timeToLiveSec <= 0 ? "CORE-LOG-25" : "CORE-LOG-24").accepted(answer);
        const readBack = await admin.call("getLog");
        keptMember(verify("CORE-LOG-21"), "desiredDiskCacheSizeMB", desiredDiskCacheSizeMB, answer, readBack);
        keptMember(verify("CORE-LOG-22"), "enable", wish.enable, answer, readBack);
        keptMember(verify("CORE-LOG-23"), "enableTimeToLiveSec", wish.enableTimeToLiveSec, answer, readBack);
        keptMember(verify("CORE-LOG-10"), "targetDiskName", before.targetDiskName, answer, readBack);
        const download = await admin.call("getLog", { query: { download: true } });
        // Whether there is a log to download while it is disabled is not stated.
        if (download.status === 200)
          verify("CORE-LOG-18").that((await readZip(download.bytes)) !== undefined, {
            what: `body of the log download with \`enable\` ${wish.enable}`,
            expected: "a zip file",
            observed: `${download.bytes.length} bytes of ${download.headers["content-type"]}`,
            evidence: download,
          });
        if (wish.timeToLiveSec > 0) {
          keptMember(verify("CORE-LOG-24"), "timeToLiveSec", timeToLiveSec, answer, readBack);
          continue;
        }
        for (const [seen, how] of [
          [answer, "returned"],
          [readBack, "read back"],
        ] as const) {
          const stored = memberOf(seen, "timeToLiveSec");
          verify("CORE-LOG-25").that(typeof stored === "number" && stored <= 0, {
            what: `\`timeToLiveSec\` as ${how} after ${timeToLiveSec} was set`,
            expected: "0 or less (unlimited)",
            observed: stored,
            evidence: seen,
          });
        }
      }
      await verifyTargets(
        context,
        "CORE-LOG-10",
        { disks, ...before },
        {
          read: () => admin.call("getLog"),
          set: (targetDiskName) => admin.call("setLog", { json: bodyOf({ ...before, targetDiskName }) }),
        },
      );
    },
  }),
  testCase({
    id: "log/disk-is-of-any-type",
    title: "Set log configuration accepts `disk` of any type",
    group: "log",
    requirements: ["CORE-LOG-29"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway, verify, scratch }) {
      const { admin } = gateway;
      const { disks, ...settings } = (await admin.call("getLog")).data();
      const json = bodyOf(settings);
      scratch.undo("log configuration", () => admin.call("setLog", { json }));
      for (const disk of [disks, disks[0] ?? {}, settings.targetDiskName, 7, true]) {
        verify("CORE-LOG-29").accepted(await admin.call("setLog", { json: { ...json, disk } }));
      }
    },
  }),
  testCase({
    id: "log/wrong-types-are-refused",
    title: "Set log configuration with a wrong type stores no such value",
    group: "log",
    requirements: ["CORE-LOG-26", "CORE-GENERAL-09"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run(context) {
      const { gateway, scratch } = context;
      const { disks: _before, ...expected } = (await gateway.admin.call("getLog")).data();
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
        const answer = await gateway.admin.callInvalid("setLog", { json });
        const { disks: _after, ...after } = (await gateway.admin.call("getLog")).data();
        checkWrongInput(context, "CORE-LOG-26", { answer, sent: json, before: expected, after });
        if (answer.accepted) await gateway.admin.call("setLog", whole);
      }
    },
  }),
  testCase({
    id: "log/download-is-a-zip",
    title: "The log of the gateway and of one app are downloaded as zip files",
    group: "log",
    requirements: ["CORE-LOG-17", "CORE-LOG-18", "CORE-LOG-19"],
    effect: "reversible",
    touches: ["services"],
    addsTo: ["accounts"],
    capabilities: ["log"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, verify, declares, note } = context;
      await switchThereAndBack(context);
      await actBeyondAscii(context);
      const load = async (
        requirement: string,
        appName?: string,
        { isLogged = true } = {},
      ): Promise<ZipEntry[] | undefined> => {
        const query = { download: true, ...(appName === undefined ? {} : { appName }) };
        const answer = await gateway.admin.call("getLog", { query });
        // What is returned for an app that logs nothing is not stated.
        if (!isLogged && (answer.rejected || answer.status === 204)) {
          verify(requirement).notApplicable(`log of the app ${appName}`, "the gateway has no log of it");
          return undefined;
        }
        if (!verify(requirement).accepted(answer)) return undefined;
        const entries = await readZip(answer.bytes);
        verify(requirement).that(entries !== undefined, {
          what: `body of the log download with ${JSON.stringify(query)}`,
          expected: "a zip file",
          observed: `${answer.bytes.length} bytes of ${answer.headers["content-type"]}`,
          evidence: answer,
        });
        note(`${entries?.length ?? 0} files in the log download with ${JSON.stringify(query)}`);
        return entries;
      };
      const whole = await load("CORE-LOG-18");
      const apps = declares("apps")
        ? (await gateway.admin.call("listApps")).data().map(({ name }) => name)
        : [];
      const isTold = (app: string): boolean => whole?.some(({ name }) => isNamedAfter(name, app)) === true;
      const told = [...apps.filter(isTold), ...apps.filter((app) => !isTold(app))];
      const names = told.slice(0, mostApps);
      const ends = endsOf(whole);
      if (ends.length > 0) {
        const again = await load("CORE-LOG-18");
        verify("CORE-LOG-18").that(holdsAnEnd(again, ends), {
          what: "the last lines of the downloaded log in a second download",
          expected: "present in one of its files",
          observed: "in none",
        });
      }
      const answer = await gateway.admin.call("getLog");
      verify("CORE-LOG-17").that(memberOf(answer, "enable") !== undefined, {
        what: "answer of Get log without query parameters",
        expected: "the log configuration as JSON, with `enable`",
        observed: answer.headers["content-type"],
        evidence: answer,
      });
      if (names.length === 0)
        return verify("CORE-LOG-19").notApplicable("logs of apps", "the gateway lists no app");
      const ofApps: (ZipEntry[] | undefined)[] = [];
      for (const name of names) ofApps.push(await load("CORE-LOG-19", name, { isLogged: isTold(name) }));
      if (ofApps.every((entries) => entries === undefined)) return;
      // At most one app can have a log equal to that of the gateway, unless it is nearly empty.
      const sameAsWhole = ofApps.filter((entries) => isSameLog(entries, whole)).length;
      verify("CORE-LOG-19").that(sameAsWhole < 2 || (whole?.length ?? 0) < 2, {
        what: `logs of ${names.join(", ")} that equal the log of the whole gateway`,
        expected: "0 or 1",
        observed: sameAsWhole,
      });
      verifyOwnLogs(verify("CORE-LOG-19"), names, ofApps, whole ?? []);
      await verifyAtOnce(
        context,
        names.filter((_, index) => ofApps[index] !== undefined && !isSameLog(ofApps[index], whole)),
      );
      const later = (await load("CORE-LOG-18")) ?? [];
      verify("CORE-LOG-19").equal(
        names.filter((app, index) =>
          // A name that names no app may stand for another file there.
          ofApps[index]?.some(
            (file) => isNamedAfter(file.name, app) && hasForeignLines(file, whole ?? [], later),
          ),
        ),
        [],
        "apps whose log download has lines that the log of the gateway has in other files only",
      );
      // The answer for an unknown app is not stated; where every name gets the log of the whole gateway, none has an effect.
      const nobody = await gateway.admin.call("getLog", {
        query: { download: true, appName: "no-such-app-of-the-suite" },
      });
      const differs = ofApps.some((entries) => !isSameLog(entries, whole));
      const isWhole = !differs && nobody.accepted && isSameLog(await readZip(nobody.bytes), whole);
      verify("CORE-LOG-19").that(!isWhole, {
        what: "log download with the appName of an unknown app, where that of each known app is the log of the whole gateway",
        expected: "a rejection (4xx), or a zip file without the log of the whole gateway",
        observed: isWhole ? "a zip file with the log of the whole gateway" : `status ${nobody.status}`,
        evidence: nobody,
      });
    },
  }),
];

/** Checks that logs of apps that differ from that of the gateway do so too when all are downloaded at the same time. */
async function verifyAtOnce({ gateway, verify }: CaseContext, apps: readonly string[]): Promise<void> {
  const [app] = apps;
  if (app === undefined) return;
  const [whole, ...ofApp] = await Promise.all(
    [{}, { appName: app }, { appName: app }].map(async (query) => {
      const answer = await gateway.admin.call("getLog", { query: { download: true, ...query } });
      // How many downloads a gateway serves at the same time is not stated.
      return answer.accepted ? await readZip(answer.bytes) : undefined;
    }),
  );
  verify("CORE-LOG-19").equal(
    ofApp.some((files) => isSameLog(files, whole)) ? "that of the whole gateway" : "another one",
    "another one",
    `log of ${app} in a download at the same time as that of the whole gateway`,
  );
}

/** Whether both zips contain files of the same names and beginnings, and more than a line or two of text. */
function isSameLog(some: readonly ZipEntry[] | undefined, whole: readonly ZipEntry[] | undefined): boolean {
  if (some === undefined || whole === undefined || some.length !== whole.length) return false;
  const bytes = some.reduce((sum, entry) => sum + entry.content.length, 0);
  return (
    bytes >= telltaleBytes &&
    some.every((entry) =>
      whole.some(({ name, content }) => name === entry.name && beginAlike(content, entry.content)),
    )
  );
}

/** Whether two files may be the same log, which may have grown between their downloads. */
function beginAlike(one: Buffer, other: Buffer): boolean {
  if ((one.length === 0) !== (other.length === 0)) return false;
  const bytes = Math.min(200, one.length, other.length);
  return one.subarray(0, bytes).equals(other.subarray(0, bytes));
}
