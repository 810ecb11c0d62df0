// `node tools/check-imports.ts`: the import direction of this repository, for `npm run check`.
import { checkImports } from "./importDirection.ts";

const { filesRead, importsSeen, violations } = await checkImports(".");
for (const violation of violations) console.error(violation);
console.log(`${importsSeen} imports of ${filesRead} files read, ${violations.length} violations`);
// Having read nothing is no clean bill.
process.exitCode = violations.length === 0 && importsSeen > 0 ? 0 : 1;
