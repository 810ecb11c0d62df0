// The preview of a release over the archive of records: a suite with three changed checks, and the verdicts that they
// change.
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Preview } from "../../record/index.ts";
import { rooms } from "../../tools/importDirection.ts";
import { temporaryFolder } from "../support/commandLine.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Edits of one file: a changed expectation, a narrower limit, a check that was not made before. */
const file = "suites/provision/index.ts";
const edits = [
  ['memberOf(later, "enable"),\n        true,', 'memberOf(later, "enable"),\n        false,'],
  ["high: seconds + profile.patience.settleMs / 2000", "high: seconds - 0.5"],
  [
    'keptMember(verify("CORE-PROVISION-06"), "enable", enable, answer, readBack);',
    '$&\n        verify("CORE-PROVISION-06").equal(readBack.status, 299, "status of the reading");',
  ],
] as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let archive: string[];

beforeAll(async () => {
  folder = await temporaryFolder();
  const names = (await readdir(join(root, "test/archive"))).filter((name) => name.endsWith(".tar.gz"));
  for (const name of names) await execa("tar", ["-xzf", join(root, "test/archive", name), "-C", folder.path]);
  archive = names.map((name) => join(folder.path, name.replace(".tar.gz", ""))).toSorted();
});

afterAll(async () => folder[Symbol.asyncDispose]());

/** A copy of the program with the edits. */
async function editedProgram(): Promise<string> {
  const copy = join(folder.path, "next");
  await mkdir(copy);
  for (const name of [...rooms, "bin", "package.json", "docs"])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  let text = await readFile(join(copy, file), "utf8");
  for (const [present, next] of edits) {
    expect(text.split(present)).toHaveLength(2);
    text = text.replace(present, next);
  }
  await writeFile(join(copy, file), text);
  return copy;
}

async function previewBy(
  program: string,
): Promise<{ exitCode: number | undefined; flips: string[]; page: string }> {
  const out = join(folder.path, `preview-${program === root ? "present" : "next"}`);
  const { exitCode, stdout } = await execa(
    process.execPath,
    [join(program, "bin/rackproof.mjs"), "preview", ...archive, "--json", "--out", out],
    { reject: false },
  );
  const { runs } = JSON.parse(stdout) as Preview;
  expect(runs.map(({ notReplayable }) => notReplayable)).toEqual([0, 0, 0]);
  const flips = runs.flatMap(({ folder: run, flips: changed }) =>
    changed.map((one) =>
      [run.split("/").at(-1), one.case, one.requirement, one.was, one.is, one.reason].join(" "),
    ),
  );
  return { exitCode, flips: flips.toSorted(), page: await readFile(join(out, "preview.html"), "utf8") };
}

test("the preview of a suite with three changed checks names exactly the verdicts that they change", async () => {
  const present = await previewBy(root);
  const next = await previewBy(await editedProgram());
  const changed = next.flips.filter((flip) => !present.flips.includes(flip));
  const kept = "provision/configuration-is-kept CORE-PROVISION-06 pass fail new-check";
  const late = "provision/schedule-disables CORE-PROVISION-09 pass fail changed-limit";
  const stays = "provision/schedule-disables CORE-PROVISION-10";
  expect(changed).toEqual([
    `faulty ${kept}`,
    `faulty ${late}`,
    `faulty ${stays} fail pass changed-check`,
    `plain ${kept}`,
    `plain ${late}`,
    `plain ${stays} pass fail changed-check`,
    `varied ${kept}`,
    `varied ${late}`,
    `varied ${stays} pass fail changed-check`,
  ]);
  expect(next.exitCode).toBe(1);
  expect(next.page).toContain("CORE-PROVISION-09");
});
