import { expect, test } from "vitest";
import { Gallery } from "./charts/gallery.ts";
import { timelineView } from "./timelineView.ts";

test("every speaker has a lane, every entry a mark at its time and a line in words", () => {
  const line = {
    title: "The restart",
    entries: [
      { atMs: 0, who: "harness", what: "setReboot asked" },
      { atMs: 500, who: "console", what: "<rebooting>" },
      { atMs: 1000, who: "emulator", what: "reset: RESET", uncertainMs: 150 },
    ],
  };
  const { markup } = timelineView(line, new Gallery());
  const [wide = ""] = /<svg [^]*?<\/svg>/.exec(markup) ?? [];
  for (const who of ["harness", "console", "emulator"]) expect(wide).toContain(`>${who}</text>`);
  const marks = [...wide.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(marks).toHaveLength(3);
  // Half of the time lies half way between the first mark and the last.
  const [first = 0, middle = 0, last = 0] = marks;
  expect(middle - first).toBeCloseTo(last - middle, 0);
  expect(last).toBeGreaterThan(first);
  expect(wide).toContain("0.500 s console: &lt;rebooting&gt;");
  expect(markup).toContain("<td>&lt;rebooting&gt;</td>");
  expect(markup).toContain("or up to 150 ms earlier");
});
