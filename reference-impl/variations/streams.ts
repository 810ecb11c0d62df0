import type { Behaviour, StreamFilter, VariedCall } from "./behaviour.ts";

/** For streams of every kind. */
const always = (filter: () => StreamFilter): Pick<Behaviour, "stream"> => ({ stream: filter });

function overLines(text: string): string {
  return text.replaceAll(/^data:(.*)$/gm, (_line, json: string) =>
    // Between members a line end may stand, within a string never.
    JSON.stringify(JSON.parse(json), undefined, 1)
      .split("\n")
      .map((line) => `data:${line}`)
      .join("\n"),
  );
}

const isEventStream = ({ id }: VariedCall): boolean => id === "getEvents";

export const streamBehaviours = {
  "stream-comments": always(() => {
    let isFirst = true;
    return (text) => {
      const head = isFirst ? "retry: 3000\n\n" : "";
      isFirst = false;
      return `${head}: sign of life, data: none\n\n:\n\n${text}:\n\n`;
    };
  }),
  "stream-line-ends": always(() => (text) => text.replaceAll("\n", "\r\n")),
  "stream-spaces": always(() => (text) => text.replaceAll(/^(data|id|event):(?! )/gm, "$1: ")),
  "stream-more-fields": {
    stream: (call) => (text) =>
      text.replaceAll(
        /^(data:.*)$/gm,
        isEventStream(call) ? "x-vendor: 1\n$1\nretry: 3000" : "event: value\nid: v1\n$1\nx-vendor: 1",
      ),
  },
  "stream-pieces": { isStreamInPieces: true },
  "events-over-lines": { stream: (call) => (isEventStream(call) ? overLines : (text) => text) },
  "tag-stream-type": {
    answer(answer, { id }) {
      const type = answer.headers.get("content-type");
      if (id === "monitorTags" && typeof type === "string" && type.startsWith("text/event-stream"))
        answer.headers.set("content-type", "text/plain; charset=utf-8");
    },
  },
  "websocket-frames": { delivery: { hasBusyWebsocket: true } },
} as const satisfies Readonly<Record<string, Behaviour>>;
