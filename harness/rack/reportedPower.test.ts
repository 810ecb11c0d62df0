import { expect, test } from "vitest";
import { HarnessFault, Unmet } from "../../record/index.ts";
import { type PowerControl, makeSwitch, provenPower } from "../../rigs/index.ts";
import { reportedPower } from "./reportedPower.ts";
import { checkSecrets } from "./secrets.ts";

const life = { isAlive: () => Promise.resolve(true), isDead: () => Promise.resolve(true) };

function controlOf(settings: Parameters<typeof makeSwitch>[0]): PowerControl {
  const bench = { environment: {}, terminal: { isPresent: false, ask: () => Promise.resolve(undefined) } };
  return reportedPower(provenPower({ power: makeSwitch(settings, bench), life, confirmWithinMs: 0 }));
}

test("a switch that fails is an error of the lab with a code", async () => {
  const gone = controlOf({ driver: "command", on: ["/nonexistent"], off: ["/nonexistent"] });
  const unreachable = await gone.cut().catch((thrown: unknown) => thrown);
  expect(unreachable).toBeInstanceOf(HarnessFault);
  expect(unreachable).toMatchObject({ reasonCode: "switch-unreachable" });
  const stuck = controlOf({ driver: "command", on: ["true"], off: ["true"], read: ["echo", "on"] });
  await expect(stuck.cut()).rejects.toMatchObject({
    name: "HarnessFault",
    reasonCode: "switch-unconfirmed",
    message: "command true was switched off and reports on after 0 s",
  });
  await expect(stuck.restore()).resolves.toMatchObject({ low: expect.any(Number) as number });
});

test("a case that needs a person is inconclusive where none can be asked", async () => {
  const plug = controlOf({ driver: "manual", what: "the plug" });
  const thrown = await plug.cut().catch((failure: unknown) => failure);
  expect(thrown).toBeInstanceOf(Unmet);
  expect(thrown).toMatchObject({
    reasonCode: "nobody-acted",
    message:
      "the plug (by hand) cannot be switched off: this run has no terminal at which a person could be asked",
  });
});

test("secrets that switches need are checked before the run", () => {
  const gateway = {
    kind: "remote",
    name: "left",
    url: "http://192.0.2.1",
    profileFile: "p.yaml",
    power: {
      driver: "snmp",
      host: "192.0.2.2",
      outlet: 1,
      model: "apc-rpdu",
      v3: { user: "lab", authEnvironment: "AUTH", privacyEnvironment: "PRIVACY" },
    },
    reset: { driver: "tasmota", url: "http://192.0.2.3", passwordEnvironment: "PLUG" },
  } as const;
  expect(() => checkSecrets(gateway, { AUTH: "x", PLUG: "" })).toThrow(
    expect.objectContaining({
      code: "RACK_SECRET",
      message: "rack: no secret for the power switch of left",
      fix: "set the environment variable PRIVACY and PLUG",
    }) as Error,
  );
  expect(() => checkSecrets(gateway, { AUTH: "x", PRIVACY: "y", PLUG: "z" })).not.toThrow();
});
