import { expect, test } from "vitest";
import { isInUsualNotation } from "./rawValues.ts";

const written = "AAEC/w==";

test.each([[written], ["AAEC/w"], ["AAEC_w=="], ["000102ff"], ["000102FF"], [[0, 1, 2, 255]]])(
  "%j shows the bytes",
  (seen) => expect(isInUsualNotation({ written, seen })).toBe(true),
);

test.each([["AAECDw=="], ["AAEC"], ["0102ff"], [[0, 1, 2]], [null], ["\u0000\u0001\u0002"]])(
  "%j does not show the bytes",
  (seen) => expect(isInUsualNotation({ written, seen })).toBe(false),
);
