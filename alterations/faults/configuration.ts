// Faults of export, upload and apply.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { at as valueAt, drop, type Fields, fields, items, put } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { hidesRejections } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const own = { model: "RP-1000", tpeversion: "2.3.0" };
const result = { data: { diff: null, fileName: "configuration.tar.gz", fileSize: 1 } };

/** Whether an upload was rejected for another model or version. */
export function isConflict(thrown: unknown): boolean {
  return thrown instanceof Refusal && fields(thrown.data)["diff"] !== undefined;
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Rejects conflicts with other data than the gateway's own rejection has. */
function rejectsConflicts(at: GatewayAlterations, edit: (data: Fields) => Fields | undefined): void {
  at.around("uploadConfiguration", (call, proceed) =>
    proceed(call).catch((thrown: unknown) => {
      if (!(thrown instanceof Refusal) || !isConflict(thrown)) throw thrown;
      throw badInput(thrown.message, { data: edit(fields(thrown.data)) });
    }),
  );
}

export const configurationFaults: readonly Fault[] = faults([
  [
    "export-ignores-select",
    "CORE-CONFIG-12",
    "plain",
    "An export contains every section, whatever `select` says.",
    (at) => at.query("exportConfiguration", ({ select: _select, ...query }) => query),
  ],
  [
    "download-ignores-select",
    "CORE-CONFIG-12",
    "subtle",
    "A downloaded file contains every section, whatever `select` says; get-profile follows it.",
    (at) =>
      at.query("exportConfiguration", ({ select, ...query }) =>
        query["action"] === "get-profile" ? { ...query, select } : query,
      ),
  ],
  [
    "download-of-everything-lacks-an-app",
    "CORE-CONFIG-11",
    "subtle",
    "A downloaded file lacks the sections of one app when nothing is selected; get-profile lists them.",
    (at) =>
      at.query("exportConfiguration", (query) => {
        const isWhole = query["select"] === undefined || query["select"] === "[]";
        if (query["action"] === "get-profile" || !isWhole) return query;
        const apps = ["system", "device", "cloud", "edge-web", "eipscanner", "modbusmaster", "opcuaserver"];
        return { ...query, select: JSON.stringify(apps.map((app) => ({ app }))) };
      }),
  ],
  [
    "export-selects-the-first-app-only",
    "CORE-CONFIG-15",
    "subtle",
    "Of several apps in `select`, only the first is exported.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        typeof query["select"] === "string" && isJson(query["select"])
          ? { ...query, select: JSON.stringify(items(JSON.parse(query["select"])).slice(0, 1)) }
          : query,
      ),
  ],
  [
    "export-ignores-filter",
    "CORE-CONFIG-13",
    "plain",
    "An export contains sections that `filter` excludes.",
    (at) =>
      at.query("exportConfiguration", ({ filter, ...query }) =>
        query["select"] === undefined || query["select"] === "" ? query : { ...query, filter },
      ),
  ],
  [
    "export-filters-by-the-last-object-only",
    "CORE-CONFIG-13",
    "subtle",
    "Of several objects in `filter`, only the last excludes sections.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        typeof query["filter"] === "string" && isJson(query["filter"])
          ? { ...query, filter: JSON.stringify(items(JSON.parse(query["filter"])).slice(-1)) }
          : query,
      ),
  ],
  [
    "export-ignores-filter-beside-select",
    "CORE-CONFIG-14",
    "subtle",
    "`filter` is ignored when `select` is given as well.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        query["select"] === undefined || query["select"] === "" || query["select"] === "[]"
          ? query
          : { ...query, filter: undefined },
      ),
  ],
  [
    "empty-select-selects-nothing",
    "CORE-CONFIG-11",
    "plain",
    "An empty `select` selects no section.",
    (at) =>
      at.around("exportConfiguration", (call, proceed) =>
        proceed(
          ["", "[]"].includes(String(call.query["select"]))
            ? changed(call, { query: { ...call.query, select: '[{"app":"nobody"}]' } })
            : call,
        ),
      ),
  ],
  [
    "profile-counts-one-more",
    "CORE-CONFIG-39",
    "plain",
    "`count` of get-profile is one higher than the number of sections.",
    (at) => at.answer("exportConfiguration", (body) => ({ ...body, count: items(body["data"]).length + 1 })),
  ],
  [
    "unknown-export-action-is-a-profile",
    "CORE-CONFIG-16",
    "plain",
    "An unknown `action` is answered with the profile.",
    (at) => {
      at.lenient("exportConfiguration", "query", "action");
      at.query("exportConfiguration", ({ action = "download", ...query }) =>
        action === "download" ? query : { ...query, action: "get-profile" },
      );
    },
  ],
  [
    "export-without-action-is-a-profile",
    "CORE-CONFIG-40",
    "plain",
    "An export without `action` returns the profile.",
    (at) => {
      at.lenient("exportConfiguration", "query", "action");
      at.query("exportConfiguration", (query) => ({ ...query, action: query["action"] ?? "get-profile" }));
    },
  ],
  [
    "export-is-plain-unless-asked",
    "CORE-CONFIG-19",
    "plain",
    "An export without `encryption` is not encrypted.",
    (at) =>
      at.query("exportConfiguration", (query) => ({ ...query, encryption: query["encryption"] ?? false })),
  ],
  [
    "export-is-never-encrypted",
    "CORE-CONFIG-19",
    "plain",
    "An export requested as encrypted is plain, and plain uploads are accepted as encrypted.",
    (at) => {
      at.query("exportConfiguration", (query) => ({ ...query, encryption: false }));
      at.body("uploadConfiguration", (body) => ({ ...body, encryption: false }));
    },
  ],
  [
    "export-of-a-selection-is-plain",
    "CORE-CONFIG-19",
    "subtle",
    "An export with `select` and without `encryption` is not encrypted.",
    (at) =>
      at.query("exportConfiguration", (query) =>
        query["select"] === undefined ? query : { ...query, encryption: query["encryption"] ?? false },
      ),
  ],
  [
    "plain-upload-is-refused",
    "CORE-CONFIG-22",
    "plain",
    "A file that was exported without encryption is rejected.",
    (at) => at.body("uploadConfiguration", (body) => ({ ...body, encryption: true })),
  ],
  [
    "upload-takes-files-as-plain-by-default",
    "CORE-CONFIG-38",
    "subtle",
    "An upload without `encryption` treats the file as plain.",
    (at) => at.body("uploadConfiguration", (body) => ({ ...body, encryption: body["encryption"] ?? false })),
  ],
  [
    "upload-size-of-another-file",
    "CORE-CONFIG-24",
    "subtle",
    "`fileSize` is one byte larger than the file.",
    (at) => at.data("uploadConfiguration", (data) => ({ ...data, fileSize: Number(data["fileSize"]) + 1 })),
  ],
  [
    "upload-shows-a-diff-of-equals",
    "CORE-CONFIG-25",
    "plain",
    "An upload without a conflict shows a diff.",
    (at) => at.data("uploadConfiguration", (data) => ({ ...data, diff: { current: own, imported: own } })),
  ],
  [
    "apply-shows-a-diff",
    "CORE-CONFIG-29",
    "plain",
    "Applying an uploaded file returns a diff.",
    (at) => at.data("applyConfiguration", (data) => ({ ...data, diff: { current: own, imported: own } })),
  ],
  [
    "upload-of-another-model-is-taken",
    "CORE-CONFIG-27",
    "plain",
    "A configuration of another model is accepted.",
    (at) => hidesRejections(at, "uploadConfiguration", result, isConflict),
  ],
  [
    "upload-of-another-patch-level-is-taken",
    "CORE-CONFIG-27",
    "subtle",
    "A configuration whose version differs only at its end is accepted.",
    (at) =>
      hidesRejections(at, "uploadConfiguration", result, (thrown) => {
        if (!isConflict(thrown)) return false;
        const { data } = thrown as Refusal;
        return String(valueAt(fields(data), "diff.imported.tpeversion")).startsWith(
          own.tpeversion.slice(0, -1),
        );
      }),
  ],
  [
    "conflict-has-its-sides-swapped",
    "CORE-CONFIG-27",
    "subtle",
    "The diff of a rejected upload has `current` and `imported` exchanged.",
    (at) =>
      rejectsConflicts(at, (data) => ({
        ...data,
        diff: { current: valueAt(data, "diff.imported"), imported: valueAt(data, "diff.current") },
      })),
  ],
  [
    "conflict-lacks-a-version",
    "CORE-CONFIG-06",
    "plain",
    "The diff of a rejected upload lacks the imported version.",
    (at) => rejectsConflicts(at, (data) => drop(data, "diff.imported.tpeversion")),
  ],
  [
    "conflict-without-a-diff",
    "CORE-CONFIG-27",
    "plain",
    "An upload of another model is rejected without a diff.",
    (at) => rejectsConflicts(at, () => undefined),
  ],
  [
    "upload-of-anything-is-taken",
    "CORE-CONFIG-28",
    "plain",
    "A file that cannot be extracted is accepted.",
    (at) => hidesRejections(at, "uploadConfiguration", result, (thrown) => !isConflict(thrown)),
  ],
  [
    "apply-of-an-unknown-file-is-taken",
    "CORE-CONFIG-30",
    "plain",
    "Applying a file name that was never uploaded is answered with success.",
    (at) =>
      hidesRejections(
        at,
        "applyConfiguration",
        result,
        (thrown) => thrown instanceof Refusal && thrown.status === 404,
      ),
  ],
  [
    "apply-reboots-after-4.4s",
    "CORE-CONFIG-31",
    "subtle",
    "The gateway reboots 4.4 s after a configuration is applied.",
    (at) => at.options((options) => ({ ...options, rebootDelayMs: 4400 })),
  ],
  [
    "apply-reboots-after-6s",
    "CORE-CONFIG-31",
    "subtle",
    "The gateway reboots 6 s after a configuration is applied.",
    (at) => at.options((options) => ({ ...options, rebootDelayMs: 6000 })),
  ],
  [
    "apply-does-not-reboot",
    "CORE-CONFIG-31",
    "plain",
    "The gateway does not reboot after a configuration is applied.",
    (at) => at.options((options) => ({ ...options, rebootDelayMs: 2_000_000_000 })),
  ],
  [
    "apply-changes-nothing",
    "CORE-CONFIG-32",
    "plain",
    "Applying a configuration restores no setting.",
    (at) => at.section((section) => ({ ...section, write: () => undefined })),
  ],
  [
    "apply-leaves-one-section-out",
    "CORE-CONFIG-32",
    "subtle",
    "Applying a configuration does not restore the section system/general.",
    (at) =>
      at.section((section) =>
        section.app === "system" && section.section === "general"
          ? { ...section, write: () => undefined }
          : section,
      ),
  ],
  [
    "upload-with-apply-only-uploads",
    "CORE-CONFIG-33",
    "plain",
    "An upload with `apply` true is stored but not applied.",
    (at) => at.body("uploadConfiguration", (body) => ({ ...body, apply: false })),
  ],
  [
    "apply-switches-services-on-only",
    "CORE-CONFIG-33",
    "subtle",
    "Applying a configuration switches no service off.",
    (at) =>
      at.section((section) => ({
        ...section,
        write(document) {
          const on = Object.entries(fields(valueAt(document, "services"))).filter(([, enable]) => enable);
          section.write(on.length === 0 ? document : put(document, "services", Object.fromEntries(on)));
        },
      })),
  ],
  [
    "upload-applies-at-once",
    "CORE-CONFIG-26",
    "subtle",
    "An upload is applied even without `apply`.",
    (at) => at.body("uploadConfiguration", (body) => ({ ...body, apply: true })),
  ],
  [
    "malformed-select-is-taken",
    "CORE-CONFIG-34",
    "plain",
    "A `select` or `filter` that is not JSON is ignored.",
    (at) =>
      at.query("exportConfiguration", (query) => {
        const kept = (value: unknown): unknown =>
          typeof value === "string" && isJson(value) ? value : undefined;
        return { ...query, select: kept(query["select"]), filter: kept(query["filter"]) };
      }),
  ],
  [
    "wrong-password-has-another-code",
    "CORE-CONFIG-35",
    "subtle",
    "An upload with a wrong password is rejected with another code.",
    (at) =>
      at.around("uploadConfiguration", async (call, proceed) => {
        try {
          return await proceed(call);
        } catch (thrown) {
          throw isConflict(thrown) ? thrown : badInput("file: it cannot be accepted", { code: 77 });
        }
      }),
  ],
  [
    "download-answers-json",
    "CORE-CONFIG-10",
    "plain",
    "`action` download returns the sections as JSON.",
    (at) =>
      at.around("exportConfiguration", (call, proceed) =>
        proceed(changed(call, { query: { ...call.query, action: "get-profile" } })),
      ),
  ],
  [
    "select-takes-the-beginning-of-a-name",
    "CORE-CONFIG-12",
    "subtle",
    "`select` with the beginning of an app's name selects that app.",
    (at) =>
      at.query("exportConfiguration", ({ select, ...query }) =>
        typeof select === "string"
          ? { ...query, select: select.replaceAll('"syste"', '"system"') }
          : { ...query, select },
      ),
  ],
]);
