// Files that must not be applied. These cases run alone, because a gateway that applies one reboots.
import {
  type Answer,
  type CaseContext,
  decide,
  type RestartWatch,
  settingNames,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { runFacts } from "../support/runFacts.ts";
import { backAgain, secondsSince } from "../support/restart.ts";
import { originOf } from "./modelAndVersion.ts";
import { download, longPassword, nearPasswords, password, upload, wrongPassword } from "./support.ts";

const rebootDelayMs = 5000;

/** After a file was wrongly accepted, waits for the reboot before the next request. */
export async function waitIfAccepted(
  context: CaseContext,
  watch: RestartWatch,
  answer: Answer,
): Promise<void> {
  if (!answer.accepted) return;
  const down = await watch.wentDown(rebootDelayMs + context.profile.patience.settleMs);
  if (down !== undefined) await backAgain(context, watch);
}

/**
 * Checks that a rejected upload with `apply` is not followed by what an accepted one does; false after a reboot. Meanwhile
 * the gateway may be asked for another apply that it must reject.
 */
async function staysUp(
  context: CaseContext,
  watch: RestartWatch,
  requirement: string,
  marked: readonly MarkedSetting[],
  applyOther?: () => Promise<Answer>,
): Promise<boolean> {
  const { verify } = context;
  const { patience, tolerances } = context.profile;
  const toleranceMs = tolerances.rebootDelaySec * 1000;
  const waitMs = rebootDelayMs + toleranceMs + patience.settleMs / 2;
  // Far enough apart to attribute a reboot to the upload or to the other apply.
  const apartMs = 2 * toleranceMs + 500;
  const early = await watch.wentDown(apartMs);
  const other = early === undefined ? await applyOther?.() : undefined;
  const down = early ?? (await watch.wentDown(Math.max(waitMs - apartMs, rebootDelayMs + toleranceMs + 500)));
  const isDown = down !== undefined;
  const limits = { low: (rebootDelayMs - toleranceMs) / 1000, high: (rebootDelayMs + toleranceMs) / 1000 };
  const applies = [runFacts(context).unknownApplied, other?.exchange];
  const isOfOther =
    isDown &&
    applyOther !== undefined &&
    applies.some(
      (exchange) => exchange !== undefined && decide(secondsSince({ exchange }, down), limits) !== "fail",
    );
  if (applyOther !== undefined)
    verify("CORE-CONFIG-30").equal(
      isOfOther ? "a reboot" : "no reboot",
      "no reboot",
      "reboot 5 s after Apply configuration with the name of a file that was never uploaded",
      other,
    );
  verify(requirement).equal(
    isDown && !isOfOther ? "a reboot" : "no reboot",
    "no reboot",
    `reboot up to ${waitMs / 1000} s after a rejected upload with \`apply\``,
  );
  if (isDown) {
    await backAgain(context, watch);
    return false;
  }
  for (const { read, value, what } of marked)
    verify(requirement).equal(await read(), value, `${what} ${waitMs / 1000} s after the rejected upload`);
  return true;
}

function conflictOf(answer: Answer): Readonly<Record<"current" | "imported", Origin | undefined>> {
  const { current, imported } = fieldsOf(answer).diff ?? {};
  return { current: namesOf(current), imported: namesOf(imported) };
}

/** The upload result of a rejection; an accepted upload has the same place for it. */
function fieldsOf(answer: Answer): Partial<Conflict> {
  return (answer.json as { data?: Partial<Conflict> } | undefined)?.data ?? {};
}

interface Conflict {
  readonly diff: { current?: Origin; imported?: Origin } | null;
  readonly fileName: unknown;
  readonly fileSize: unknown;
}

interface Origin {
  readonly model?: unknown;
  readonly tpeversion?: unknown;
}

function namesOf(origin: Origin | undefined): Origin | undefined {
  return origin === undefined ? undefined : { model: origin.model, tpeversion: origin.tpeversion };
}

/** The name with another last character, as of the next patch level or the neighbour of a series. */
function withOtherEnd(name: string): string {
  const [last = ""] = name.slice(-1);
  return `${name.slice(0, -1)}${last === "9" ? "8" : "9"}`;
}

/** The beginning of the name; without zeros at the end of a version, which may count as left out. */
function withoutEnd(name: string): string {
  return name.replace(/(?:\.0+)+$/, "").replace(/\W*\w\W*$/, "");
}

export const rejectingCases: readonly TestCase[] = [
  testCase({
    id: "configuration/wrong-password-applies-nothing",
    title: "An encrypted file is rejected with a password other than that of its export",
    group: "configuration",
    requirements: ["CORE-CONFIG-23"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    deadlineMs: 240_000,
    async run(context) {
      const { gateway, level, profile, verify, unmet } = context;
      const marked = await markSettings(context, ["ssh", "provision"]);
      // Shorter runs wait in the case of another model.
      let isFirst = level === "certification";
      const serial = profile.serialNumber;
      // The greatest length is not stated.
      const [longest, shorter] = [longPassword(context, 80), longPassword(context, 40)];
      const long = (await download(gateway, true, longest)).accepted ? longest : shorter;
      for (const [right, wrong] of [
        [password, [wrongPassword]],
        [undefined, [wrongPassword, ...(serial === undefined ? [] : nearPasswords(serial).slice(0, 5))]],
        [long, nearPasswords(long)],
      ] as const) {
        const file = await download(gateway, true, right);
        if (!file.accepted && right === long) continue;
        if (!file.accepted) unmet(`the export was rejected: ${file.summary()}`);
        await using watch = await gateway.watchForRestart();
        for (const one of wrong) {
          const answer = await upload(gateway, file.bytes, { apply: true, encryption: true, password: one });
          verify("CORE-CONFIG-23").refused(answer);
          if (isFirst && answer.rejected && !(await staysUp(context, watch, "CORE-CONFIG-23", marked)))
            return;
          isFirst = false;
          if (!answer.accepted) continue;
          await waitIfAccepted(context, watch, answer);
          break;
        }
        for (const setting of marked)
          verify("CORE-CONFIG-23").equal(
            await setting.read(),
            setting.value,
            `${setting.what} after the rejected upload`,
          );
      }
    },
  }),
  testCase({
    id: "configuration/other-model-or-version-is-refused",
    title: "A file of another model or version is rejected with 400 and `data.diff`",
    group: "configuration",
    requirements: ["CORE-CONFIG-06", "CORE-CONFIG-27", "CORE-CONFIG-30", "CORE-CONFIG-36"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    deadlineMs: 240_000,
    async run(context) {
      const { gateway, level, outside, random, verify, unmet, notApplicable } = context;
      const marked = await markSettings(context, settingNames);
      const file = await download(gateway, false);
      if (!file.accepted) unmet(`the export was rejected: ${file.summary()}`);
      const origin = await originOf(file.bytes);
      if (origin === undefined)
        return notApplicable(
          "model and tpeversion are not recognised in the exported file, whose layout the interface does not show",
        );
      const control = await upload(gateway, await origin.altered(), { apply: false, encryption: false });
      if (control.rejected)
        return notApplicable("the gateway does not read an exported file that was altered otherwise");
      const { found } = origin;
      const changed: MarkedSetting[] = [];
      for (const setting of marked) changed.push(await setting.change());
      const others = [
        { model: found.model, tpeversion: "0.0.1-other" },
        { model: "other-model", tpeversion: found.tpeversion },
        { model: "other-model", tpeversion: "0.0.1-other" },
        { model: found.model, tpeversion: withOtherEnd(found.tpeversion) },
        { model: withOtherEnd(found.model), tpeversion: found.tpeversion },
        { model: `${found.model}-LX`, tpeversion: found.tpeversion },
        { model: withoutEnd(found.model), tpeversion: found.tpeversion },
        { model: found.model, tpeversion: `${found.tpeversion}.1` },
        { model: found.model, tpeversion: withoutEnd(found.tpeversion) },
      ].filter(({ model, tpeversion }) => model !== "" && tpeversion !== "");
      const files = await Promise.all(
        others.map(async (imported) => ({ imported, content: await origin.as(imported) })),
      );
      let isFirst = level !== "smoke";
      verify("CORE-CONFIG-30").notApplicable(
        "reboot after an apply of an unknown file",
        "a smoke run does not wait, and an accepted upload may reboot the gateway",
      );
      const applyUnknown = (): Promise<Answer> =>
        gateway.admin.call("applyConfiguration", { path: { filename: `${random.word(12)}.tar.gz` } });
      // The very same file once more.
      for (const { imported, content } of [...files.slice(0, 1), ...files]) {
        await using watch = await gateway.watchForRestart();
        const answer = await upload(gateway, content, { apply: true, encryption: false });
        verify("CORE-CONFIG-27").refused(answer, 400);
        verify("CORE-CONFIG-27").equal(
          conflictOf(answer),
          { current: found, imported },
          "`data.diff` of an upload with another model or version",
          answer,
        );
        const { fileName, fileSize } = fieldsOf(answer);
        // The record masks secrets of the exported file: made anew from it, this one has another size.
        const size = outside.read("size of the altered file", () => content.length);
        verify("CORE-CONFIG-36").equal(
          { fileName: typeof fileName, fileSize },
          { fileName: "string", fileSize: size },
          "type of `fileName` and value of `fileSize` in the rejection of another model or version",
          answer,
        );
        const sides = Object.values(conflictOf(answer));
        verify("CORE-CONFIG-06").equal(
          sides.flatMap((side) => [typeof side?.model, typeof side?.tpeversion]),
          ["string", "string", "string", "string"],
          "types of `model` and `tpeversion` in `data.diff`",
          answer,
        );
        if (
          isFirst &&
          answer.rejected &&
          !(await staysUp(context, watch, "CORE-CONFIG-27", changed, applyUnknown))
        )
          return;
        isFirst = false;
        await waitIfAccepted(context, watch, answer);
        if (answer.accepted) break;
        for (const setting of changed)
          verify("CORE-CONFIG-27").equal(
            await setting.read(),
            setting.value,
            `${setting.what} after the rejected upload`,
            answer,
          );
      }
    },
  }),
];
