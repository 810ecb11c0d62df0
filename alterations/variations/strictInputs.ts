// Rejects JSON bodies with members that the interface does not list.
import { isDeepStrictEqual } from "node:util";
import { operation, operationIds } from "../../interface/operations/index.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

export function strictInputs(at: GatewayAlterations): void {
  for (const id of operationIds) {
    const { json } = operation(id);
    if (json === undefined) continue;
    at.around(id, (call, proceed) => {
      const isForm = String(call.headers["content-type"]).startsWith("multipart/form-data");
      if (!isForm && !isDeepStrictEqual(keepListed(json, call.body), call.body))
        throw badInput("the body: it has members that the interface does not list");
      return proceed(call);
    });
  }
}
