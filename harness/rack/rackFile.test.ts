import { expect, test } from "vitest";
import { parseRack } from "./rackFile.ts";

const text = "gateways:\n  left:\n    url: http://192.0.2.1\n    profile: ../profiles/left.yaml\n";

test("a gateway is found by its name, its profile beside the rack file", () => {
  expect(parseRack(text, "/lab/racks/a.yaml", "left")).toEqual({
    name: "left",
    url: "http://192.0.2.1",
    profileFile: "/lab/profiles/left.yaml",
  });
});

test.each([
  [text, "right", /rack a\.yaml: no gateway right; there are left/],
  [
    "gateways:\n  left:\n    url: 192.0.2.1\n    profile: p\n",
    "left",
    /rack a\.yaml:3: gateways\.left\.url: expected /,
  ],
  [
    "gateways:\n  left:\n    url: http://x\n    profile: p\n    colour: red\n",
    "left",
    /rack a\.yaml:5: gateways\.left\.colour: /,
  ],
])("a wrong rack file or name is refused with its place: %j %s", (wrong, name, message) => {
  expect(() => parseRack(wrong, "a.yaml", name)).toThrow(message);
});
