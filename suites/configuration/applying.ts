import {
  type Answer,
  type CaseContext,
  decide,
  type Instant,
  type Interval,
  type Members,
  type RestartWatch,
  sameValue,
  scheduleBody,
  settingNames,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { ifMet } from "../support/ifMet.ts";
import { readLastBoot } from "../support/lastBoot.ts";
import { backAgain, delayAfter, secondsSince } from "../support/restart.ts";
import { valueAt } from "../support/settingValues.ts";
import { download, password, shownIn, upload, uploadName, verifyResult } from "./support.ts";
import { exportedSwitches, switchAway, verifySwitches } from "./switches.ts";

const rebootDelaySec = 5;
const repetitionsByLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 1,
  nightly: 1,
  certification: 5,
};

function band({ profile }: CaseContext): Interval {
  const tolerance = profile.tolerances.rebootDelaySec;
  return { low: rebootDelaySec - tolerance, high: rebootDelaySec + tolerance };
}

/** The instant at which the gateway went down after the command; a failed check when it did not. */
async function wentDown(
  { profile, verify }: CaseContext,
  watch: RestartWatch,
  command: Answer,
): Promise<Instant | undefined> {
  const limitSec = rebootDelaySec + profile.tolerances.rebootDelaySec + profile.patience.settleMs / 1000;
  const seen = await watch.wentDown(limitSec * 1000);
  if (seen === undefined) {
    verify("CORE-CONFIG-31").that(false, {
      what: "reboot after a configuration was applied",
      expected: `reboot after ${rebootDelaySec} s`,
      observed: `no reboot within ${limitSec} s`,
      evidence: command,
    });
  }
  return seen;
}

function rebootedInTime(context: CaseContext, command: Answer, down: Instant): void {
  context.verify("CORE-CONFIG-31").within(
    {
      name: "delay from apply to reboot",
      unit: "s",
      ...delayAfter(command, down),
      limits: band(context),
    },
    command,
  );
}

async function verifyRestored({ verify }: CaseContext, exported: readonly MarkedSetting[]): Promise<void> {
  for (const setting of exported) {
    verify("CORE-CONFIG-32").equal(
      withoutCredentials(await setting.read()),
      withoutCredentials(setting.value),
      `${setting.what} after export, change and apply of the exported file`,
    );
  }
  if (exported.length === 0) {
    verify("CORE-CONFIG-32").notApplicable(
      "settings restored by an applied configuration",
      "the exported file shows none of the settings that the suite changes",
    );
  }
}

/** Certificates, keys and what needs them: an export may leave them out. */
const credentials = new Set(["caName", "certFileName", "keyFileName", "enableClientAuth"]);

function withoutCredentials(shown: Members): Members {
  return Object.fromEntries(Object.entries(shown).filter(([member]) => !credentials.has(member)));
}

type UploadResult = ReturnType<Answer<"uploadConfiguration">["data"]>;

/** An apply, and the result of the upload whose file it names. */
interface Applied {
  readonly answer: Answer<"applyConfiguration">;
  readonly result: UploadResult;
}

/** Two uploaded files, the first of which is to be applied. */
interface Uploads {
  readonly uploaded: Answer<"uploadConfiguration">;
  readonly last: Answer<"uploadConfiguration">;
  /** False where the gateway has one file only. */
  readonly isOneOfTwo: boolean;
}

/** A name as people give it; which names a gateway accepts is not stated. */
const spacedName = "own backup+1.tar.gz";

/** Uploads the file that was exported with the password. */
async function uploadSealed(
  { gateway }: CaseContext,
  file: Answer,
  name?: string,
): Promise<Answer<"uploadConfiguration">> {
  const send = (fileName: string): Promise<Answer<"uploadConfiguration">> =>
    upload(gateway, file.bytes, { encryption: true, apply: false, password }, fileName);
  if (name !== undefined) return send(name);
  const answer = await send(spacedName);
  return answer.accepted ? answer : send(uploadName);
}

/** Uploads both files; the first once more where the second replaced it or was rejected. */
async function uploadBoth(context: CaseContext, file: Answer, second: Answer): Promise<Uploads> {
  const { gateway, verify } = context;
  // What an earlier upload had under the name is replaced, or stored beside it.
  await upload(gateway, second.bytes, { password }, spacedName);
  // Both under one name first: a gateway may store them apart, or give them that name.
  for (const [own, other] of [
    [spacedName, spacedName],
    [spacedName, "second.tar.gz"],
    [uploadName, "second.tar.gz"],
  ] as const) {
    const uploaded = await uploadSealed(context, file, own);
    // Without the parameters that have a default.
    const last = await upload(gateway, second.bytes, { password }, other);
    if (uploaded.accepted && last.accepted && uploaded.data().fileName !== last.data().fileName)
      return { uploaded, last, isOneOfTwo: true };
  }
  verify("CORE-CONFIG-42").notApplicable(
    "the applied one of two uploaded files",
    "the gateway gives both files one name, or rejected one of them",
  );
  const again = await uploadSealed(context, file);
  return { uploaded: again, last: again, isOneOfTwo: false };
}

