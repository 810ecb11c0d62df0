// `node tools/checkProse.ts [FOLDER|FILE...]`: the words of guides and sources, for `npm run check`.
import { checkProse, everything } from "./prose/prose.ts";

const named = process.argv.slice(2);
const { filesRead, read, findings } = await checkProse(".", named.length > 0 ? named : everything);
for (const finding of findings) console.error(finding);
const counts = Object.entries(read).map(([kind, count]) => `${count} ${kind}s`);
console.log(`${filesRead} files read (${counts.join(", ")}), ${findings.length} findings`);
// A check that has read nothing of a kind has checked none of it.
const unread =
  named.length > 0 ? [] : Object.keys(read).filter((kind) => read[kind as keyof typeof read] === 0);
for (const kind of unread) console.error(`no ${kind} was read: the check lost its way to them`);
process.exitCode = findings.length === 0 && filesRead > 0 && unread.length === 0 ? 0 : 1;
