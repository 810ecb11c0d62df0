// The state disk of one emulated gateway: an ext4 file system in a file, with the configuration as delivered.
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

export interface FactorySettings {
  readonly adminPassword: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Program inside the image; the plain gateway by default. */
  readonly program?: string;
  /** More options of the reference gateway; words without blanks. */
  readonly gatewayOptions?: readonly string[];
  /** Sections by `app/section`, as the reference gateway's `--delivered` takes them. */
  readonly delivered?: Readonly<Record<string, unknown>>;
}

const sizeBytes = 96 * 1024 * 1024;

/** Makes the disk; the file takes only the space that is used. Throws an Error without `mke2fs`. */
export async function makeStateDisk(file: string, settings: FactorySettings): Promise<void> {
  const content = await mkdtemp(join(tmpdir(), "rackproof-disk-"));
  try {
    const factory = join(content, "factory");
    await mkdir(factory, { mode: 0o700 });
    const delivered = settings.delivered === undefined ? "" : " --delivered /state/factory/delivered.json";
    const more = (settings.gatewayOptions ?? []).map((word) => ` ${word}`).join("");
    await writeFile(
      join(factory, "settings"),
      [
        ...(settings.program === undefined ? [] : [`GATEWAY_PROGRAM=${settings.program}`]),
        `export RACKPROOF_ADMIN_PASSWORD=${shellWord(settings.adminPassword)}`,
        `GATEWAY_OPTIONS="--http-port ${settings.httpPort} --https-port ${settings.httpsPort}${delivered}${more}"`,
        "",
      ].join("\n"),
      { mode: 0o600 },
    );
    if (settings.delivered !== undefined)
      await writeFile(join(factory, "delivered.json"), JSON.stringify(settings.delivered));
    await writeFile(file, "", { mode: 0o600 });
    await truncate(file, sizeBytes);
    await execa("mke2fs", ["-q", "-F", "-t", "ext4", "-d", content, file], {
      env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` },
    });
  } finally {
    await rm(content, { recursive: true, force: true });
  }
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
