import { formMarkdown, formPage } from "../reports/certificate/profileForm.ts";
import { profileForm } from "../workflows/authoring/profileForm.ts";
import { loadProfile } from "../harness/index.ts";
import { writeWhole } from "../record/index.ts";

/** Prints the filled ICS and IXIT form, as Markdown or, into a file that ends in .html, as a page; returns the exit code. */
export async function profilePrint(file: string, options: { out?: string }): Promise<number> {
  const profile = await loadProfile(file, { environment: process.env, isOnlyRead: true });
  const form = profileForm(profile);
  const { out } = options;
  const text = out?.endsWith(".html") === true ? formPage(form) : formMarkdown(form);
  if (out === undefined) process.stdout.write(text);
  else await writeWhole(out, text);
  return 0;
}
