import { stringifyJson } from "../base/json.ts";
import type { Behaviour, VariedAnswer, VariedCall } from "./behaviour.ts";
import { isJsonObject, parseExactJson } from "./exactJson.ts";

/**
 * What is said of a refusal must stay: 401 for a failed sign-in, 400 with data or on direct tag access, 401 of the
 * extension that a profile declares.
 */
function isStatusStated({ status, body }: VariedAnswer, call: VariedCall): boolean {
  if (call.id === "signIn" || call.id === "checkToken") return true;
  if (call.id === "readTag" || call.id === "writeTag") return status === 400;
  return status === 400 && isBodyStated(body, call);
}

function isBodyStated(body: Buffer, call: VariedCall): boolean {
  if (call.id === "writeTag") return true;
  try {
    const value = parseExactJson(body.toString());
    return isJsonObject(value) && "data" in value;
  } catch {
    return false;
  }
}

const isRefusal = ({ status }: VariedAnswer): boolean => status >= 400 && status < 500;

function withStatus(choose: (status: number) => number): Behaviour {
  return {
    answer(answer, call) {
      if (isRefusal(answer) && !isStatusStated(answer, call)) answer.status = choose(answer.status);
    },
  };
}

function withBody(contentType: string, write: (status: number) => string): Behaviour {
  return {
    answer(answer, call) {
      if (!isRefusal(answer) || isBodyStated(answer.body, call)) return;
      answer.body = Buffer.from(write(answer.status));
      if (contentType === "") answer.headers.delete("content-type");
      else answer.headers.set("content-type", contentType);
    },
  };
}

const uncommon: Readonly<Record<number, number>> = {
  400: 422,
  401: 403,
  403: 409,
  404: 410,
  405: 406,
  413: 400,
  415: 422,
  423: 429,
};

export const refusalBehaviours = {
  "refusals-all-400": withStatus(() => 400),
  "refusals-all-403": withStatus(() => 403),
  "refusals-all-404": withStatus(() => 404),
  "refusals-uncommon": withStatus((status) => uncommon[status] ?? 451),
  "refusals-empty": withBody("", () => ""),
  "refusals-text": withBody("text/plain; charset=iso-8859-1", (status) => `refused (${status})\n`),
  "refusals-page": withBody("text/html", () => "<!doctype html><title>No</title><p>{not json"),
  "refusals-problem": withBody("application/problem+json", (status) =>
    stringifyJson({ type: "about:blank", title: "Refused", status, data: undefined }),
  ),
  "refusals-list": withBody("application/json", () =>
    stringifyJson([{ field: "", finding: "refused" }, null, "no"]),
  ),
  "refusals-long": withBody("text/plain", () => "It cannot be done. ".repeat(5400)),
} as const satisfies Readonly<Record<string, Behaviour>>;
