import { expect, test } from "vitest";
import { groups } from "../vocabulary/groups.ts";
import { operationIds } from "../operations/index.ts";
import { cellKinds } from "./cell.ts";
import { cellById, cells } from "./index.ts";

test("every cell has an id of its own, made of kind, subject and aspect", () => {
  expect(cellById.size).toBe(cells.length);
  for (const { id, kind, subject, aspect } of cells) expect(id).toBe(`${kind}/${subject}/${aspect}`);
});

test("every kind, every group of operations and every operation has cells", () => {
  const all = new Set(cells.map(({ kind }) => kind));
  expect([...all].toSorted()).toEqual(Object.keys(cellKinds).toSorted());
  expect(new Set(cells.map(({ group }) => group)).size).toBe(Object.keys(groups).length - 1);
  const named = new Set(cells.flatMap(({ operations }) => operations));
  expect(operationIds.filter((id) => !named.has(id))).toEqual([]);
});

test.each([
  "param/getEvents.limit/boundary:1",
  "param/getEvents.severities+origins/together",
  "param/createVirtualTag.dataSize/boundary:largest",
  "member/getSsh.port/type",
  "member/getSsh.port/after-write:setSsh",
  "member/listUsers.email/after-write:updateUser",
  "member/getProvision.schedule.enable/unchanged-by:setProvision",
  "member/getUpgradeConfiguration.retryCount/after-reset:upgrade",
  "member/getLog.timeToLiveSec/after-reset:other",
  "list/getEvents/pairs:categories+severities",
  "stream/getEvents.event/filter:severities",
  "stream/monitorTags.onChanged/long",
  "action/upgrade-job/running/suspend",
  "action/service:ntp/enabled/disable",
  "call/createRole/caller:without-permission",
])("%s is determined by the interface", (id) => {
  expect(cellById.get(id)).toMatchObject({ id });
  expect(cellById.get(id)?.excluded).toBeUndefined();
});

test("a cell that is not counted has its reason", () => {
  const excluded = cells.filter((one) => one.excluded !== undefined);
  expect(excluded.length).toBeGreaterThan(0);
  expect(excluded.filter((one) => one.excluded?.text === "")).toEqual([]);
});
