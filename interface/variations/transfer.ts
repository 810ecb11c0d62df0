// How an answer travels: status of success, headers, framing, connections, speed.
import type { Variations } from "./variation.ts";

const http = "the interface says nothing of headers, framing and connections: HTTP leaves them to the server";
const success = "the interface names the status 200 for a few operations only";

export const transferVariations = {
  slow: { differs: "answers take up to 150 ms", freedom: "no limit for the time of an answer is stated" },
  bytewise: {
    differs: "answers arrive in many small pieces, some within a character",
    freedom: http,
    aspect: "framing",
  },
  chunked: { differs: "answers in chunks in place of a length", freedom: http, aspect: "framing" },
  trailers: { differs: "answers in chunks, with a trailer after them", freedom: http, aspect: "framing" },
  "one-request-a-connection": {
    differs: "the connection ends after each answer",
    freedom: http,
    aspect: "connections",
  },
  "seven-requests-a-connection": {
    differs: "the connection ends after seven answers",
    freedom: http,
    aspect: "connections",
  },
  "brief-idle-connections": {
    differs: "connections that are idle for 300 ms are ended",
    freedom: http,
    aspect: "connections",
  },
  "early-hints": { differs: "an interim answer (103) comes before each answer", freedom: http },
  "capital-content-type": {
    differs: 'Application/JSON;Charset="UTF-8"',
    freedom: http,
    aspect: "content type",
  },
  "vendor-content-type": {
    differs: "a media type of the vendor that ends in +json",
    freedom: http,
    aspect: "content type",
  },
  "head-and-options": {
    differs: "HEAD and OPTIONS are answered",
    freedom: "other methods are not mentioned",
  },
  "created-201": { differs: "what makes a role, user, event or job answers 201", freedom: success },
  "accepted-202": { differs: "reboot, reset, apply and operating apps or jobs answer 202", freedom: success },
  "write-without-content": {
    differs: "a direct write answers 204 without a body",
    freedom: "Endpoints 13: what a successful write answers is open",
    aspect: "write",
  },
  "write-with-value": {
    differs: "a direct write answers 201 with the value written",
    freedom: "Endpoints 13: what a successful write answers is open",
    aspect: "write",
  },
  "other-certificate": {
    differs: "a certificate with an RSA key for another name",
    freedom: "nothing is said of certificates",
  },
  "more-headers": { differs: "cookies, caching, security and vendor headers", freedom: http },
  "plain-content-type": {
    differs: "application/json without a charset",
    freedom: http,
    aspect: "content type",
  },
  compressed: { differs: "answers are compressed where the client takes that", freedom: http },
  "capital-headers": { differs: "names of headers in capital letters", freedom: http },
} as const satisfies Variations;
