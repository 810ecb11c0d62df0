// What stands before the gateway's HTTP side when it is told to look different: calls come in by another binding, and
// answers go out in another form. What the gateway does stays the same.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { stringifyJson } from "../base/json.ts";
import type { Behaviour, Manner, StreamFilter, VariedAnswer, VariedCall } from "./behaviour.ts";
import { parseExactJson } from "./exactJson.ts";
import { hold } from "./heldAnswer.ts";
import type { VariedRoutes } from "./routes.ts";

/** Stands before `handle`, the gateway itself. */
export function createFront(
  chosen: readonly Behaviour[],
  routes: VariedRoutes,
  answersOthers: boolean,
  handle: RequestListener,
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method } = request;
    if (answersOthers && method === "OPTIONS") {
      const allow = [...routes.methodsAt(request), "OPTIONS"].join(", ");
      response.writeHead(204, { allow }).end();
      return;
    }
    const call = routes.recognise(request, answersOthers && method === "HEAD" ? "GET" : method);
    const seen = call ?? unknownCall(request);
    hold(response, {
      change: (answer) => change(chosen, answer, seen),
      changeHead: (head) => chosen.forEach((behaviour) => behaviour.answer?.(head, seen)),
      filter: () => filterOf(chosen, seen),
      isStreamInPieces: chosen.some((behaviour) => behaviour.isStreamInPieces === true),
    });
    const refusal =
      call === undefined
        ? 404
        : chosen.map((one) => one.request?.(call)).find((status) => status !== undefined);
    if (refusal === undefined) return handle(request, response);
    request.resume();
    response.writeHead(refusal, { "content-type": "application/json" });
    response.end(stringifyJson({ error: { code: refusal, message: "not served" } }));
  };
}

function unknownCall({ headers }: IncomingMessage): VariedCall {
  return { id: undefined, path: {}, query: new URLSearchParams(), headers };
}

function change(chosen: readonly Behaviour[], answer: VariedAnswer, call: VariedCall): Manner {
  const type = answer.headers.get("content-type");
  if (typeof type === "string" && type.startsWith("application/json") && answer.body.length > 0) {
    answer.body = Buffer.from(vary(chosen, answer.body.toString(), call, answer.status, "body"));
  }
  for (const behaviour of chosen) behaviour.answer?.(answer, call);
  return Object.assign({}, ...chosen.map((behaviour) => behaviour.manner?.() ?? {})) as Manner;
}

function vary(
  chosen: readonly Behaviour[],
  text: string,
  call: VariedCall,
  status: number,
  place: "body" | "line",
): string {
  let value = parseExactJson(text);
  for (const behaviour of chosen)
    if (behaviour.value !== undefined) value = behaviour.value(value, call, status);
  let written = stringifyJson(value);
  for (const behaviour of chosen) if (behaviour.json !== undefined) written = behaviour.json(written, place);
  return written;
}

function filterOf(chosen: readonly Behaviour[], call: VariedCall): StreamFilter | undefined {
  const isJsonVaried = chosen.some(
    (behaviour) => behaviour.value !== undefined || behaviour.json !== undefined,
  );
  const filters = chosen.flatMap((behaviour) => behaviour.stream?.(call) ?? []);
  if (!isJsonVaried && filters.length === 0) return undefined;
  return (text) => {
    const varied = isJsonVaried
      ? text.replaceAll(
          /^data:(.*)$/gm,
          (_line, json: string) => `data:${vary(chosen, json, call, 200, "line")}`,
        )
      : text;
    return filters.reduce((sum, filter) => filter(sum), varied);
  };
}
