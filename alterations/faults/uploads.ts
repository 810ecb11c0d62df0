// Faults of the uploaded configuration files, which are applied by their names.
import { fields } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const uploadFaults: readonly Fault[] = faults([
  [
    "uploads-of-one-name-share-their-content",
    "CORE-CONFIG-42",
    "subtle",
    "A file uploaded under a name that an earlier one had replaces its content; both have names of their own.",
    (at) => {
      const sent = new Map<string, string>();
      const latest = new Map<string, string>();
      at.around("uploadConfiguration", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json") return answer;
        const given = String(fields(fields(answer.body)["data"])["fileName"]);
        const own = call.files[0]?.fileName ?? "";
        sent.set(given, own);
        latest.set(own, given);
        return answer;
      });
      at.around("applyConfiguration", (call, proceed) => {
        const filename = latest.get(sent.get(String(call.path["filename"])) ?? "");
        return proceed(filename === undefined ? call : changed(call, { path: { ...call.path, filename } }));
      });
    },
  ],
  [
    "apply-takes-the-last-upload",
    "CORE-CONFIG-42",
    "subtle",
    "Applying the name of any uploaded file applies the one that was uploaded last.",
    (at) => {
      const names: string[] = [];
      at.data("uploadConfiguration", (data) => {
        names.push(String(data["fileName"]));
        return data;
      });
      at.around("applyConfiguration", (call, proceed) => {
        const filename = names.includes(String(call.path["filename"])) ? names.at(-1) : undefined;
        return proceed(filename === undefined ? call : changed(call, { path: { ...call.path, filename } }));
      });
    },
  ],
]);
