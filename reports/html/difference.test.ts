import { expect, test } from "vitest";
import { marked } from "./difference.ts";
import { html } from "../markup/template.ts";

function markup(expected: string, observed: string): { expected: string; observed: string } {
  const sides = marked(expected, observed);
  return { expected: html`${sides.expected}`.markup, observed: html`${sides.observed}`.markup };
}

test("words that only one side has are marked on their side, and are escaped", () => {
  expect(markup("a <role> of admin", "a <user> of admin")).toEqual({
    expected: "a &lt;<del>role</del>&gt; of admin",
    observed: "a &lt;<ins>user</ins>&gt; of admin",
  });
});

test("within a single value it is the characters", () => {
  expect(markup("57333", "57334")).toEqual({
    expected: "5733<del>3</del>",
    observed: "5733<ins>4</ins>",
  });
});

test("texts that are the same, or have next to nothing in common, are left as they are", () => {
  for (const [expected, observed] of [
    ["same", "same"],
    ["a success (2xx)", '500 {"error":{"code":1}}'],
    ["null", "5"],
  ] as const)
    expect(marked(expected, observed)).toEqual({ expected, observed });
});
