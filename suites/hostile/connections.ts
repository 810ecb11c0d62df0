import fc from "fast-check";
import type { Socket } from "node:net";
import { type Observation, observe, openSocket } from "./machinery/channel.ts";
import { toExchange } from "./machinery/evidence.ts";
import { invalidHttp } from "./machinery/invalidHttp.ts";
import { describe, faultOf } from "./machinery/judge.ts";
import { anyReading } from "../support/anyReading.ts";
import { pipelined } from "./machinery/pipeline.ts";
import { type HostileRequest, toWire } from "./machinery/request.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { parseJson } from "../../record/index.ts";

interface Effort {
  readonly invalidInputs: number;
  readonly slowConnections: number;
  readonly slowMs: number;
  readonly idleConnections: number;
}
const efforts: Readonly<Record<CampaignLevel, Effort>> = {
  smoke: { invalidInputs: 40, slowConnections: 10, slowMs: 600, idleConnections: 50 },
  nightly: { invalidInputs: 300, slowConnections: 40, slowMs: 2000, idleConnections: 200 },
  certification: { invalidInputs: 5000, slowConnections: 100, slowMs: 20_000, idleConnections: 1000 },
};
// An answer is optional here; one that comes, comes soon: within many times that of a usual answer, or the longest.
const invalidPatienceMs = { least: 60, times: 20, most: 150 };
const usualAnswers = 3;
const invalidAtOnce = 16;
const byteEveryMs = 20;
const neighbourEveryMs = 50;

const shared = {
  group: "general",
  effect: "read-only",
  touches: [],
  tags: ["smoke"],
  alone: true,
  deadlineMs: 900_000,
} as const;

export const connectionCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "hostile/invalid-http",
    title: "Invalid HTTP causes no 5xx and does not interrupt service",
    requirements: ["CORE-ROBUST-01", "CORE-ROBUST-04"],
    async run(context) {
      const { gateway, level, random, clock, verify } = context;
      const { invalidInputs } = efforts[level];
      const inputs = fc.sample(invalidHttp, { numRuns: invalidInputs, seed: random.integer(1, 2 ** 30) });
      const faults = new Map<string, { request: HostileRequest; observation: Observation }>();
      const patienceMs = await patienceFor(context);
      for (let from = 0; from < inputs.length; from += invalidAtOnce) {
        context.signal.throwIfAborted();
        const some = inputs.slice(from, from + invalidAtOnce).map((raw): HostileRequest => ({
          operation: "getCurrentUser",
          kind: "invalid-http",
          method: "GET",
          target: "/",
          headers: [],
          raw,
          isWellFramed: false,
        }));
        const observed = await Promise.all(
          some.map((request) =>
            context.outside.ask("invalid HTTP", () => sendInvalid(context, request, patienceMs)),
          ),
        );
        for (const [index, request] of some.entries()) {
          const observation = observed[index];
          const fault = observation === undefined ? undefined : faultOf(request, observation);
          if (observation === undefined || fault === undefined) continue;
          const known = faults.get(fault)?.request.raw?.length ?? Number.POSITIVE_INFINITY;
          if ((request.raw?.length ?? 0) < known) faults.set(fault, { request, observation });
        }
        await verifyServed(context, "after invalid HTTP");
      }
      for (const [fault, { request, observation }] of faults) {
        const place = { baseUrl: gateway.currentBaseUrl(), nowMs: clock.nowMs() };
        const exchange = toExchange(request, observation, place);
        verify("CORE-ROBUST-01").that(false, {
          what: `answer to invalid HTTP (${fault}); shortest input: ${exchange.shellLine}`,
          expected: "4xx, or the connection closed",
          observed: describe(observation),
          evidence: gateway.keepExchange(request.operation, exchange),
          isAboutAnswering: true,
        });
      }
      if (faults.size > 0) return;
      verify("CORE-ROBUST-01").that(true, {
        what: `answers to ${inputs.length} inputs of invalid HTTP`,
        expected: "4xx, or the connection closed",
        observed: "4xx, or the connection closed",
      });
    },
  }),

  testCase({
    ...shared,
    id: "hostile/slow-requests",
    title: "Slow, never-ending requests do not interrupt service to other clients",
    requirements: ["CORE-ROBUST-04"],
    async run(context) {
      const { level, clock, note } = context;
      const { slowConnections, slowMs } = efforts[level];
      const beginnings = [
        "GET /rackproof-slow-path-that-goes-on-and-on",
        "GET / HTTP/1.1\r\nHost: rp\r\nX-Rp: ",
        "POST / HTTP/1.1\r\nHost: rp\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\n",
      ];
      await using sockets = await openMany(context, slowConnections);
      for (const [index, socket] of sockets.open.entries())
        socket.write(beginnings[index % beginnings.length] ?? "");
      const startedMs = clock.nowMs();
      let served = 0;
      while (clock.nowMs() - startedMs < slowMs) {
        for (const socket of sockets.open) if (!socket.destroyed) socket.write("a");
        if ((clock.nowMs() - startedMs) / neighbourEveryMs > served) {
          served += 1;
          if (!(await verifyServed(context, `during ${sockets.count} slow requests`))) break;
        }
        await clock.delay(byteEveryMs, context.signal);
      }
      note(`${served} requests sent during ${sockets.count} slow ones`);
    },
  }),

  testCase({
    ...shared,
    id: "hostile/many-connections",
    title: "The gateway serves requests after many idle connections were opened and closed",
    requirements: ["CORE-ROBUST-04"],
    async run(context) {
      const { level, note } = context;
      const { idleConnections } = efforts[level];
      {
        await using sockets = await openMany(context, idleConnections);
        note(`${sockets.count} of ${idleConnections} connections were accepted`);
        // A gateway may be out of connections now; its service is checked afterwards.
      }
      await verifyServed(context, `after ${idleConnections} idle connections`);
    },
  }),

  testCase({
    ...shared,
    id: "hostile/pipelining",
    title: "Pipelined requests are answered in order",
    requirements: ["CORE-ROBUST-05"],
    effect: "reversible",
    touches: ["accounts"],
    capabilities: ["auth", "users", "roles"],
    async run(context) {
      const { gateway, profile, scratch, random, verify, unmet } = context;
      const users = [await scratch.user(), await scratch.user(), await scratch.user()];
      await gateway.admin.call("getCurrentUser");
      const { token = unmet("the administrator session has no token") } = gateway.admin;
      const { path: template = "/", method = "GET" } = profile.binding.get("getUser") ?? {};
      const asked = Array.from({ length: 24 }, () => random.pick(users).id);
      const requests = asked.map((id) =>
        toWire(
          {
            operation: "getUser",
            kind: "header-game",
            method,
            target: template.replace("{id}", String(id)),
            headers: [[profile.token.header, profile.token.prefix + token]],
            isWellFramed: true,
          },
          new URL(gateway.currentBaseUrl()).host,
          token,
        ),
      );
      const { answerMs } = profile.patience;
      const answers = await context.outside.ask("pipelined requests", async () =>
        pipelined(await openSocket(gateway.currentBaseUrl(), answerMs), requests, answerMs),
      );
      const answered = answers.map(({ body }) => idIn(body));
      // A server may close the connection after any answer; the answers before must come in order.
      verify("CORE-ROBUST-05").equal(
        answered,
        asked.slice(0, answered.length),
        "user ids in the answers to pipelined requests",
      );
      verify("CORE-ROBUST-05").that(answers.length > 0, {
        what: "number of answers to 24 pipelined requests",
        expected: "at least 1",
        observed: answers.length,
      });
    },
  }),
];

