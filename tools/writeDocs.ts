// `npm run docs`: writes the pages of docs/ that are made from data.
import { writeFile } from "node:fs/promises";
import { errorsPage } from "./docs/errorsPage.ts";
import { requirementsPage } from "./docs/requirementsPage.ts";

const pages = { "docs/errors.md": errorsPage(), "docs/requirements.md": requirementsPage() };

for (const [file, text] of Object.entries(pages)) {
  await writeFile(new URL(`../${file}`, import.meta.url), text);
  process.stdout.write(`${file}\n`);
}
