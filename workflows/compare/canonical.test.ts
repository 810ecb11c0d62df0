import { expect, test } from "vitest";
import { behaviour } from "../../interface/behaviour/index.ts";
import type { Profile } from "../../harness/profile/profile.ts";
import { parseProfile } from "../../harness/profile/load.ts";
import { canonical } from "./canonical.ts";
import { Names } from "./names.ts";
import { observe, type Observation } from "./observation.ts";

function profileOf(provider: string): Profile {
  const text = `name: any\ncredentials: { name: admin, password: x }\nvirtualTags: { provider: "${provider}", source: s }`;
  return parseProfile(text, "the test", { environment: {} });
}

/** The words of a gateway that gave the ids 10 times as high as its number says. */
function namesOf(gateway: number): Names {
  const names = new Names(profileOf(`provider${gateway}`), "play");
  names.made("role1", "role", gateway * 10);
  names.made("role2", "role", gateway * 10 + 1);
  names.made("user1", "user", gateway * 100);
  return names;
}

function userOf(gateway: number, more: Record<string, unknown>): Record<string, unknown> {
  const roles = [
    { id: gateway * 10, name: "rp-play-role1" },
    { id: gateway * 10 + 1, name: "rp-play-role2" },
  ];
  return {
    id: gateway * 100,
    name: "rp-play-user1",
    email: null,
    isActive: true,
    expiredAfter: "2099-01-01T00:00:00Z",
    changedPasswordAt: null,
    createdAt: "2026-01-01T00:00:00Z",
    loginAt: "0001-01-01T00:00:00Z",
    permissions: ["SYS_USER_RW", "SYS_MAINTENANCE_RW"],
    roles,
    ...more,
  };
}

function textsOf(observations: readonly Observation[]): Record<string, string> {
  return Object.fromEntries(observations.map(({ thing, field, text }) => [`${thing}.${field}`, text]));
}

function shownBy(gateway: number, more: Record<string, unknown> = {}): Record<string, string> {
  const known = behaviour("listUsers");
  if (known === undefined) throw new Error("listUsers has no behaviour");
  const body = { count: 1, data: [userOf(gateway, more)] };
  return textsOf(observe(body, known, namesOf(gateway), undefined));
}

test("ids, times of the gateway's clock, orders and unknown fields make no difference", () => {
  const other = userOf(2, {});
  const differently = {
    vendorNote: "more than the interface has",
    createdAt: "2031-07-07T07:07:07+02:00",
    expiredAfter: "2099-01-01T02:00:00+02:00",
    permissions: ["SYS_MAINTENANCE_RW", "SYS_USER_RW"],
    roles: (other["roles"] as unknown[]).toReversed(),
  };
  expect(shownBy(2, differently)).toEqual(shownBy(1));
});

test("what the interface states makes a difference", () => {
  const same = shownBy(1);
  for (const more of [
    { email: "a@example.com" },
    { expiredAfter: "2099-01-01T00:00:01Z" },
    { expiredAfter: null },
    { loginAt: "2026-01-01T00:00:00Z" },
    { changedPasswordAt: "2026-01-01T00:00:00Z" },
    { permissions: ["SYS_USER_RW"] },
    { roles: [] },
    { isActive: false },
  ])
    expect({ more, shown: shownBy(2, more) }).not.toEqual({ more, shown: same });
});

test("a thing that is in a list twice, and one that is missing, change the list's members", () => {
  const known = behaviour("listUsers");
  if (known === undefined) throw new Error("listUsers has no behaviour");
  const members = (count: number): string | undefined => {
    const data = Array.from({ length: count }, () => userOf(1, {}));
    return textsOf(observe({ count, data }, known, namesOf(1), undefined))["list of user.members"];
  };
  expect([members(0), members(1), members(2)]).toEqual(["[]", '["user1"]', '["user1","user1"]']);
});

test("things left by another play are not compared", () => {
  const known = behaviour("listUsers");
  if (known === undefined) throw new Error("listUsers has no behaviour");
  const left = { ...userOf(1, {}), id: 7, name: "rp-other-user1" };
  const seen = observe({ count: 1, data: [left] }, known, namesOf(1), undefined);
  expect(textsOf(seen)).toEqual({ "list of user.members": "[]" });
});

test("64-bit values keep every digit, and numbers that are sent as texts are numbers", () => {
  const names = namesOf(1);
  expect(canonical("tag", "dataValue", 18_446_744_073_709_551_615n, names)).toBe("18446744073709551615");
  expect(canonical("tag", "dataValue", 18_446_744_073_709_551_614n, names)).toBe("18446744073709551614");
  expect(canonical("log", "desiredDiskCacheSizeMB", "64", names)).toBe("64");
  expect(canonical("log", "desiredDiskCacheSizeMB", 64, names)).toBe("64");
  expect(canonical("tag", "prvdName", "provider1", names)).toBe(
    canonical("tag", "prvdName", "provider2", namesOf(2)),
  );
});
