// What a case created is removed at its end, also where the gateway rejects a removal at first.
import { expect, test } from "vitest";
import { CaseScratch } from "../harness/campaign/scratch.ts";
import { Recorder } from "../harness/campaign/recorder.ts";
import { GatewayConnection } from "../harness/client/connection.ts";
import { monotonicClock } from "../harness/clock.ts";
import { seededRandom } from "../harness/suite/random.ts";
import { embeddedProfile } from "../cli/support/referenceProfile.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = "In-use-at-first-1!";

test("a role in use is removed after its user; what fails for good is named once, and tried twice only if rejected", async () => {
  await using running = await startProcessGateway({ adminPassword });
  const profile = await embeddedProfile(adminPassword, undefined, []);
  await using connection = new GatewayConnection(running, profile, monotonicClock);
  const gateway = connection.view(new Recorder(), new AbortController().signal);
  const scratch = new CaseScratch(gateway, profile, seededRandom(1, "in use"));
  const { admin } = gateway;
  const former = await scratch.role([]);
  const user = await scratch.user({ roles: [former.id] });
  const later = await scratch.role([]);
  (await admin.call("updateUser", { path: { id: user.id }, json: { roles: [later.id] } })).data();
  const tries = { rejected: 0, thrown: 0 };
  scratch.undo("a user that is unknown", () => {
    tries.rejected += 1;
    return admin.call("getUser", { path: { id: 987_654 } });
  });
  scratch.undo("what throws", () => {
    tries.thrown += 1;
    throw new Error("no answer");
  });

  const failed: string[] = [];
  await scratch.clean((what) => failed.push(what));
  expect(failed).toEqual(["what throws", "a user that is unknown"]);
  expect(tries).toEqual({ rejected: 2, thrown: 1 });
  const left = (await admin.call("listRoles")).data().map(({ id }) => id);
  expect(left).not.toContain(later.id);
  expect(left).not.toContain(former.id);
});
