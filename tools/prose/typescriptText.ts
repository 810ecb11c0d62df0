// A textlint plugin: a TypeScript file as a text whose sentences are its comments and strings.
import type { TextlintKernelPlugin } from "@textlint/kernel";
import { placesOf, type Place } from "./places.ts";

type Processor = InstanceType<TextlintKernelPlugin["plugin"]["Processor"]>;
type Tree = Exclude<Awaited<ReturnType<ReturnType<Processor["processor"]>["preProcess"]>>, { text: string }>;

export const typescriptText: TextlintKernelPlugin["plugin"] = {
  Processor: class implements Processor {
    availableExtensions(): string[] {
      return [".ts"];
    }
    processor(): ReturnType<Processor["processor"]> {
      return {
        preProcess: (text, file = "") => treeOf(text, placesOf(file, text)),
        postProcess: (messages, filePath = "") => ({ messages, filePath }),
      };
    }
  },
};

/** Names are nodes of the type that code in a Markdown text has. */
const nodeTypes = {
  comment: "Comment",
  name: "Code",
  text: "Str",
  word: "Str",
  statement: "Str",
  title: "Str",
} as const;

function treeOf(source: string, places: readonly Place[]): Tree {
  const starts = [0, ...source.matchAll(/\n/g).map(({ index }) => index + 1)];
  const positionOf = (offset: number): { line: number; column: number } => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) };
  };
  const spanOf = (start: number, end: number) => ({
    raw: source.slice(start, end),
    range: [start, end] as const,
    loc: { start: positionOf(start), end: positionOf(end) },
  });
  return {
    type: "Document",
    ...spanOf(0, source.length),
    children: places.map(({ kind, start, end, text }) => ({
      type: nodeTypes[kind],
      value: text,
      ...spanOf(start, end),
    })),
  };
}