/** Applies the first file; how many uploaded files a gateway stores is not stated, and the first may have to be sent again. */
async function applyFirst(
  context: CaseContext,
  { uploaded, isOneOfTwo }: Uploads,
  file: Answer,
): Promise<Applied> {
  const apply = async (result: UploadResult): Promise<Applied> => {
    const path = { filename: result.fileName };
    return { result, answer: await context.gateway.admin.call("applyConfiguration", { path }) };
  };
  const first = await apply(uploaded.data());
  const { status } = first.answer;
  if (!isOneOfTwo || status < 400 || status >= 500) return first;
  return apply((await uploadSealed(context, file)).data());
}

/** Checks that the answer of an apply is the upload result, with `diff` null. */
function verifyApplied({ verify }: CaseContext, { answer, result }: Applied): boolean {
  const isAccepted = verify("CORE-CONFIG-29").accepted(answer);
  if (isAccepted) {
    const { diff, fileName, fileSize } = answer.data();
    // An encrypted file may be stored encrypted or decrypted.
    verify("CORE-CONFIG-29").equal(
      { diff, fileName, isEmpty: fileSize === 0 },
      { diff: null, fileName: result.fileName, isEmpty: false },
      "upload result in the answer of Apply configuration, compared with that of the upload",
      answer,
    );
  }
  return isAccepted;
}

/** Checks that no setting has the values of the uploaded file that was not to be applied. */
async function verifyNamed(
  { verify }: CaseContext,
  requirement: string,
  exported: readonly MarkedSetting[],
  others: readonly MarkedSetting[],
): Promise<void> {
  for (const { name, what, read, value, telling } of exported) {
    const other = others.find((one) => one.name === name)?.value ?? {};
    const now = await read();
    const members = telling.filter((member) => !sameValue(valueAt(value, member), valueAt(other, member)));
    const from = members.filter((member) => sameValue(valueAt(now, member), valueAt(other, member)));
    verify(requirement).equal(
      from,
      [],
      `members of ${what} with the value of the uploaded file that was not applied`,
    );
  }
}

/** Checks that an upload without apply changed no setting. */
async function verifyNotApplied(
  { verify }: CaseContext,
  uploaded: Answer,
  changed: readonly MarkedSetting[],
): Promise<void> {
  for (const setting of changed) {
    verify("CORE-CONFIG-26").equal(
      await setting.read(),
      setting.value,
      `${setting.what} after an upload without \`apply\``,
      uploaded,
    );
  }
}

/** Repeats the measurement of the delay as often as the level asks for; the report shows the spread. */
async function applyAgain(context: CaseContext, file: Buffer): Promise<void> {
  const { gateway, level } = context;
  for (let repetition = 2; repetition <= repetitionsByLevel[level]; repetition++) {
    const result = (await upload(gateway, file, { encryption: false })).data();
    await using watch = await gateway.watchForRestart();
    const path = { filename: result.fileName };
    const answer = await gateway.admin.call("applyConfiguration", { path });
    if (!verifyApplied(context, { answer, result })) return;
    const down = await wentDown(context, watch, answer);
    if (down === undefined) return;
    rebootedInTime(context, answer, down);
    await backAgain(context, watch);
  }
}

