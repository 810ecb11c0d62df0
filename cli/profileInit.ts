import { writeFile } from "node:fs/promises";
import { askGateway } from "../workflows/authoring/ask.ts";
import { profileText } from "../workflows/authoring/profileText.ts";
import { monotonicClock } from "../harness/index.ts";
import { requireUrl } from "./support/url.ts";
import { UsageError, messageOf } from "../record/index.ts";

export interface ProfileInitOptions {
  readonly user: string;
  readonly out: string;
  /** Also learns by changes that are undone. */
  readonly try?: boolean;
}

/** Probes the gateway and writes a commented profile, never over an existing file; returns the exit code. */
export async function profileInit(url: string, options: ProfileInitOptions): Promise<number> {
  const credentials = { name: options.user, password: passwordFromEnvironment() };
  const findings = await askGateway(requireUrl(url), credentials, monotonicClock, {
    isTrying: options.try === true,
  });
  for (const remark of findings.tried?.remarks ?? []) process.stderr.write(`rackproof: ${remark}\n`);
  const text = profileText(findings, new Date(monotonicClock.epochMs()));
  try {
    await writeFile(options.out, text, { flag: "wx" });
  } catch (thrown) {
    throw new UsageError("PROFILE_NOT_WRITTEN", `--out ${options.out}: ${messageOf(thrown)}`);
  }
  const open = text.split("\n").filter((line) => line.includes("DECLARE")).length - 1;
  process.stdout.write(
    `${options.out}\n${open} places are marked DECLARE: fill them in, then run rackproof profile check ${options.out} --url ${url}\n`,
  );
  return 0;
}

/** The administrator's password; throws a UsageError when it is not set. */
function passwordFromEnvironment(): string {
  const password = process.env["RACKPROOF_PASSWORD"] ?? "";
  if (password === "") {
    throw new UsageError(
      "PASSWORD_MISSING",
      "profile init: expected the administrator's password in the environment variable RACKPROOF_PASSWORD, found none",
    );
  }
  return password;
}
