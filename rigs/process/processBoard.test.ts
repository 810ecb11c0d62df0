// Power of a gateway that is a process: when a cut is over, nothing of the gateway is there any more.
import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startProcessGateway } from "./processGateway.ts";

test("in the moment after a cut nothing takes a connection any more", async () => {
  await using gateway = await startProcessGateway({ adminPassword: "Cut-at-once-1" });
  const { power, baseUrl } = gateway;
  if (power === undefined) throw new Error("a process gateway has power");
  const port = Number(new URL(baseUrl).port);
  const seen: string[] = [];
  for (let cut = 1; cut <= 5; cut++) {
    await power.cut();
    seen.push(await connection(port));
    await power.restore();
    await expect.poll(() => connection(port), { timeout: 15_000, interval: 50 }).toBe("taken");
  }
  expect(seen).toEqual(Array.from({ length: 5 }, () => "ECONNREFUSED"));
}, 90_000);

async function connection(port: number): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return "taken";
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
  } finally {
    socket.destroy();
  }
}
