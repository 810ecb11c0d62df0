// Which files of a log download are those of an app.
import type { Verify } from "../../harness/index.ts";
import type { ZipEntry } from "../support/zipFile.ts";
import { telltaleBytes } from "./ends.ts";

/** Enough to contain the time of a line. */
const mostEndBytes = 200;
const lastLineCount = 3;
/** A line with its time and some words; a shorter one may be in several files. */
const leastLineLength = 30;

/**
 * The layout of the zip is not shown. Where the name of a file in the log of the gateway has the name of an app, the
 * download of this app contains it, and those of other apps do not. A path that all have is that of no app.
 */
export function verifyOwnLogs(
  verify: Verify,
  names: readonly string[],
  ofApps: readonly (readonly ZipEntry[] | undefined)[],
  whole: readonly ZipEntry[],
): void {
  const common = commonPaths(ofApps.filter((files) => files !== undefined));
  for (const owner of names) {
    const isOwn = (file: ZipEntry): boolean => isNamedAfter(file.name, owner, common);
    const own = whole.find((file) => isOwn(file) && file.content.length >= telltaleBytes);
    if (whole.some(isOwn))
      verify.equal(
        names.filter((name, index) => name !== owner && ofApps[index]?.some(isOwn) === true),
        [],
        `other apps whose log download has a file of the name ${owner}`,
      );
    if (own === undefined) continue;
    // Not as one text: lines of several apps may be mixed.
    const ends = lastLines(own.content);
    const hasEnds = ({ content }: ZipEntry): boolean =>
      ends.every((line) => content.includes(line, 0, "latin1"));
    // Apps may write the same line at the same time.
    if (whole.some((one) => one !== own && hasEnds(one))) continue;
    const having = names.filter((_, index) => ofApps[index]?.some(hasEnds));
    // The two downloads may write the same line differently.
    if (having.length > 0)
      verify.equal(having, [owner], `apps whose log download has the last lines of ${own.name}`);
  }
}

/** Whether lines of the file are in another file of the whole log, and not in that of its name, before or later. */
export function hasForeignLines(
  { name, content }: ZipEntry,
  before: readonly ZipEntry[],
  later: readonly ZipEntry[],
): boolean {
  const textOf = (one: ZipEntry): string => one.content.toString("latin1");
  const [own, others] = [
    later.filter((one) => one.name === name).map(textOf),
    later.filter((one) => one.name !== name).map(textOf),
  ];
  if (own.length === 0) return false;
  // A log that rotates has lost its first lines by then.
  own.push(...before.filter((one) => one.name === name).map(textOf));
  const lines = content.toString("latin1").split(/\r?\n/u);
  return lines.some(
    (line) =>
      line.length >= leastLineLength &&
      !own.some((text) => text.includes(line)) &&
      others.some((text) => text.split(/\r?\n/u).includes(line)),
  );
}

/** The last lines where they are long enough to tell, otherwise the end as one text. */
function lastLines(content: Buffer): string[] {
  const text = content.toString("latin1");
  const lines = text
    .split(/\r?\n/u)
    .filter((line) => line !== "")
    .slice(-lastLineCount);
  const areTelling = lines.length > 0 && lines.every(({ length }) => length >= leastLineLength);
  return (areTelling ? lines : [text]).map((line) => line.slice(-mostEndBytes));
}

/** The path of the file, and those of the folders around it. */
function pathsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Folders and files that all of the logs have, where these differ otherwise: a bundle names its own ones. */
function commonPaths(logs: readonly (readonly ZipEntry[])[]): ReadonlySet<string> {
  const all = logs.map((log) => new Set(log.flatMap(({ name }) => pathsOf(name))));
  const common = all.reduce((sum, paths) => sum.intersection(paths), all[0] ?? new Set<string>());
  return all.every((paths) => paths.size === common.size) ? new Set() : common;
}

/** Whether a part of the path, but one of the common paths, is the name, with or without an extension. */
export function isNamedAfter(path: string, name: string, common: ReadonlySet<string> = new Set()): boolean {
  return pathsOf(path).some((inner) => {
    const part = inner.slice(inner.lastIndexOf("/") + 1);
    return !common.has(inner) && (part === name || part.replace(/\.[a-z0-9.]*$/u, "") === name);
  });
}
