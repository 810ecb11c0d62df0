// The lines of a stream around a check, as text.
import type { Transcript } from "../../record/index.ts";
import { oneLine } from "./visibleText.ts";

/** The lines with their times after the opening of the stream; the check and the end of the stream have lines of their own. */
export function transcriptLines({ checkedAtMs, endedAtMs, lines }: Transcript): string[] {
  const received = lines.map(({ atMs, line }) => ({ atMs, text: oneLine(line) }));
  const last = received.findLastIndex(({ atMs }) => atMs <= checkedAtMs);
  const end = endedAtMs === undefined ? [] : [{ atMs: endedAtMs, text: "(end of the stream)" }];
  const marked = [
    ...received.slice(0, last + 1),
    ...end.filter(({ atMs }) => atMs <= checkedAtMs),
    { atMs: checkedAtMs, text: "(the check)" },
    ...received.slice(last + 1),
    ...end.filter(({ atMs }) => atMs > checkedAtMs),
  ];
  return marked.map(({ atMs, text }) => `${(atMs / 1000).toFixed(3)} s  ${text}`);
}

/** So many of the lines before the check, the check and what follows it. */
export function transcriptTail(transcript: Transcript, before: number, after: number): string[] {
  const lines = transcriptLines(transcript);
  const check = lines.findIndex((line) => line.endsWith("(the check)"));
  return lines.slice(Math.max(0, check - before), check + 1 + after);
}
