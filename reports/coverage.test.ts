import { expect, test } from "vitest";
import { coverageLine, share } from "./text/coverageText.ts";

test("a share is rounded down: only all cells are 100 %", () => {
  expect(share({ all: 2000, observed: 1999 })).toBe("99 %");
  expect(share({ all: 2000, observed: 2000 })).toBe("100 %");
  expect(share({ all: 0, observed: 0 })).toBe("0 %");
  expect(coverageLine({ all: 200, observed: 150 })).toBe("150 of 200 cells of the interface observed (75 %)");
});
