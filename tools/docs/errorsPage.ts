// docs/errors.md, made from the registry of error codes.
import { registeredErrors } from "../../record/errors/registry.ts";

/** The page as Markdown, as the formatter leaves it. */
export function errorsPage(): string {
  const rows = (exitCode: 1 | 2): string =>
    table(
      registeredErrors
        .filter((one) => one.exitCode === exitCode)
        .map(({ code, means, remedy }) => [`\`${code}\``, cell(means), cell(remedy)]),
    );
  return `# Error codes

\`\`\`sh
npx rackproof list errors
npx rackproof list errors --json
\`\`\`

The command lists the codes of this page, with \`--json\` for scripts. A message ends with its code in square brackets; "Fix:"
introduces the remedy:

\`\`\`
rackproof: rack lab.yaml: the file cannot be read. Fix: give the path of an existing rack file [RACK_UNREADABLE]
\`\`\`

This page is made by \`npm run docs\` from \`record/errors/\`.

## Unusable input: exit code 2

${rows(2)}
## Refused certificates: exit code 1

\`certify\` and \`verify\` list every reason with its code. \`verify\` also refuses with \`SET_UNKNOWN\`.

${rows(1)}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("*", "\\*");
}

function table(rows: readonly (readonly string[])[]): string {
  const all = [["code", "meaning", "remedy"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("");
}
