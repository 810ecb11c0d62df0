// Tells people about a night, as the file of --notify says.
import { noticeLines, noticeTitle } from "../../reports/fleet/noticeText.ts";
import { monotonicClock } from "../../harness/index.ts";
import { noticeOf } from "../../workflows/notify/notice.ts";
import { type Notifier, openNotifier } from "../../workflows/notify/notify.ts";
import { readNotifyFile } from "../../workflows/notify/notifyFile.ts";
import { type FleetHistory, messageOf, type Notice, UsageError } from "../../record/index.ts";
import { errorLine } from "./errorLine.ts";

/** Reads the file and its variables; throws a UsageError before the night and not after it. */
export async function openNotify(file: string): Promise<Notifier> {
  return openNotifier(await readNotifyFile(file), { environment: process.env, clock: monotonicClock });
}

/** A channel that fails is reported, and changes no exit code. Answers whether all were reached. */
export async function tellNight(
  notifier: Notifier,
  history: FleetHistory,
  source: string,
  say: (line: string) => void,
): Promise<boolean> {
  const { rule, page } = notifier;
  const notice = noticeOf({ history, rule, source, ...(page === undefined ? {} : { page }) });
  if (notice === undefined) return true;
  return tell(notifier, notice, say);
}

export async function tell(
  notifier: Notifier,
  notice: Notice,
  say: (line: string) => void,
): Promise<boolean> {
  const results = await notifier.tell({ notice, title: noticeTitle(notice), lines: noticeLines(notice) });
  for (const { channel, failure } of results)
    say(failure === undefined ? `notified: ${channel}` : notTold(channel, failure));
  if (results.length === 0) say("nobody notified: no alert and no end of one");
  return results.every(({ failure }) => failure === undefined);
}

function notTold(channel: string, failure: string): string {
  return errorLine(new UsageError("NOTIFY_FAILED", `notify: ${channel}: ${failure}`)).trimEnd();
}

/** After a night: whatever fails here changes no exit code. */
export async function tellAfterNight(
  notifier: Notifier,
  history: () => Promise<FleetHistory>,
  source: string,
  say: (line: string) => void,
): Promise<void> {
  try {
    await tellNight(notifier, await history(), source, say);
  } catch (thrown) {
    say(notTold("history", messageOf(thrown)));
  }
}
