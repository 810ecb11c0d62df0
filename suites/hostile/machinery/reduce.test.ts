// Reduction of a hostile request to the parts that reproduce its fault.
import { expect, test } from "vitest";
import { reduce } from "./reduce.ts";
import type { HostileRequest } from "./request.ts";
import type { HostileTarget } from "./target.ts";

const reduced = async (body: string, freedom: HostileTarget["freedom"], shows: RegExp): Promise<string> => {
  const request = { headers: [], target: "/x", body } as unknown as HostileRequest;
  const smallest = await reduce(request, { freedom } as unknown as HostileTarget, (candidate) =>
    Promise.resolve(shows.test(candidate.body ?? "")),
  );
  return smallest.body ?? "";
};

test.each([
  ["a notation that parsing would lose", '{"enable":false,"port":-0}', /"port":-0/, '{"port":-0}'],
  ["a body that is not JSON", '{"enable":false,"port":[}', /"port":\[/, '{"port":[}'],
  [
    "commas within strings and lists",
    '{"a":"x,\\"y","b":[1,{"c":2}],"d":3}',
    /"b":\[1,\{"c":2\}\]/,
    '{"b":[1,{"c":2}]}',
  ],
])("members go one by one, and %s stays", async (_what, body, shows, smallest) => {
  expect(await reduced(body, {}, shows)).toBe(smallest);
});

test("a member that keeps the request harmless is never removed", async () => {
  expect(await reduced('{"apply":false,"port":"x"}', { apply: "fixed" }, /"port"/)).toBe(
    '{"apply":false,"port":"x"}',
  );
});
