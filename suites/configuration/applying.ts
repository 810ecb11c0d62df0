import type { Answer } from "../../harness/client/answer.ts";
import type { CaseContext } from "../../harness/suite/context.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { difference, type Interval } from "../../harness/measurement/interval.ts";
import { download, upload } from "./support.ts";

const rebootDelaySec = 5;

/** Checks that the gateway went down 5 s after the answer's request was carried out, and came back. */
async function rebootsInTime(
  { profile, verify }: CaseContext,
  watch: Awaited<ReturnType<CaseContext["gateway"]["watchForRestart"]>>,
  command: Answer,
): Promise<void> {
  const { startedMs, durationMs } = command.exchange;
  const tolerance = profile.tolerances.rebootDelaySec;
  const seen = await watch.wentDown((rebootDelaySec + tolerance + 5) * 1000);
  if (seen === undefined) {
    verify("CORE-CONFIG-31").that(false, {
      what: "the reboot after a configuration was applied",
      expected: `after ${rebootDelaySec} s`,
      observed: `none within ${rebootDelaySec + tolerance + 5} s`,
    });
    return;
  }
  const delayMs: Interval = difference({ low: startedMs, high: startedMs + durationMs }, seen);
  verify("CORE-CONFIG-31").within(
    {
      name: "delay from apply to reboot",
      unit: "s",
      interval: { low: delayMs.low / 1000, high: delayMs.high / 1000 },
      limits: { low: rebootDelaySec - tolerance, high: rebootDelaySec + tolerance },
      observers: ["request probe"],
    },
    command,
  );
}

async function applied(
  context: CaseContext,
  apply: (file: Buffer) => Promise<Answer<"applyConfiguration" | "uploadConfiguration">>,
  requirement: string,
): Promise<void> {
  const { gateway, profile, verify, scratch, random, unmet } = context;
  const before = (await gateway.admin.call("getSsh")).data();
  scratch.undo("SSH configuration", () => gateway.admin.call("setSsh", { json: before }));
  const exported = { ...before, port: random.integer(20_000, 40_000) };
  (await gateway.admin.call("setSsh", { json: exported })).data();
  const file = await download(gateway, false);
  if (!file.accepted) unmet(`the export was refused: ${file.summary()}`);
  (await gateway.admin.call("setSsh", { json: { ...before, port: random.integer(40_001, 60_000) } })).data();
  await using watch = await gateway.watchForRestart();
  const answer = await apply(file.bytes);
  if (!verify(requirement).accepted(answer)) return;
  verify(requirement).equal(
    (answer.json as { data?: { diff?: unknown } }).data?.diff,
    null,
    "diff of an applied configuration",
    answer,
  );
  await rebootsInTime(context, watch, answer);
  await watch.restarted({ downWithinMs: 5000, upWithinMs: profile.patience.bootMs });
  gateway.signInsWereLost();
  const ssh = await gateway.admin.call("getSsh");
  verify("CORE-CONFIG-32").equal(
    ssh.data().port,
    exported.port,
    "the SSH port that was exported, after it was changed and the export applied",
    ssh,
  );
}

export const applyCases: readonly TestCase[] = [
  testCase({
    id: "configuration/apply-reboots-after-5s",
    title:
      "An uploaded configuration that is applied brings the old settings back and reboots the system 5 s later",
    group: "configuration",
    requirements: ["CORE-CONFIG-29", "CORE-CONFIG-31", "CORE-CONFIG-32"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "ssh", "disruptive-reboot"],
    deadlineMs: 180_000,
    run: (context) =>
      applied(
        context,
        async (file) => {
          const uploaded = (await upload(context.gateway, file, { encryption: false })).data();
          return context.gateway.admin.call("applyConfiguration", { path: { filename: uploaded.fileName } });
        },
        "CORE-CONFIG-29",
      ),
  }),
  testCase({
    id: "configuration/upload-with-apply",
    title: "An upload with apply applies the configuration and reboots the system 5 s later",
    group: "configuration",
    requirements: ["CORE-CONFIG-31", "CORE-CONFIG-32", "CORE-CONFIG-33"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "ssh", "disruptive-reboot"],
    deadlineMs: 180_000,
    run: (context) =>
      applied(
        context,
        (file) => upload(context.gateway, file, { encryption: false, apply: true }),
        "CORE-CONFIG-33",
      ),
  }),
];