/** How long an answer is waited for, by what usual ones take now. */
async function patienceFor(context: CaseContext): Promise<number> {
  const { least, times, most } = invalidPatienceMs;
  let longestMs = 0;
  for (let count = 0; count < usualAnswers; count++)
    longestMs = Math.max(longestMs, (await anyReading(context)).exchange.durationMs);
  return Math.min(most, Math.max(least, times * longestMs));
}

async function sendInvalid(
  { gateway, profile, roundTripMs }: CaseContext,
  request: HostileRequest,
  patienceMs: number,
): Promise<Observation> {
  let socket: Socket;
  try {
    socket = await openSocket(gateway.currentBaseUrl(), profile.patience.answerMs);
  } catch (thrown) {
    return { outcome: "unreachable", how: String(thrown) };
  }
  try {
    return await observe(socket, patienceMs + roundTripMs, false, () =>
      socket.write(toWire(request, "", "")),
    );
  } finally {
    socket.destroy();
  }
}

/** Whether another client is served. */
async function verifyServed(context: CaseContext, when: string): Promise<boolean> {
  const answer = await anyReading(context);
  return context.verify("CORE-ROBUST-04").that(answer.accepted, {
    what: `answer to another client ${when}`,
    expected: "2xx",
    observed: answer.accepted ? `status ${answer.status}` : answer.summary(),
    evidence: answer,
    isAboutAnswering: true,
  });
}

/** Opens connections; a replayed case has their number only. */
async function openMany(
  { outside, gateway, profile }: CaseContext,
  wanted: number,
): Promise<{ readonly open: readonly Socket[]; readonly count: number } & AsyncDisposable> {
  let open: readonly Socket[] = [];
  const baseUrl = gateway.currentBaseUrl();
  const count = await outside.ask("many connections", async () => {
    const { answerMs } = profile.patience;
    const results = await Promise.allSettled(
      Array.from({ length: wanted }, () => openSocket(baseUrl, answerMs)),
    );
    open = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    return open.length;
  });
  return {
    open,
    count,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        open.map((socket) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (socket.destroyed) resolve();
          socket.once("close", () => resolve());
          socket.destroy();
          return promise;
        }),
      );
    },
  };
}

function idIn(body: Buffer): unknown {
  try {
    const { data } = parseJson(body.toString("utf8")) as { data?: { id?: unknown } };
    return data?.id;
  } catch {
    return body.toString("utf8").slice(0, 100);
  }
}
