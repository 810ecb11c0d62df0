import { expect, test } from "vitest";
import { timelineView } from "./timelineView.ts";

test("every speaker has a lane, every entry a mark at its time and a line in words", () => {
  const { markup } = timelineView({
    title: "The restart",
    entries: [
      { atMs: 0, who: "harness", what: "setReboot asked" },
      { atMs: 500, who: "console", what: "<rebooting>" },
      { atMs: 1000, who: "emulator", what: "reset: RESET", uncertainMs: 150 },
    ],
  });
  expect(markup.match(/class="lane">[^<]+/g)).toEqual([
    'class="lane">harness',
    'class="lane">console',
    'class="lane">emulator',
  ]);
  const marks = [...markup.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  // Half of the time lies half way between the first mark and the last.
  expect(marks).toEqual([130, 515, 900]);
  expect(markup).toContain("<td>&lt;rebooting&gt;</td>");
  expect(markup).toContain("or up to 150 ms earlier");
});
