// How a request is rejected where the interface states neither the status nor the body.
import { stringifyJson } from "../../reference-impl/base/json.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { isJsonObject, parseExactJson } from "../wire/exactJson.ts";
import type { WireAnswer, WireCall } from "../wire/wireEdits.ts";
import type { Variation, Variations } from "./variation.ts";

const freedom = "Errors: the status of most rejections and the body of nearly all are open";
const profile = { capabilities: { "published-errors": false } };

const locked = 423;

/**
 * The stated part of a rejection must stay: 401 for a failed sign-in, 400 with data or on direct tag access, 401 of the
 * extension that a profile declares.
 */
function isStatusStated({ status, body }: WireAnswer, call: WireCall): boolean {
  // HTTP gives it a meaning: the same request succeeds later.
  if (status === 429) return true;
  // The lock of a name is no failure of its credentials.
  if (call.id === "signIn") return status !== locked;
  if (call.id === "checkToken") return true;
  if (call.id === "readTag" || call.id === "writeTag") return status === 400;
  return status === 400 && isBodyStated(body, call);
}

function isBodyStated(body: Buffer, call: WireCall): boolean {
  if (call.id === "writeTag") return true;
  try {
    const value = parseExactJson(body.toString());
    return isJsonObject(value) && "data" in value;
  } catch {
    return false;
  }
}

const isRejection = ({ status }: WireAnswer): boolean => status >= 400 && status < 500;

function withStatus(differs: string, choose: (status: number) => number): Variation {
  return {
    differs,
    freedom,
    aspect: "status of rejections",
    profile,
    install: (at) =>
      at.wholeAnswer((answer, call) => {
        if (isRejection(answer) && !isStatusStated(answer, call)) answer.status = choose(answer.status);
      }),
  };
}

function withBody(differs: string, contentType: string, write: (status: number) => string): Variation {
  return {
    differs,
    freedom,
    aspect: "body of rejections",
    profile,
    install: (at) =>
      at.wholeAnswer((answer, call) => {
        if (!isRejection(answer) || isBodyStated(answer.body, call)) return;
        answer.body = Buffer.from(write(answer.status));
        if (contentType === "") answer.headers.delete("content-type");
        else answer.headers.set("content-type", contentType);
      }),
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

/** Services that switch to another state only; why a switch is rejected is not told. */
const changing = /^(?:lan|dhcp)/;

function rejectsPresentStates(at: GatewayAlterations): void {
  const switches = ["enableService", "disableService"] as const;
  for (const operation of switches)
    at.around(operation, async (call, proceed, ask) => {
      const list = await ask("listServices");
      const groups = list.kind === "json" ? fields(fields(list.body)["data"]) : {};
      const present = Object.values(groups)
        .flatMap(items)
        .find(({ id }) => id === call.path["id"])?.["enable"];
      if (changing.test(text(call.path["id"])) && present === (operation === "enableService"))
        throw badInput("the state is the present one");
      return proceed(call);
    });
  at.wholeAnswer((answer, { id }) => {
    if (isRejection(answer) && switches.some((one) => one === id)) answer.body = Buffer.from("{}");
  });
}

export const refusalVariations = {
  "present-states-are-rejected": {
    differs:
      "A switch of a service of LAN or DHCP to its present state is rejected, as that of an unknown service",
    freedom: "States: a switch to the present state, and the status and body of its rejection, are not shown",
    profile,
    install: rejectsPresentStates,
  },
  "refusals-all-400": withStatus("Every rejection without a stated status is a 400", () => 400),
  "refusals-all-403": withStatus("Every rejection without a stated status is a 403", () => 403),
  "refusals-all-404": withStatus("Every rejection without a stated status is a 404", () => 404),
  "refusals-uncommon": withStatus(
    "Rejections have the status 422, 410, 409 or 406, and 429 while a name is locked",
    (status) => uncommon[status] ?? 451,
  ),
  "refusals-empty": withBody("Rejections have no body", "", () => ""),
  "refusals-text": withBody(
    "Rejections have a line of plain text as their body",
    "text/plain; charset=iso-8859-1",
    (status) => `refused (${status})\n`,
  ),
  "refusals-page": withBody(
    "Rejections have an HTML page as their body",
    "text/html",
    () => "<!doctype html><title>No</title><p>{not json",
  ),
  "refusals-problem": withBody(
    "Rejections are application/problem+json",
    "application/problem+json",
    (status) => stringifyJson({ type: "about:blank", title: "Refused", status, data: undefined }),
  ),
  "refusals-list": withBody(
    "Rejections have a JSON array of findings as their body",
    "application/json",
    () => stringifyJson([{ field: "", finding: "refused" }, null, "no"]),
  ),
  "refusals-long": withBody("Rejections have a body of 100 KiB", "text/plain", () =>
    "It cannot be done. ".repeat(5400),
  ),
} as const satisfies Variations;
