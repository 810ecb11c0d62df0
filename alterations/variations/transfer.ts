// How an answer is transferred: status of success, headers, framing, connections, speed.
import { gzipSync } from "node:zlib";
import { downloadMediaTypes } from "../../interface/mediaTypes.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { Sending, WireAnswer } from "../wire/wireEdits.ts";
import { rateLimit } from "./rateLimit.ts";
import type { Variation, Variations } from "./variation.ts";

const http =
  "the interface does not mention headers, framing and connections: HTTP leaves them to the server";
const success = "the interface states the status 200 for a few operations only";
const written = "Endpoints 13: the answer to a successful write is open";

const slowestMs = 150;
const downloadTypes: ReadonlySet<string> = new Set(Object.values(downloadMediaTypes));

function isSlow(at: GatewayAlterations): void {
  let nextDelayMs = 0;
  at.sending(() => {
    nextDelayMs = (nextDelayMs + 37) % slowestMs;
    return { delayMs: nextDelayMs };
  });
  at.options((options) => ({ ...options, answerGraceMs: options.answerGraceMs + slowestMs }));
}

function typeOf({ headers }: WireAnswer): string {
  const type = headers.get("content-type");
  return typeof type === "string" ? type : "";
}

function withFraming(framing: NonNullable<Sending["framing"]>, differs: string): Variation {
  return { differs, freedom: http, aspect: "framing", install: (at) => at.sending(() => ({ framing })) };
}

function withJsonType(type: string, differs: string): Variation {
  return {
    differs,
    freedom: http,
    aspect: "content type",
    install: (at) =>
      at.wholeAnswer((answer) => {
        if (typeOf(answer).startsWith("application/json")) answer.headers.set("content-type", type);
      }),
  };
}

function withConnections(
  limits: Parameters<GatewayAlterations["connections"]>[0],
  differs: string,
): Variation {
  return { differs, freedom: http, aspect: "connections", install: (at) => at.connections(limits) };
}

function withSuccess(status: number, operations: readonly string[], differs: string): Variation {
  return {
    differs,
    freedom: success,
    install: (at) =>
      at.wholeAnswer((answer, { id = "" }) => {
        if (answer.status === 200 && operations.includes(id)) answer.status = status;
      }),
  };
}

/** Another answer to a successful direct write. */
function withWritten(change: (answer: WireAnswer) => void, differs: string): Variation {
  return {
    differs,
    freedom: written,
    aspect: "write",
    install: (at) =>
      at.wholeAnswer((answer, { id }) => {
        if (id === "writeTag" && answer.status >= 200 && answer.status < 300) change(answer);
      }),
  };
}

