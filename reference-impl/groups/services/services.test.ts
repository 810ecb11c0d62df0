import { expect, test } from "vitest";
import type { ServiceList } from "../../../interface/resources/services.ts";
import { callGroup, dataOf, testFoundation } from "../../testing/foundation.ts";
import { createServices } from "./services.ts";

test("a switch is listed in its group with the state it was given", async () => {
  using foundation = testFoundation();
  const group = createServices(foundation, () => []);
  expect(await dataOf(group, "disableService", { path: { id: "lan2" } })).toEqual({ enable: false });
  const { network } = (await dataOf(group, "listServices")) as ServiceList;
  expect(network.find(({ id }) => id === "lan2")).toEqual({ available: true, enable: false, id: "lan2" });
});

test("unavailable services cannot be enabled", async () => {
  using foundation = testFoundation();
  const group = createServices(foundation, () => []);
  await expect(callGroup(group, "enableService", { path: { id: "wifi" } })).rejects.toMatchObject({
    status: 400,
    message: "id: wifi is not available on this device",
  });
});

test("the SSH configuration and the switch sshserver are one state", async () => {
  using foundation = testFoundation();
  const group = createServices(foundation, () => []);
  await callGroup(group, "setSsh", { body: { enable: false, port: 2222 } });
  await callGroup(group, "enableService", { path: { id: "sshserver" } });
  expect(await dataOf(group, "getSsh")).toEqual({ enable: true, port: 2222 });
  for (const port of [0, 65_536]) {
    await expect(callGroup(group, "setSsh", { body: { enable: true, port } })).rejects.toMatchObject({
      status: 400,
    });
  }
});

test("a reset with keep-network-setting restores only the other switches", async () => {
  using foundation = testFoundation();
  const group = createServices(foundation, () => []);
  for (const id of ["lan2", "ntp"]) await callGroup(group, "disableService", { path: { id } });
  for (const part of group.resetParts ?? []) if (part.isNetwork !== true) part.reset();
  const { network, service } = (await dataOf(group, "listServices")) as ServiceList;
  expect(network.find(({ id }) => id === "lan2")?.enable).toBe(false);
  expect(service.find(({ id }) => id === "ntp")?.enable).toBe(true);
});

test.each([
  ["a port that is none", { ssh: { enable: true, port: 70_000 }, services: {} }],
  ["a switch of a part that does not exist", { ssh: { enable: true, port: 22 }, services: { wifi: true } }],
  ["an unknown switch", { ssh: { enable: true, port: 22 }, services: { constructor: true } }],
])("the section system/general refuses %s", (_what, document) => {
  using foundation = testFoundation();
  const [section] = createServices(foundation, () => []).sections ?? [];
  expect(() => section?.check(document)).toThrow(/^system\/general/);
});
