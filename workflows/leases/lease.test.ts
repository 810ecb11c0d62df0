import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { Lease } from "./lease.ts";
import { LeaseStore } from "./leaseStore.ts";

const wish = {
  gateway: "left",
  wires: ["gateway http://192.0.2.1", "console /dev/ttyUSB0"],
  owner: "a test",
};

test("a wire has one holder, who is named, and the next one's number is larger", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "leases.db");
  const first = Lease.take({ ...wish, file });
  expect(() => Lease.take({ ...wish, gateway: "right", wires: ["console /dev/ttyUSB0"], file })).toThrow(
    /gateway right: in use by a test since .* \(lease 1\)/,
  );
  using other = Lease.take({ ...wish, wires: ["gateway http://192.0.2.2"], file });
  first.check("cut the power");
  first[Symbol.dispose]();
  using second = Lease.take({ ...wish, file });
  expect([first.fence, other.fence, second.fence]).toEqual([1, 2, 3]);
});

test("a holder delayed beyond the expiry can no longer act, and the present holder is named", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "leases.db");
  let nowMs = 1000;
  using store = new LeaseStore(file, () => nowMs);
  const taken = (id: string) =>
    store.take({ id, owner: id, gateway: "left", wires: wish.wires, ttlMs: 30_000, limitMs: 100_000 });
  expect(taken("late")).toMatchObject({ taken: { fence: 1, expiresMs: 31_000 } });
  expect(taken("next")).toMatchObject({ heldBy: { owner: "late" } });
  nowMs = 31_001;
  expect(taken("next")).toMatchObject({ taken: { fence: 2 } });
  expect(store.renew("late", 30_000)).toBeUndefined();
  expect(store.find("late")).toBeUndefined();
  expect(store.find("next")?.fence).toBe(2);
});

test("no heartbeat extends a lease beyond its limit", async () => {
  await using folder = await temporaryFolder();
  const hold = { ...wish, ttlMs: 200, limitMs: 400 };
  using lease = Lease.take({ ...hold, file: join(folder.path, "leases.db") });
  const startedMs = performance.now();
  await vi.waitFor(() => expect(lease.lost.aborted).toBe(true), { timeout: 5000, interval: 10 });
  expect(performance.now() - startedMs).toBeGreaterThan(350);
  expect(() => lease.check("cut the power")).toThrow(/lease 1 was lost: it expired; cannot cut the power/);
});

test("a holder that was killed holds nothing, and what it started is refused", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "leases.db");
  const module = new URL("lease.ts", import.meta.url).href;
  const program = `const { Lease } = await import(${JSON.stringify(module)});
    const lease = Lease.take(${JSON.stringify({ ...wish, owner: "the victim", file })});
    console.log(lease.environment.RACKPROOF_LEASE); setInterval(() => {}, 1000);`;
  const victim = execa(process.execPath, ["--input-type=module", "-e", program], { reject: false });
  const id = await new Promise<string>((resolve) =>
    victim.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString().trim())),
  );
  expect(() => Lease.take({ ...wish, file })).toThrow("in use by the victim");
  using adopted = Lease.takeOrAdopt({ ...wish, file }, { RACKPROOF_LEASE: id });
  adopted.check("send a request");
  victim.kill("SIGKILL");
  await victim;
  using next = Lease.take({ ...wish, file });
  expect(next.fence).toBe(2);
  expect(() => adopted.check("cut the power")).toThrow(/now in use by a test, lease 2; cannot cut the power/);
});
