import { readFile } from "node:fs/promises";
import { counted } from "../reports/text/visibleText.ts";
import { checkProfile } from "../workflows/authoring/checkProfile.ts";
import { compareProfile } from "../workflows/authoring/compareProfile.ts";
import { monotonicClock, parseProfile } from "../harness/index.ts";
import { errorLine } from "./support/errorLine.ts";
import { requireUrl } from "./support/url.ts";
import { UsageError } from "../record/index.ts";

/**
 * Lists every mistake of a profile, and with a URL every difference from the gateway. Returns the exit code: 0 none,
 * 1 the gateway differs, 2 the profile cannot be used.
 */
export async function profileCheck(file: string, options: { url?: string }): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageError("PROFILE_UNREADABLE", `profile ${file}: the file cannot be read`);
  });
  const { mistakes, remarks } = checkProfile(text, file);
  for (const mistake of mistakes)
    process.stderr.write(errorLine(new UsageError("PROFILE_FIELD", mistake, "correct this line")));
  if (mistakes.length > 0) return 2;
  for (const remark of remarks) process.stdout.write(`${remark}\n`);
  if (options.url === undefined) {
    process.stdout.write(`${file} is valid\n`);
    return 0;
  }
  const profile = parseProfile(text, file, { environment: process.env });
  const differences = await compareProfile(profile, requireUrl(options.url), monotonicClock);
  for (const difference of differences) process.stderr.write(`rackproof: ${file}: ${difference}\n`);
  process.stdout.write(
    differences.length === 0
      ? `${file} is valid and agrees with the gateway, as far as read-only calls show\n`
      : `${counted(differences.length, "difference")} from the gateway\n`,
  );
  return differences.length === 0 ? 0 : 1;
}