export const transferVariations = {
  slow: {
    differs: "Answers take up to 150 ms",
    freedom: "the interface states no limit for the duration of an answer",
    install: isSlow,
  },
  "rate-limit": {
    differs: "More than 100 requests a second are answered with 429 and Retry-After, as declared",
    freedom: "Limits: rate limits are not shown; the profile declares this one",
    aspect: "rate limit",
    profile: { rateLimit: { requestsPerSec: 100 } },
    install: rateLimit(100),
  },
  "rate-limit-undeclared": {
    differs: "More than 80 requests a second are answered with 429 and Retry-After",
    freedom: "Limits: rate limits are not shown",
    aspect: "rate limit",
    install: rateLimit(80),
  },
  bytewise: withFraming(
    "bytewise",
    "Answers arrive in many small pieces, some of which end within a character",
  ),
  chunked: withFraming("chunked", "Answers are sent in chunks instead of with a length"),
  trailers: withFraming("trailers", "Answers are sent in chunks, with a trailer after them"),
  "one-request-a-connection": withConnections(
    { requestsAConnection: 1 },
    "The connection ends after each answer",
  ),
  "seven-requests-a-connection": withConnections(
    { requestsAConnection: 7 },
    "The connection ends after seven answers",
  ),
  "brief-idle-connections": withConnections(
    { idleMs: 300 },
    "The gateway closes connections idle for 300 ms",
  ),
  "early-hints": {
    differs: "An interim answer (103) precedes each answer",
    freedom: http,
    install: (at) => at.sending(() => ({ hasEarlyHints: true })),
  },
  "capital-content-type": withJsonType(
    'Application/JSON;Charset="UTF-8"',
    'The content type of JSON is Application/JSON;Charset="UTF-8"',
  ),
  "vendor-content-type": withJsonType(
    "application/vnd.example.core.v2+json",
    "The content type of JSON is a vendor's media type that ends in +json",
  ),
  "head-and-options": {
    differs: "The gateway answers HEAD and OPTIONS",
    freedom: "the interface does not mention other methods",
    install: (at) => at.headAndOptions(),
  },
  "created-201": withSuccess(
    201,
    ["createRole", "addUser", "createEvent", "createUpgradeJob"],
    "Creating a role, user, event or job is answered with 201",
  ),
  "accepted-202": withSuccess(
    202,
    ["setReboot", "resetToDefault", "applyConfiguration", "operateApp", "operateUpgradeJob"],
    "Reboot, reset, apply and operating apps or jobs are answered with 202",
  ),
  "write-without-content": withWritten((answer) => {
    answer.status = 204;
    answer.body = Buffer.alloc(0);
    answer.headers.delete("content-type");
  }, "A direct write is answered with 204 and no body"),
  "write-with-value": withWritten((answer) => {
    answer.status = 201;
    answer.body = Buffer.from('{"data":{"written":true,"queued":0},"message":"ok"}');
    answer.headers.set("content-type", "application/json");
  }, "A direct write is answered with 201 and a JSON object"),
  "other-certificate": {
    differs: "The certificate has an RSA key",
    freedom: "the interface does not mention certificates",
    install: (at) => at.product((product) => ({ ...product, keyKind: "rsa" })),
  },
  "more-headers": {
    differs: "Answers have cookie, caching, security and vendor headers",
    freedom: http,
    install: (at) =>
      at.wholeAnswer(({ headers }) => {
        headers
          .set("server", "edge/9 (rt)")
          .set("set-cookie", ["lang=en; Path=/", "seen=1; Path=/; HttpOnly"])
          .set("cache-control", "no-cache, must-revalidate")
          .set("etag", 'W/"7-e"')
          .set("x-frame-options", "DENY")
          .set("x-request-id", "0001-01-01T00:00:00Z")
          .set("x-ratelimit-remaining", "0");
      }),
  },
  "downloads-of-any-type": {
    differs: "Downloaded files have the media type application/octet-stream",
    freedom: "the interface states no media type of downloads",
    profile: { capabilities: { "published-media-types": false } },
    install: (at) =>
      at.wholeAnswer((answer) => {
        if (downloadTypes.has(typeOf(answer))) answer.headers.set("content-type", "application/octet-stream");
        return answer;
      }),
  },
  "plain-content-type": withJsonType("application/json", "The content type of JSON has no charset"),
  compressed: {
    differs: "Answers are compressed where the client accepts it",
    freedom: http,
    install: (at) =>
      at.wholeAnswer((answer, { headers }) => {
        const accepted = headers["accept-encoding"];
        if (typeof accepted !== "string" || !/\bgzip\b/.test(accepted)) return;
        if (answer.body.length === 0 || typeOf(answer).startsWith("text/event-stream")) return;
        answer.body = gzipSync(answer.body);
        answer.headers.set("content-encoding", "gzip").set("vary", "accept-encoding");
      }),
  },
  "capital-headers": {
    differs: "Header names are in capital letters",
    freedom: http,
    install: (at) =>
      at.wholeAnswer((answer) => {
        answer.headers = new Map([...answer.headers].map(([name, value]) => [name.toUpperCase(), value]));
      }),
  },
} as const satisfies Variations;
