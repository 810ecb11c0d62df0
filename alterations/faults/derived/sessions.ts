// Faults of what several have at the same time: tokens, upgrade jobs, uploads.
import { Refusal } from "../../../reference-impl/base/refusal.ts";
import type { Caller } from "../../../reference-impl/http/handler.ts";
import { at as valueAt, fields, text } from "../../mechanism/edits.ts";
import { changed } from "../../mechanism/operationAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

export const sessionFaults: readonly Fault[] = [
  derived({
    operator: "second-ends-first",
    place: "signIn-of-another-user",
    requirement: "CORE-AUTH-11",
    also: ["CORE-AUTH-24", "CORE-USER-48"],
    what: "A sign-in of a user who is not the administrator ends the tokens of the others who are not.",
    install: (at) => {
      let newest = "";
      at.around("signIn", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind === "json" && call.body["name"] !== "admin") newest = text(call.body["name"]);
        return answer;
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        if (caller.name !== "admin" && newest !== "" && caller.name !== newest)
          throw new Refusal(401, "sign in again");
        return caller;
      });
    },
  }),
  derived({
    operator: "shared-by-two",
    place: "getCurrentUser",
    requirement: "CORE-USER-48",
    also: ["CORE-AUTH-11"],
    what: "Get current user returns the user who signed in last.",
    install: (at) => {
      let last: Caller | undefined;
      let name = "";
      at.around("signIn", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind === "json") name = text(call.body["name"]);
        return answer;
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        if (caller.name === name) last = caller;
        return caller;
      });
      at.around("getCurrentUser", (call, proceed) =>
        proceed(last === undefined ? call : changed(call, { caller: last })),
      );
    },
  }),
  derived({
    operator: "second-ends-first",
    place: "getWebsocketToken",
    requirement: "CORE-AUTH-16",
    also: ["CORE-AUTH-15"],
    what: "A second websocket token ends the first one.",
    install: (at) => {
      let newest = "";
      at.around("getWebsocketToken", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind === "json") newest = text(valueAt(answer.body, "data.token"));
        return answer;
      });
      at.redeem((token, proceed) => (token === newest ? proceed(token) : undefined));
    },
  }),
  derived({
    operator: "shared-by-two",
    place: "getWebsocketToken",
    requirement: "CORE-AUTH-15",
    also: ["CORE-AUTH-16"],
    what: "Two requests within a second return the same websocket token.",
    install: (at) => {
      let last: { readonly body: unknown; readonly atMs: number } | undefined;
      at.around("getWebsocketToken", async (call, proceed) => {
        const nowMs = performance.now();
        if (last !== undefined && nowMs - last.atMs < 1000)
          return { kind: "json", status: 200, body: last.body };
        const answer = await proceed(call);
        if (answer.kind === "json") last = { body: answer.body, atMs: nowMs };
        return answer;
      });
    },
  }),
  derived({
    operator: "second-ends-first",
    place: "createUpgradeJob",
    requirement: "CORE-UPGRADE-66",
    also: ["CORE-UPGRADE-57", "CORE-UPGRADE-54", "CORE-UPGRADE-49", "CORE-CONC-03"],
    what: "A second upgrade job cancels the first one.",
    install: (at) => {
      let first: string | undefined;
      at.around("createUpgradeJob", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (first !== undefined)
          await ask("operateUpgradeJob", {
            path: { id: first, action: "cancel" },
            query: { deleteFileAfterInstallComplete: true },
          }).catch(() => undefined);
        if (answer.kind === "json") first = text(fields(valueAt(answer.body, "data"))["id"]);
        return answer;
      });
    },
  }),
];
