// How answers and rejections are written, and which rejection an error of a handler becomes.
import { randomUUID } from "node:crypto";
import type { FastifyReply } from "fastify";
import { stringifyJson } from "../base/json.ts";
import type { Answer } from "./handler.ts";
import { Refusal } from "../base/refusal.ts";

const jsonType = "application/json; charset=utf-8";

/** Writes a handler's answer. A stream takes the response over. */
export async function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
  log: (line: string) => void,
): Promise<void> {
  switch (answer.kind) {
    case "json":
      await reply.code(answer.status).type(jsonType).send(stringifyJson(answer.body));
      return;
    case "file": {
      const fileName = answer.fileName.replaceAll(/[^\w.+-]/g, "_");
      await reply
        .type(answer.contentType)
        .header("content-disposition", `attachment; filename="${fileName}"`)
        .send(answer.content);
      return;
    }
    case "stream":
      reply.hijack();
      try {
        answer.run(reply.raw);
      } catch (thrown) {
        log(`a stream ended with ${String(thrown)}`);
        reply.raw.destroy();
      }
      return;
  }
}

/** Writes a refusal: direct tag access answers `{message}`, everything else `{error: {code, message}}`. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, isTagAccess: boolean): FastifyReply {
  const { status, code, message, data } = refusal;
  const body = isTagAccess
    ? { message }
    : { error: { code, message }, ...(data === undefined ? {} : { data }) };
  return reply.code(status).type(jsonType).send(stringifyJson(body));
}

const refusalsByStatus = {
  408: "the request took too long",
  413: "the body is too large",
  415: "the body: expected application/json",
} as const;

/** The rejection for a thrown value. An unexpected error is logged whole and answered without details. */
export function toRefusal(thrown: unknown, log: (line: string) => void): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const { statusCode, message } = thrown as { statusCode?: unknown; message?: unknown };
  if (statusCode === 408 || statusCode === 413 || statusCode === 415)
    return new Refusal(statusCode, refusalsByStatus[statusCode]);
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500)
    return new Refusal(400, String(message));
  const reference = randomUUID().slice(0, 8);
  log(`defect ${reference}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  return new Refusal(500 as Refusal["status"], `internal error; the log has details under ${reference}`);
}
