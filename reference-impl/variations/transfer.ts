import { gzipSync } from "node:zlib";
import type { Behaviour, VariedAnswer } from "./behaviour.ts";

const slowestMs = 150;
let nextDelayMs = 0;

function typeOf({ headers }: VariedAnswer): string {
  const type = headers.get("content-type");
  return typeof type === "string" ? type : "";
}

function withJsonType(type: string): Behaviour {
  return {
    answer(answer) {
      if (typeOf(answer).startsWith("application/json")) answer.headers.set("content-type", type);
    },
  };
}

function withSuccess(status: number, operations: readonly string[]): Behaviour {
  return {
    answer(answer, { id = "" }) {
      if (answer.status === 200 && operations.includes(id)) answer.status = status;
    },
  };
}

/** An answer to a successful direct write, whose form is open. */
function withWritten(change: (answer: VariedAnswer) => void): Behaviour {
  return {
    answer(answer, { id }) {
      if (id === "writeTag" && answer.status >= 200 && answer.status < 300) change(answer);
    },
  };
}

/** Ends the connection after so many answers; each connection counts for itself by the port of its client. */
export const requestsAConnection: Readonly<Record<string, number>> = {
  "one-request-a-connection": 1,
  "seven-requests-a-connection": 7,
};
export const briefIdleMs = 300;

export const transferBehaviours = {
  slow: {
    delivery: { answersTakeMs: slowestMs },
    manner() {
      nextDelayMs = (nextDelayMs + 37) % slowestMs;
      return { delayMs: nextDelayMs };
    },
  },
  bytewise: { manner: () => ({ framing: "bytewise" }) },
  chunked: { manner: () => ({ framing: "chunked" }) },
  trailers: { manner: () => ({ framing: "trailers" }) },
  compressed: {
    answer(answer, { headers }) {
      const accepted = headers["accept-encoding"];
      if (typeof accepted !== "string" || !/\bgzip\b/.test(accepted)) return;
      if (answer.body.length === 0 || typeOf(answer).startsWith("text/event-stream")) return;
      answer.body = gzipSync(answer.body);
      answer.headers.set("content-encoding", "gzip").set("vary", "accept-encoding");
    },
  },
  "one-request-a-connection": {},
  "seven-requests-a-connection": {},
  "brief-idle-connections": {},
  "early-hints": { manner: () => ({ hasEarlyHints: true }) },
  "capital-headers": {
    answer(answer) {
      answer.headers = new Map([...answer.headers].map(([name, value]) => [name.toUpperCase(), value]));
    },
  },
  "more-headers": {
    answer({ headers }) {
      headers
        .set("server", "edge/9 (rt)")
        .set("set-cookie", ["lang=en; Path=/", "seen=1; Path=/; HttpOnly"])
        .set("cache-control", "no-cache, must-revalidate")
        .set("etag", 'W/"7-é"'.replace("é", "e"))
        .set("x-frame-options", "DENY")
        .set("x-request-id", "0001-01-01T00:00:00Z")
        .set("x-ratelimit-remaining", "0");
    },
  },
  "plain-content-type": withJsonType("application/json"),
  "capital-content-type": withJsonType('Application/JSON;Charset="UTF-8"'),
  "vendor-content-type": withJsonType("application/vnd.example.core.v2+json"),
  "head-and-options": {},
  "created-201": withSuccess(201, ["createRole", "addUser", "createEvent", "createUpgradeJob"]),
  "accepted-202": withSuccess(202, [
    "setReboot",
    "resetToDefault",
    "applyConfiguration",
    "operateApp",
    "operateUpgradeJob",
  ]),
  "write-without-content": withWritten((answer) => {
    answer.status = 204;
    answer.body = Buffer.alloc(0);
    answer.headers.delete("content-type");
  }),
  "write-with-value": withWritten((answer) => {
    answer.status = 201;
    answer.body = Buffer.from('{"data":{"written":true,"queued":0},"message":"ok"}');
    answer.headers.set("content-type", "application/json");
  }),
  "other-certificate": { delivery: { hasRsaCertificate: true } },
} as const satisfies Readonly<Record<string, Behaviour>>;
