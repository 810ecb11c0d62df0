import { observedConfigurationApps, observedConfigurationSections } from "../resources/configuration.ts";
import type { Requirement } from "./requirement.ts";

const shared = { group: "configuration", level: "stated", capability: "configuration" } as const;
const entry = (field: string) => ({
  ...shared,
  place: `Resources, Configuration section entry: ${field}`,
});
const result = { ...shared, place: "Resources, Configuration upload result" };
const exporting = { ...shared, place: "Endpoints 1, Export configurations" };
const uploading = { ...shared, place: "Endpoints 1, Upload configurations" };
const applying = { ...shared, place: "Endpoints 1, Apply configuration" };
const exportPassword = { ...shared, place: "Limits: Export password" };
const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

export const configurationRequirements: readonly Requirement[] = [
  { id: "CORE-CONFIG-01", ...entry("app"), statement: "`app` of a section entry is a string." },
  {
    id: "CORE-CONFIG-02",
    ...entry("labels"),
    statement: "`labels` of a section entry is an array of strings.",
  },
  { id: "CORE-CONFIG-03", ...entry("section"), statement: "`section` of a section entry is a string." },
  {
    id: "CORE-CONFIG-04",
    ...entry("app, section"),
    statement: `Section entries have the observed apps ${quoted(observedConfigurationApps)} and the observed sections ${quoted(observedConfigurationSections)}.`,
    untestable: "observed on one device; another device may have other apps and sections",
  },
  {
    id: "CORE-CONFIG-05",
    ...result,
    statement: "`diff` of the upload result is null or holds `current` and `imported`.",
  },
  {
    id: "CORE-CONFIG-06",
    ...result,
    statement: "`model` and `tpeversion` in `diff.current` and `diff.imported` are strings.",
  },
  { id: "CORE-CONFIG-07", ...result, statement: "`fileName` of the upload result is a string." },
  { id: "CORE-CONFIG-08", ...result, statement: "`fileSize` of the upload result is an integer." },
  {
    id: "CORE-CONFIG-09",
    ...exporting,
    statement:
      "`Export configurations` with `action=get-profile` returns the section entries in `data` and their number in `count`.",
  },
  {
    id: "CORE-CONFIG-10",
    ...exporting,
    statement: "`Export configurations` with `action=download` returns a file.",
  },
  {
    id: "CORE-CONFIG-11",
    ...exporting,
    statement: "An empty `select` of `Export configurations` selects every section.",
  },
  {
    id: "CORE-CONFIG-12",
    ...exporting,
    statement:
      "`select` of `Export configurations` with one `{app}` object selects the sections of that app and no others.",
  },
  {
    id: "CORE-CONFIG-13",
    ...exporting,
    statement:
      "`filter` of `Export configurations` with a `{labels}` object excludes the sections that carry one of these labels.",
  },
  {
    id: "CORE-CONFIG-14",
    ...exporting,
    statement:
      "`filter` of `Export configurations` excludes matching sections from those that `select` selects.",
  },
  {
    id: "CORE-CONFIG-15",
    ...exporting,
    statement:
      "`select` of `Export configurations` with several `{app}` objects selects the sections of each of these apps.",
  },
  {
    id: "CORE-CONFIG-16",
    ...exporting,
    statement:
      "`Export configurations` with an `action` other than `download` and `get-profile` is rejected, or carried out as the default `download`.",
  },
  {
    id: "CORE-CONFIG-17",
    ...exportPassword,
    statement: "The gateway rejects an export password without a digit.",
  },
  {
    id: "CORE-CONFIG-18",
    ...exportPassword,
    statement: "The gateway rejects an export password without a special character.",
  },
  {
    id: "CORE-CONFIG-19",
    ...exporting,
    statement:
      "`encryption` of `Export configurations` defaults to true: only false gives an unencrypted file.",
  },
  {
    id: "CORE-CONFIG-20",
    ...exporting,
    statement: "The export password defaults to the serial number of the device.",
  },
  {
    id: "CORE-CONFIG-21",
    ...uploading,
    statement:
      "`Upload configurations` accepts an encrypted file with the password that it was exported with.",
  },
  {
    id: "CORE-CONFIG-22",
    ...uploading,
    statement: "`Upload configurations` with `encryption` false accepts a file exported without encryption.",
  },
  {
    id: "CORE-CONFIG-23",
    ...uploading,
    statement:
      "The gateway does not apply an encrypted file whose password differs from the one that it was exported with.",
  },
  {
    id: "CORE-CONFIG-24",
    ...uploading,
    statement: "`fileSize` of the upload result is the size of the uploaded file.",
  },
  {
    id: "CORE-CONFIG-25",
    ...uploading,
    statement: "`diff` of the upload result is null when neither model name nor version conflicts.",
  },
  {
    id: "CORE-CONFIG-26",
    ...uploading,
    statement: "`Upload configurations` without `apply` changes no setting and causes no reboot.",
  },
  {
    id: "CORE-CONFIG-27",
    ...shared,
    place: "Errors: Upload configuration",
    statement:
      "The gateway rejects an upload whose model name or version differs from the device with 400 and `current` and `imported` in `data.diff`.",
  },
  {
    id: "CORE-CONFIG-28",
    ...uploading,
    level: "published",
    place: "Published binding, uploadConfiguration",
    statement: "The gateway rejects a file that it cannot extract.",
  },
  {
    id: "CORE-CONFIG-29",
    ...applying,
    statement:
      "`Apply configuration` accepts the name of an uploaded file and returns the upload result with `diff` null.",
  },
  {
    id: "CORE-CONFIG-30",
    ...applying,
    statement: "The gateway rejects `Apply configuration` with the name of a file that was not uploaded.",
  },
  {
    id: "CORE-CONFIG-31",
    ...applying,
    statement: "The system reboots 5 seconds after `Apply configuration`.",
  },
  {
    id: "CORE-CONFIG-32",
    ...applying,
    level: "recommended",
    source:
      "What the service does 1: export, import and apply; the interface does not state what an export contains",
    statement: "An applied configuration restores the exported settings.",
  },
  {
    id: "CORE-CONFIG-33",
    ...uploading,
    statement: "`Upload configurations` with `apply` true applies the configuration.",
  },
  {
    id: "CORE-CONFIG-34",
    ...exporting,
    place: "Published binding, exportConfiguration",
    statement: "The gateway rejects `Export configurations` with a malformed `select` or `filter`.",
    level: "published",
  },
  {
    id: "CORE-CONFIG-35",
    ...uploading,
    level: "published",
    declaredBy: "capabilities.published-errors",
    place: "Published binding, uploadConfiguration",
    statement: "The gateway rejects an upload with a wrong password with `error.code` 10001.",
  },
  {
    id: "CORE-CONFIG-36",
    ...uploading,
    statement: "`Upload configurations` returns the upload result in `data`.",
  },
  {
    id: "CORE-CONFIG-37",
    ...applying,
    statement: "`Apply configuration` returns the upload result in `data`.",
  },
  {
    id: "CORE-CONFIG-38",
    ...uploading,
    statement: "`encryption` of `Upload configurations` defaults to true.",
  },
  {
    id: "CORE-CONFIG-39",
    ...exporting,
    place: "Endpoints 1, Export configurations; Conventions, item 2",
    statement:
      "`count` of `Export configurations` with `action=get-profile` is the number of section entries in `data`.",
  },
  {
    id: "CORE-CONFIG-40",
    ...exporting,
    statement:
      "`action` of `Export configurations` defaults to `download` where the gateway accepts a request without it.",
  },
  {
    id: "CORE-CONFIG-42",
    ...applying,
    statement: "`Apply configuration` applies the uploaded file that `filename` names, and no other file.",
  },
  {
    id: "CORE-CONFIG-41",
    ...exportPassword,
    statement: "The gateway accepts an export password with a digit and a special character.",
  },
];
