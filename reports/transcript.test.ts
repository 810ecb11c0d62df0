import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeReports } from "./registry.ts";
import { exchangesOf, record, transcript } from "./testing/hostileRecord.ts";
import { transcriptLines } from "./text/transcriptText.ts";
import { summaryText } from "./text/terminal.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-transcript-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("puts the check and the end of the stream in their places among the lines", () => {
  expect(transcriptLines(transcript).map((line) => line.slice(0, 30))).toEqual([
    expect.stringMatching(/^0\.251 s {2}data:\{"dataValue":11/),
    "1.400 s  (end of the stream)",
    "1.500 s  (the check)",
    "1.600 s  data:late",
  ]);
});

it.each(["report.html", "junit.xml", "summary.md"])(
  "shows the stream around a failed check in %s",
  async (name) => {
    expect(await writeReports(record, exchangesOf, folder)).toEqual([]);
    const text = await readFile(join(folder, name), "utf8");
    expect(text).toMatch(/0\.251 s {2}data:\{(?:"|&quot;)dataValue(?:"|&quot;):11/);
    expect(text).toContain("1.400 s  (end of the stream)");
    expect(text).toContain("1.500 s  (the check)");
  },
);

it("shows the nearest lines in the closing summary", () => {
  const text = summaryText(record, { width: 80, colours: false });
  expect(text).toMatch(/stream +0\.251 s {2}data:\{"dataValue":11/);
  expect(text).toContain("1.500 s  (the check)");
  expect(text.split("\n").every((line) => line.length <= 80 || /curl|reproduce/.test(line))).toBe(true);
});
