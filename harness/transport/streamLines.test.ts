import { expect, test } from "vitest";
import { StreamLines } from "./streamLines.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const numbered = (count: number): StreamLines => {
  const lines = new StreamLines(1000);
  for (let number = 1; number <= count; number++)
    lines.push(bytes(`data:${number}\n\n`), 1000 + number * 100);
  return lines;
};

test("a transcript has the lines before and after the moment, with times after the opening", () => {
  const { checkedAtMs, lines } = numbered(30).around(3000);
  expect(checkedAtMs).toBe(2000);
  expect(lines.map(({ line }) => line)).toEqual(
    Array.from({ length: 12 }, (_, index) => `data:${13 + index}`),
  );
  expect(lines[0]?.atMs).toBe(1300);
});

test("a line that arrives in parts has the time of its end, and characters may be split", () => {
  const lines = new StreamLines(0);
  const text = bytes("data:é\r\ndata:2\nrest");
  lines.push(text.subarray(0, 6), 10);
  lines.push(text.subarray(6), 20);
  expect(lines.around(100).lines).toEqual([
    { line: "data:é", atMs: 20 },
    { line: "data:2", atMs: 20 },
    { line: "rest", atMs: 20 },
  ]);
});

test("secrets are masked, long lines are cut, and the end of the stream is shown", () => {
  const lines = new StreamLines(0);
  lines.push(bytes(`data:{"token":"abc"}\ndata:${"x".repeat(500)}\n`), 5);
  lines.end(7);
  const { endedAtMs, lines: kept } = lines.around(9);
  expect(endedAtMs).toBe(7);
  expect(kept[0]?.line).toBe('data:{"token":"********"}');
  expect(kept[1]?.line).toMatch(/^data:x{395}\.\.\. \(505 characters\)$/);
});

test("a long stream leaves its last bytes only", () => {
  const lines = new StreamLines(0);
  for (let number = 0; number < 100; number++) lines.push(bytes(`${number} ${"x".repeat(10_000)}\n`), number);
  expect(lines.around(0).lines.map(({ line }) => line.split(" ")[0])).toEqual(["74", "75", "76", "77"]);
});
