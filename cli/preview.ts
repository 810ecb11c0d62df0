// `rackproof preview`: which verdicts of stored runs change under the present suite, and why.
import { join } from "node:path";
import { flipWords, previewPage } from "../reports/preview/previewPage.ts";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { UsageError, type Preview, type PreviewRun, writeWhole } from "../record/index.ts";
import { previewOf } from "../workflows/replay/preview.ts";
import { frozenSets, readFrozenSet } from "../workflows/release/requirementSet.ts";
import { replayStored } from "./support/storedReplay.ts";
import { suiteVersion } from "./support/version.ts";

export interface PreviewOptions {
  /** Name of the frozen set to which the changes are restricted. */
  readonly set?: string;
  readonly out: string;
  readonly json?: boolean;
}

/** Returns the exit code: 0 no verdict changes, 1 one does, 3 a run cannot be replayed. */
export async function preview(folders: readonly string[], options: PreviewOptions): Promise<number> {
  const isWanted = wantedBy(options.set);
  const runs: PreviewRun[] = [];
  const before: string[] = [];
  for (const folder of folders) {
    const { stored, judged } = await replayStored(folder);
    if (judged === undefined) before.push(folder);
    else runs.push(previewOf(folder, stored, judged.replayed, isWanted));
  }
  const result: Preview = {
    format: "rackproof/preview@1",
    suite: suiteVersion,
    ...(options.set === undefined ? {} : { set: options.set }),
    runs,
  };
  const text = JSON.stringify(result, null, 1);
  const page = join(options.out, "preview.html");
  await writeWhole(page, previewPage(result));
  await writeWhole(join(options.out, "preview.json"), `${text}\n`);
  for (const folder of before)
    process.stderr.write(`rackproof: ${oneLine(folder)}: recorded before replay\n`);
  process.stdout.write(options.json === true ? `${JSON.stringify(result)}\n` : `${linesOf(result)}${page}\n`);
  const changes = runs.some(({ flips }) => flips.length > 0);
  return changes ? 1 : before.length > 0 ? 3 : 0;
}

function linesOf({ runs }: Preview): string {
  return runs
    .flatMap(({ folder, replayed, notReplayable, flips }) => [
      `${folder}: ${counted(flips.length, "verdict")} would change; ${counted(replayed, "case")} replayed, ${notReplayable} not replayable`,
      ...flips.map(
        (one) =>
          `  ${one.requirement} in ${one.case}: was ${one.was ?? "absent"}, is ${one.is ?? "absent"} (${flipWords[one.reason]}: ${one.detail})`,
      ),
    ])
    .map((line) => `${oneLine(line)}\n`)
    .join("");
}

function wantedBy(name: string | undefined): (requirement: string) => boolean {
  if (name === undefined) return () => true;
  const frozen = readFrozenSet(name);
  if (frozen === undefined)
    throw new UsageError(
      "SET_UNKNOWN",
      `--set ${name}: expected one of ${[...frozenSets().keys()].join(", ")}`,
    );
  const ids = new Set(frozen.set.requirements.map(({ id }) => id));
  return (requirement) => ids.has(requirement);
}
