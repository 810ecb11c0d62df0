// Incoming webhooks of chats. Text of a gateway must mention nobody and form no link.
import { UsageError } from "../../record/index.ts";
import {
  type Channel,
  type ChannelSurroundings,
  hostOf,
  type Message,
  request,
  secretOf,
} from "./channel.ts";
import type { ChatEntry } from "./notifyFile.ts";

/** Longer messages are cut by the chats themselves. */
const mostCharacters = 3500;

export function chatChannel({ kind, urlVariable }: ChatEntry, surroundings: ChannelSurroundings): Channel {
  const url = secretOf(surroundings, urlVariable, kind);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      "NOTIFY_VARIABLE",
      `notify: ${kind}: expected ${urlVariable} with an address, found another text`,
    );
  return {
    name: `${kind} ${hostOf(url)}`,
    send: async (message) =>
      void (await request(surroundings, { url, body: JSON.stringify(shapes[kind](message)) })),
  };
}

const shapes: Readonly<Record<ChatEntry["kind"], (message: Message) => unknown>> = {
  slack: (message) => ({ text: escaped(textOf(message)) }),
  // A zero-width space keeps a name from being a mention.
  mattermost: (message) => ({ text: fenced(textOf(message).replaceAll("@", "@\u200B")) }),
  teams: ({ title, lines, notice }) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          // Runs of text have no markup.
          body: [title, ...cut(lines)].map((text, index) => ({
            type: "RichTextBlock",
            inlines: [{ type: "TextRun", text, ...(index === 0 ? { weight: "bolder" } : {}) }],
          })),
          ...(notice.page === undefined
            ? {}
            : { actions: [{ type: "Action.OpenUrl", title: "Page", url: notice.page }] }),
        },
      },
    ],
  }),
};

function textOf({ title, lines, notice }: Message): string {
  return [title, ...cut(lines), ...(notice.page === undefined ? [] : [notice.page])].join("\n");
}

function cut(lines: readonly string[]): string[] {
  let left = mostCharacters;
  return lines.filter((line) => (left -= line.length + 1) >= 0);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A block of code: no run of backticks of the text is as long as its fence. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
