// Records the small archive over which a release of the suite is previewed: short runs of the reference gateway, plain,
// with variations and with a fault.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const select = "provision,roles/permissions-are-listed,roles/list-and-get-agree";
const records: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  varied: ["--variation", "times-in-seconds,chunked,refusals-text,token-header"],
  faulty: ["--fault", "provision-disables-itself-without-a-schedule"],
};

const launcher = fileURLToPath(new URL("../bin/rackproof.mjs", import.meta.url));
const archive = fileURLToPath(new URL("../test/archive/", import.meta.url));

for (const [name, how] of Object.entries(records)) {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-archive-"));
  const words = ["run", "process", "--level", "smoke", "--seed", "5", "--select", select, ...how];
  const { exitCode } = await execa(process.execPath, [launcher, ...words, "--out", join(folder, name)], {
    reject: false,
  });
  await execa("tar", [
    "-czf",
    join(archive, `${name}.tar.gz`),
    "-C",
    folder,
    `${name}/campaign.json`,
    `${name}/evidence.log`,
  ]);
  await rm(folder, { recursive: true });
  process.stdout.write(`${name}: exit code ${exitCode}\n`);
}
