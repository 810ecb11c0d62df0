// How a request is refused where the interface says neither the status nor the body.
import type { Variations } from "./variation.ts";

const freedom = "Errors: the status of most refusals and the body of nearly all are open";
const profile = { capabilities: { "published-errors": false } };
const status = { freedom, aspect: "status of refusals", profile };
const body = { freedom, aspect: "body of refusals", profile };

export const refusalVariations = {
  "refusals-all-400": { ...status, differs: "every refusal without a stated status is a 400" },
  "refusals-all-403": { ...status, differs: "every refusal without a stated status is a 403" },
  "refusals-all-404": { ...status, differs: "every refusal without a stated status is a 404" },
  "refusals-uncommon": { ...status, differs: "refusals are 422, 410, 409 and 406" },
  "refusals-empty": { ...body, differs: "refusals have no body" },
  "refusals-text": { ...body, differs: "refusals are a line of plain text" },
  "refusals-page": { ...body, differs: "refusals are a page of HTML" },
  "refusals-problem": { ...body, differs: "refusals are application/problem+json" },
  "refusals-list": { ...body, differs: "refusals are a JSON array of findings" },
  "refusals-long": { ...body, differs: "refusals bring 100 KiB of explanation" },
} as const satisfies Variations;
