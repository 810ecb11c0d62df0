// Group 3: provisioning, which can disable itself after a time.
import Type from "typebox";
import { ProvisionConfiguration } from "../../../interface/resources/provision.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { data } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";

const Settings = Type.Object({
  configuration: ProvisionConfiguration,
  dueMs: Type.Union([Type.Null(), Type.Number()]),
});

export function createProvision(foundation: Foundation): Group {
  const { clock } = foundation;
  const settings = openSetting(foundation.store, "provision", Settings, () => ({
    configuration: { enable: false, schedule: { enable: false, disableAfterSec: 900 } },
    dueMs: null,
  }));
  let timer: Disposable | undefined;
  let steps: Disposable | undefined;

  const disable = (): void => {
    const { configuration } = settings.get();
    settings.set({ configuration: { ...configuration, enable: false }, dueMs: null });
    foundation.log("system", "provisioning was disabled by its schedule");
  };
  const arm = (): void => {
    timer?.[Symbol.dispose]();
    const { dueMs } = settings.get();
    timer = dueMs === null ? undefined : clock.after(dueMs - clock.nowMs(), disable);
  };
  const store = (configuration: ProvisionConfiguration): void => {
    const { enable, schedule } = configuration;
    const dueMs = enable && schedule.enable ? clock.nowMs() + schedule.disableAfterSec * 1000 : null;
    settings.set({ configuration, dueMs });
    arm();
  };
  const present = (): ProvisionConfiguration => settings.get().configuration;

  return {
    handlers: {
      getProvision: () => data(present()),
      setProvision(call) {
        const body = call.body as {
          enable?: boolean;
          schedule?: { enable?: boolean; disableAfterSec?: number };
        };
        const before = present();
        const disableAfterSec = body.schedule?.disableAfterSec ?? before.schedule.disableAfterSec;
        if (disableAfterSec < 0 || disableAfterSec > 2 ** 31)
          throw badInput(`schedule.disableAfterSec: expected 0 or more seconds, found ${disableAfterSec}`);
        store({
          enable: body.enable ?? before.enable,
          schedule: { enable: body.schedule?.enable ?? before.schedule.enable, disableAfterSec },
        });
        return data(present());
      },
    },
    services: [
      {
        id: "provision",
        isAvailable: () => true,
        isEnabled: () => present().enable,
        switchTo: (enable) => store({ ...present(), enable }),
      },
      {
        id: "provisionschedule",
        isAvailable: () => true,
        isEnabled: () => present().schedule.enable,
        switchTo: (enable) => store({ ...present(), schedule: { ...present().schedule, enable } }),
      },
    ],
    settings: [settings],
    resetParts: [
      {
        scopes: ["provision"],
        reset() {
          settings.reset();
          arm();
        },
      },
    ],
    start() {
      arm();
      // The schedule counts seconds, whatever the wall clock does meanwhile.
      steps = clock.onStep((byMs) => {
        const { configuration, dueMs } = settings.get();
        if (dueMs !== null) settings.set({ configuration, dueMs: dueMs + byMs });
        arm();
      });
    },
    [Symbol.asyncDispose]() {
      steps?.[Symbol.dispose]();
      timer?.[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
