// The app or service of the gateway that polls a field device, for cases that stop it.
import type { Answer, CaseContext } from "../../harness/index.ts";
import type { FieldDevice } from "../../rigs/index.ts";

export interface Poller {
  /** `service modbusmaster`, `app cloud-agent`. */
  readonly name: string;
  stop(): Promise<Answer>;
  start(): Promise<Answer>;
}

type PollerContext = Pick<CaseContext, "gateway" | "declares" | "waitFor" | "profile">;

/** The service that polls Modbus where the rack file names no other. */
const defaultService = "modbusmaster";

/** By the rack file (`polledBy`); undefined where that names none and no default exists, or where the profile forbids it. */
export function pollerOf(
  { gateway: { admin }, declares, waitFor, profile }: PollerContext,
  { kind, polledBy }: Pick<FieldDevice, "kind" | "polledBy">,
): Poller | undefined {
  const { app } = polledBy ?? {};
  if (app !== undefined) {
    if (!declares("apps") || !declares("app-operations")) return undefined;
    const path = { appname: app };
    // An app may reject an action while another one is under way, and the start of a started one.
    const settled = async (): Promise<Answer<"getApp">> => {
      let shown = await admin.call("getApp", { path });
      const isSettled = async (): Promise<true | undefined> => {
        if (!shown.accepted || !shown.data().state.endsWith("ing")) return true;
        shown = await admin.call("getApp", { path });
        return undefined;
      };
      const deadlineMs =
        profile.apps === undefined ? profile.patience.settleMs : profile.apps.settleSec * 1000;
      await waitFor(`the app ${app} to settle`, isSettled, { deadlineMs }).catch(() => undefined);
      return shown;
    };
    const operate = async (action: "stop" | "start"): Promise<Answer> => {
      const shown = await settled();
      const isStarted = shown.accepted && shown.data().state === "ready";
      return action === "start" && isStarted
        ? shown
        : admin.call("operateApp", { path: { ...path, action } });
    };
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
