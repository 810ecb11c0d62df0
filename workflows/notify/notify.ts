// Tells people about a night, on every channel of a file.
import { messageOf, type Notice } from "../../record/index.ts";
import type { AlertRule } from "./alerts.ts";
import type { Channel, ChannelSurroundings, Message } from "./channel.ts";
import { chatChannel } from "./chat.ts";
import { emailChannel } from "./email.ts";
import { checkChannel, issueChannel } from "./github.ts";
import type { NotifyFile } from "./notifyFile.ts";
import { webhookChannel } from "./webhook.ts";

export interface Notifier {
  readonly rule: AlertRule;
  readonly page?: string;
  /** Tells a night; answers a line for each channel that was used. */
  readonly tell: (message: Message) => Promise<{ readonly channel: string; readonly failure?: string }[]>;
}

/** Throws a UsageError when a variable is missing: before the night, not after it. */
export function openNotifier(file: NotifyFile, surroundings: ChannelSurroundings): Notifier {
  const changes = [
    ...(file.webhook ?? []).map((entry) => webhookChannel(entry, surroundings)),
    ...(file.chat ?? []).map((entry) => chatChannel(entry, surroundings)),
    ...(file.email ?? []).map((entry) => emailChannel(entry, surroundings)),
    ...(file.githubIssue ?? []).map((entry) => issueChannel(entry, surroundings)),
  ];
  const nights = (file.githubCheck ?? []).map((entry) => checkChannel(entry, surroundings));
  return {
    rule: { alertAfter: file.alertAfter ?? 1, clearAfter: file.clearAfter ?? 1 },
    ...(file.page === undefined ? {} : { page: file.page }),
    tell: (message) =>
      Promise.all([...(hasNews(message.notice) ? changes : []), ...nights].map((one) => sent(one, message))),
  };
}

function hasNews({ alerts, event }: Notice): boolean {
  return event === "test" || alerts.length > 0;
}

async function sent(
  { name, send }: Channel,
  message: Message,
): Promise<{ channel: string; failure?: string }> {
  try {
    await send(message);
    return { channel: name };
  } catch (thrown) {
    return { channel: name, failure: messageOf(thrown) };
  }
}
