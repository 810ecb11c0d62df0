// `npm run docs`: writes the pages of docs/ that are made from data. With --check it only compares: a page that differs is an error.
import { readFile, writeFile } from "node:fs/promises";
import { errorsPage } from "./docs/errorsPage.ts";
import { requirementsPage } from "./docs/requirementsPage.ts";

const pages = { "docs/errors.md": errorsPage(), "docs/requirements.md": requirementsPage() };
const onlyCompares = process.argv.includes("--check");

for (const [file, text] of Object.entries(pages)) {
  const address = new URL(`../${file}`, import.meta.url);
  if (!onlyCompares) {
    await writeFile(address, text);
    process.stdout.write(`${file}\n`);
  } else if ((await readFile(address, "utf8")) !== text) {
    process.stderr.write(`${file}: differs from the data that it is made from. Fix: npm run docs\n`);
    process.exitCode = 1;
  }
}
