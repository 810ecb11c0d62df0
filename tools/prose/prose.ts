// Reads guides and sources and reports words that the term list replaces, and sentences that break a rule of form.
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import { MarkdownProcessor } from "@textlint/textlint-plugin-markdown/lib/src/MarkdownProcessor.js";
import { rooms } from "../importDirection.ts";
import { placesOf, type Place, type PlaceKind } from "./places.ts";
import { termRule, wordList } from "./termRule.ts";
import { allowed, notRead, terms } from "./terms.ts";
import { typescriptText } from "./typescriptText.ts";

/** What is read when no folder is named: the guides and every folder with sources. */
export const everything = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "docs",
  ...rooms,
  "test",
  "bench",
  "tools",
  "bin",
] as const;

export interface ProseReport {
  readonly filesRead: number;
  /** How many comments, texts and names of sources were read, and how many guides. */
  readonly read: Readonly<Record<PlaceKind | "guide", number>>;
  /** One line each: file, line, column, the words, what to use instead. */
  readonly findings: readonly string[];
}

/** Checks these files and folders below the root. */
export async function checkProse(
  root: string,
  places: readonly string[] = everything,
  list: Parameters<typeof wordList> = [terms, allowed],
): Promise<ProseReport> {
  const kernel = new TextlintKernel();
  const words = wordList(...list);
  const read = { comment: 0, text: 0, word: 0, name: 0, statement: 0, title: 0, guide: 0 };
  const findings: string[] = [];
  const files = await filesBelow(root, places);
  for (const file of files) {
    const text = await readFile(join(root, file), "utf8");
    const isSource = !file.endsWith(".md");
    const inFile: { line: number; column: number; message: string }[] = [];
    if (isSource) {
      for (const place of placesOf(file, text)) {
        read[place.kind] += 1;
        const message = formOf(place);
        if (message !== undefined) inFile.push({ ...positionOf(text, place.start), message });
      }
    } else read.guide += 1;
    const { messages } = await kernel.lintText(text, {
      ext: isSource ? ".ts" : ".md",
      filePath: file,
      plugins: [
        { pluginId: "markdown", plugin: { Processor: MarkdownProcessor } },
        { pluginId: "typescript", plugin: typescriptText },
      ],
      rules: [{ ruleId: "terms", rule: termRule(file, words) }],
    });
    for (const { message, loc } of messages) inFile.push({ ...loc.start, message });
    inFile.sort((one, other) => one.line - other.line || one.column - other.column);
    findings.push(...inFile.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`));
  }
  // Only a reading of everything can tell that an exception is needed no more.
  if (places === everything)
    for (const { text } of words.unused())
      findings.push(`tools/prose/terms.ts: the exception "${text}" excuses no text; remove it`);
  return { filesRead: files.length, read, findings };
}

/** Rules of form for requirement statements and case titles. */
function formOf({ kind, text }: Place): string | undefined {
  const count = text.trim().split(/\s+/).length;
  if (kind === "title" && count > 14) return `a case title has at most 14 words, this one has ${count}`;
  if (kind === "title" && text.trim().endsWith(".")) return "a case title ends without a full stop";
  if (kind !== "statement") return undefined;
  const weak = /(?<![\w`])(also|just|so)(?!\w)/i.exec(text)?.[1];
  if (weak !== undefined) return `a requirement statement contains no "${weak}"`;
  return text.trimEnd().endsWith(".") ? undefined : "a requirement statement ends with a full stop";
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

async function filesBelow(root: string, places: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const place of places) {
    const path = join(root, place);
    const entry = await stat(path).catch(() => undefined);
    if (entry?.isDirectory() === true) {
      const below = await readdir(path, { recursive: true, withFileTypes: true });
      found.push(...below.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name)));
    } else if (entry !== undefined) found.push(path);
  }
  return found
    .map((path) => relative(root, path).split(sep).join("/"))
    .filter(
      (file) => /\.(ts|mjs|md)$/.test(file) && !file.includes("node_modules/") && !notRead.includes(file),
    )
    .toSorted();
}
