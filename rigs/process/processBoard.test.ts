// Power of a gateway that is a process: after a cut no process or socket of the gateway remains.
import { expect, test } from "vitest";
import { lifeOf } from "../remote/lifeSigns.ts";
import { startProcessGateway } from "./processGateway.ts";

test("in the moment after a cut nothing takes a connection", async () => {
  await using gateway = await startProcessGateway({ adminPassword: "Cut-at-once-1" });
  const { power, baseUrl } = gateway;
  if (power === undefined) throw new Error("a process gateway has power");
  const life = lifeOf(baseUrl);
  const seen: boolean[] = [];
  for (let cut = 1; cut <= 5; cut++) {
    await power.cut();
    // A single try.
    seen.push(await life.isAlive(0));
    await power.restore();
    expect(await life.isAlive(15_000)).toBe(true);
  }
  expect(seen).toEqual([false, false, false, false, false]);
}, 90_000);
