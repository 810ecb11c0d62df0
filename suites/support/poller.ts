// The app or service of the gateway that polls a field device, for cases that stop it.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { FieldDevice } from "../../rigs/index.ts";

export interface Poller {
  /** `service modbusmaster`, `app cloud-agent`. */
  readonly name: string;
  stop(): Promise<Answer>;
  start(): Promise<Answer>;
}

/** The service that polls Modbus where the rack file names no other. */
const defaultService = "modbusmaster";

/** By the rack file (`polledBy`); undefined where that names none and no default exists, or where the profile forbids it. */
export function pollerOf(
  { gateway: { admin }, declares }: Pick<CaseContext, "gateway" | "declares">,
  { kind, polledBy }: Pick<FieldDevice, "kind" | "polledBy">,
): Poller | undefined {
  const { app } = polledBy ?? {};
  if (app !== undefined) {
    if (!declares("apps") || !declares("app-operations")) return undefined;
    const operate = (action: "stop" | "start"): Promise<Answer> =>
      admin.call("operateApp", { path: { appname: app, action } });
    return { name: `app ${app}`, stop: () => operate("stop"), start: () => operate("start") };
  }
  const id = polledBy?.service ?? (kind === "opcua" ? undefined : defaultService);
  if (id === undefined || !declares("services")) return undefined;
  return {
    name: `service ${id}`,
    stop: () => admin.call("disableService", { path: { id } }),
    start: () => admin.call("enableService", { path: { id } }),
  };
}