export const applyCases: readonly TestCase[] = [
  testCase({
    id: "configuration/apply-reboots-after-5s",
    title: "Apply restores the exported settings and reboots 5 s later; upload alone does not",
    group: "configuration",
    requirements: [
      "CORE-CONFIG-26",
      "CORE-CONFIG-29",
      "CORE-CONFIG-31",
      "CORE-CONFIG-32",
      "CORE-CONFIG-42",
      "CORE-REBOOT-13",
    ],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 900_000,
    async run(context) {
      const { gateway, verify, waitFor, clock, unmet } = context;
      // An earlier export of the same kind, of other values.
      await download(gateway, false);
      const marked = await markSettings(context, settingNames, { flags: true });
      const switches = await exportedSwitches(context);
      // Encrypted, as files are by default; further repetitions apply one that is not.
      const [file, plain] = [await download(gateway, true, password), await download(gateway, false)];
      if (!file.accepted || !plain.accepted) unmet(`the export was rejected: ${file.summary()}`);
      // By another query: one that shows what an export of these settings holds, whatever the earlier export held.
      const everything = await gateway.admin.call("exportConfiguration", {
        query: { action: "download", encryption: false, select: "[]" },
      });
      const exported = await shownIn(everything.accepted ? everything.bytes : plain.bytes, marked);
      // Three states: that of the file to be applied, that of a second file, and that before the apply. A flag has two:
      // here the apply sets it, with an upload that applies it clears it.
      await switchAway(context, switches);
      const others: MarkedSetting[] = [];
      for (const setting of marked) others.push(await setting.change(false));
      const second = await download(gateway, undefined, password);
      const changed: MarkedSetting[] = [];
      for (const setting of others) changed.push(await setting.change(false));

      const verifyBooted = await readLastBoot(context);
      await using watch = await gateway.watchForRestart();
      const uploads = await uploadBoth(context, file, second);
      await verifyNotApplied(context, uploads.last, changed);
      // Far enough apart to attribute a reboot to the upload or to the apply.
      const { low, high } = band(context);
      const apartMs = Math.min(high - low + 0.5, high + 0.3) * 1000;
      const { startedMs, durationMs } = uploads.last.exchange;
      const uploadedMs = startedMs + durationMs;
      await waitFor(
        "the distance in time between upload and apply",
        () => clock.nowMs() - uploadedMs >= apartMs || undefined,
        {
          deadlineMs: apartMs + 1000,
        },
      );

      const applied = await applyFirst(context, uploads, file);
      const { answer } = applied;
      verifyApplied(context, applied);
      const down = await wentDown(context, watch, answer);
      const isOfUpload =
        down !== undefined &&
        secondsSince(answer, down).high < low &&
        decide(secondsSince(uploads.last, down), { low, high }) === "pass";
      verify("CORE-CONFIG-26").that(!isOfUpload, {
        what: "reboot 5 s after an upload without `apply`",
        expected: "no reboot",
        observed: isOfUpload ? "a reboot" : "no reboot",
        evidence: uploads.last,
      });
      if (down === undefined) return;
      if (!isOfUpload && answer.accepted) rebootedInTime(context, answer, down);
      await backAgain(context, watch);
      await verifyBooted("the reboot after an apply");
      await verifyRestored(context, exported);
      await verifySwitches(context, switches, "CORE-CONFIG-42");
      if (uploads.isOneOfTwo) await verifyNamed(context, "CORE-CONFIG-42", exported, others);
      await applyAgain(context, plain.bytes);
    },
  }),
  testCase({
    id: "configuration/upload-with-apply",
    title: "An upload with `apply` restores the exported settings and reboots 5 s later",
    group: "configuration",
    requirements: ["CORE-CONFIG-24", "CORE-CONFIG-25", "CORE-CONFIG-31", "CORE-CONFIG-32", "CORE-CONFIG-33"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 360_000,
    async run(context) {
      const { declares, gateway, level, profile, random, verify, unmet } = context;
      const marked = await markSettings(context, settingNames, { isWide: true, flags: false });
      const switches = await exportedSwitches(context);
      const [file, plain] = [await download(gateway, undefined), await download(gateway, false)];
      if (!file.accepted || !plain.accepted) unmet(`the export was rejected: ${file.summary()}`);
      const exported = await shownIn(plain.bytes, marked);
      // Each takes a reboot: shorter runs apply one of the two.
      const kinds = level === "certification" ? [false, true] : [random.pick([false, true])];
      for (const isPlain of kinds) {
        await switchAway(context, switches);
        const others: MarkedSetting[] = [];
        for (const setting of marked) others.push(await setting.change(true));
        // Under the same name: it must not be what is applied.
        await upload(gateway, (await download(gateway, false)).bytes, { encryption: false });
        for (const setting of others) await setting.change(true);
        // A client that listens holds nothing up.
        await using stack = new AsyncDisposableStack();
        if (declares("event-stream")) stack.use(await ifMet(gateway.admin.openEventStream()));
        await using watch = await gateway.watchForRestart();
        const { serialNumber } = profile;
        const sent = isPlain ? plain : file;
        const answer = await upload(gateway, sent.bytes, {
          apply: true,
          ...(isPlain ? { encryption: false } : {}),
          ...(isPlain || serialNumber === undefined ? {} : { password: serialNumber }),
        });
        if (!verify("CORE-CONFIG-33").accepted(answer)) return;
        verifyResult(context, answer, sent.bytes.length);
        // Set to the value of the file, it cannot show as a setting that was not restored.
        const schedule = marked.find(({ name }) => name === "reboot-schedule");
        if (schedule !== undefined)
          await gateway.admin.call("setReboot", { json: scheduleBody(schedule.value) });
        const down = await wentDown(context, watch, answer);
        if (down === undefined) return;
        rebootedInTime(context, answer, down);
        await backAgain(context, watch);
        await verifyRestored(context, exported);
        await verifyNamed(context, "CORE-CONFIG-33", exported, others);
        await verifySwitches(context, switches, "CORE-CONFIG-33");
      }
    },
  }),
];
