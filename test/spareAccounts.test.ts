// Where the interface removes no accounts, the cases of one campaign share theirs.
import { expect, test } from "vitest";
import { CaseScratch } from "../harness/campaign/scratch.ts";
import { Recorder } from "../harness/campaign/recorder.ts";
import { Spares } from "../harness/campaign/spares.ts";
import { GatewayConnection } from "../harness/client/connection.ts";
import { monotonicClock } from "../harness/clock.ts";
import { seededRandom } from "../harness/suite/random.ts";
import { embeddedProfile } from "../cli/support/referenceProfile.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = "Spare-accounts-1!";

test("a case uses the role and the user of an ended one, with a password of its own", async () => {
  await using running = await startProcessGateway({ adminPassword });
  const whole = await embeddedProfile(adminPassword, undefined, []);
  const profile = { ...whole, extensions: new Map<never, never>() };
  await using connection = new GatewayConnection(running, profile, monotonicClock);
  const gateway = connection.view(new Recorder(), new AbortController().signal);
  const spares = new Spares();
  const rejected = new Set<string>();
  const begin = (): CaseScratch =>
    new CaseScratch(gateway, profile, seededRandom(1, "spare accounts"), undefined, {
      spares,
      wasRejected: (name) => rejected.has(name),
    });
  const failed: string[] = [];
  const end = (scratch: CaseScratch): Promise<void> =>
    scratch.clean((what, reason) => failed.push(`${what}: ${reason}`));

  const first = begin();
  const former = await first.user({ permissions: ["SYS_USER_RW"] });
  await end(first);
  await expect(former.signIn()).rejects.toThrow("401");

  const second = begin();
  const user = await second.user({ permissions: ["SYS_MAINTENANCE_RW"] });
  expect({ id: user.id, roleId: user.roleId }).toEqual({ id: former.id, roleId: former.roleId });
  const shown = (await (await user.signIn()).call("getCurrentUser")).data();
  expect(shown.permissions).toEqual(["SYS_MAINTENANCE_RW"]);
  rejected.add(user.name);
  await end(second);

  const third = begin();
  const other = await third.user();
  // Gateways lock users whose sign-in failed.
  expect(other.id).not.toBe(former.id);
  expect(other.roleId).toBe(former.roleId);
  await end(third);

  // As after a reset that removed the role and gave its id to another one.
  const json = { name: "of-somebody-else", description: "", permissions: [] };
  (await gateway.admin.call("updateRole", { path: { id: former.roleId }, json })).data();
  const fourth = begin();
  expect((await fourth.role([])).id).not.toBe(former.roleId);
  await end(fourth);
  expect(failed).toEqual([]);
});
