// The edits of the wire at work, in front of a gateway: calls come in by another binding, and answers go out in another
// form.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { stringifyJson } from "../../reference-impl/base/json.ts";
import { AlteredResponse } from "./alteredResponse.ts";
import { parseExactJson } from "./exactJson.ts";
import type { DeclaredRoutes } from "./routes.ts";
import type { JsonPlace, Sending, StreamFilter, WireAnswer, WireCall, WireEdits } from "./wireEdits.ts";

/** Stands before `listener`, the gateway itself. Its responses must be of the class AlteredResponse. */
export function frontOf(
  edits: WireEdits,
  routes: DeclaredRoutes,
  listener: RequestListener,
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const edit of edits.arrivals) edit(request);
    const { method } = request;
    if (edits.areHeadAndOptionsServed && method === "OPTIONS") {
      const allow = [...routes.methodsAt(request), "OPTIONS"].join(", ");
      response.writeHead(204, { allow }).end();
      return;
    }
    const call = routes.recognise(
      request,
      edits.areHeadAndOptionsServed && method === "HEAD" ? "GET" : method,
    );
    const seen = call ?? unknownCall(request);
    if (response instanceof AlteredResponse)
      response.alter({
        change: (answer) => changeAnswer(edits, answer, seen),
        changeHead: (head) => edits.answers.forEach((edit) => edit(head, seen)),
        filter: () => filterOf(edits, seen),
        isStreamInPieces: edits.areStreamsInPieces,
      });
    const rejection =
      call === undefined
        ? 404
        : edits.requests.map((edit) => edit(call)).find((status) => status !== undefined);
    if (rejection === undefined) return listener(request, response);
    request.resume();
    response.writeHead(rejection, { "content-type": "application/json" });
    response.end(stringifyJson({ error: { code: rejection, message: "not served" } }));
  };
}

function unknownCall({ headers }: IncomingMessage): WireCall {
  return { id: undefined, path: {}, query: new URLSearchParams(), headers };
}

function changeAnswer(edits: WireEdits, answer: WireAnswer, call: WireCall): Sending {
  const type = answer.headers.get("content-type");
  if (typeof type === "string" && type.startsWith("application/json") && answer.body.length > 0) {
    answer.body = Buffer.from(rewritten(edits, answer.body.toString(), call, answer.status, "body"));
  }
  for (const edit of edits.answers) edit(answer, call);
  return Object.assign({}, ...edits.sendings.map((sending) => sending())) as Sending;
}

function rewritten(
  { values, texts }: WireEdits,
  text: string,
  call: WireCall,
  status: number,
  place: JsonPlace,
): string {
  const value = values.reduce((sum, edit) => edit(sum, call, status), parseExactJson(text));
  return texts.reduce((sum, edit) => edit(sum, place), stringifyJson(value));
}

function filterOf(edits: WireEdits, call: WireCall): StreamFilter | undefined {
  const isJsonEdited = edits.values.length > 0 || edits.texts.length > 0;
  const filters = edits.streams.map((stream) => stream(call));
  if (!isJsonEdited && filters.length === 0) return undefined;
  return (text) => {
    const edited = isJsonEdited
      ? text.replaceAll(
          /^data:([^\r\n]*)/gm,
          (_line, json: string) => `data:${rewritten(edits, json, call, 200, "line")}`,
        )
      : text;
    return filters.reduce((sum, filter) => filter(sum), edited);
  };
}
