import { type FleetHistory, type Notice, sha256 } from "../../record/index.ts";
import { type AlertRule, alertsOf } from "./alerts.ts";

export interface NoticeWish {
  readonly history: FleetHistory;
  readonly rule: AlertRule;
  /** The rack file, or `fleet`. */
  readonly source: string;
  readonly page?: string;
}

/** What the last night of the history has changed; undefined without a night. */
export function noticeOf({ history, rule, source, page }: NoticeWish): Notice | undefined {
  const night = history.nights.at(-1);
  if (night === undefined) return undefined;
  const { changes, open } = alertsOf(history, rule);
  return {
    format: "rackproof/notice@1",
    id: sha256(`${source} ${night.id} ${night.startedAt}`).slice(0, 32),
    event: "night",
    source,
    night: night.id,
    startedAt: night.startedAt,
    ...(night.exitCode === undefined ? {} : { exitCode: night.exitCode }),
    alerts: changes,
    open,
    ...(page === undefined ? {} : { page }),
  };
}

/** A notice that only tries the channels. */
export function testNotice(startedAt: string, page?: string): Notice {
  return {
    format: "rackproof/notice@1",
    id: sha256(`test ${startedAt}`).slice(0, 32),
    event: "test",
    source: "rackproof notify --test",
    night: 0,
    startedAt,
    alerts: [],
    open: 0,
    ...(page === undefined ? {} : { page }),
  };
}
