import { observedConfigurationApps, observedConfigurationSections } from "../resources/configuration.ts";
import type { Requirement } from "./requirement.ts";

const shared = { group: "configuration", level: "stated", capability: "configuration" } as const;
const entry = { ...shared, place: "Resources: Configuration section entry" };
const result = { ...shared, place: "Resources: Configuration upload result" };
const exporting = { ...shared, place: "Endpoints 1, Export configurations" };
const uploading = { ...shared, place: "Endpoints 1, Upload configurations" };
const applying = { ...shared, place: "Endpoints 1, Apply configuration" };

export const configurationRequirements: readonly Requirement[] = [
  { id: "CORE-CONFIG-01", ...entry, statement: "A section entry names the app it belongs to as a string." },
  { id: "CORE-CONFIG-02", ...entry, statement: "A section entry has labels as an array of strings." },
  { id: "CORE-CONFIG-03", ...entry, statement: "A section entry names its section as a string." },
  {
    id: "CORE-CONFIG-04",
    ...entry,
    statement: `Observed are the apps ${observedConfigurationApps.join(", ")} and the sections ${observedConfigurationSections.join(", ")}.`,
    untestable: "observed on one device; another may have other sections",
  },
  {
    id: "CORE-CONFIG-05",
    ...result,
    statement: "The upload result has diff, which is null or holds current and imported.",
  },
  {
    id: "CORE-CONFIG-06",
    ...result,
    statement: "current and imported of a diff hold model and tpeversion as strings.",
  },
  { id: "CORE-CONFIG-07", ...result, statement: "The upload result has fileName as a string." },
  { id: "CORE-CONFIG-08", ...result, statement: "The upload result has fileSize as an integer." },
  {
    id: "CORE-CONFIG-09",
    ...exporting,
    statement: "get-profile answers the section entries under data with their number in count.",
  },
  { id: "CORE-CONFIG-10", ...exporting, statement: "action download answers a file." },
  { id: "CORE-CONFIG-11", ...exporting, statement: "An empty select selects every section." },
  {
    id: "CORE-CONFIG-12",
    ...exporting,
    statement: "select with {app} selects the sections of that app and no others.",
  },
  {
    id: "CORE-CONFIG-13",
    ...exporting,
    statement: "filter with {labels} excludes the sections that carry such a label.",
  },
  { id: "CORE-CONFIG-14", ...exporting, statement: "filter excludes also from what select has selected." },
  {
    id: "CORE-CONFIG-15",
    ...exporting,
    statement: "select of several apps selects the sections of each of them.",
  },
  {
    id: "CORE-CONFIG-16",
    ...exporting,
    statement: "An action that is neither download nor get-profile is refused.",
  },
  { id: "CORE-CONFIG-17", ...exporting, statement: "An export password without a digit is refused." },
  {
    id: "CORE-CONFIG-18",
    ...exporting,
    statement: "An export password without a special character is refused.",
  },
  { id: "CORE-CONFIG-19", ...exporting, statement: "An export is encrypted unless encryption is false." },
  {
    id: "CORE-CONFIG-20",
    ...exporting,
    statement: "The default export password is the serial number of the device.",
  },
  {
    id: "CORE-CONFIG-21",
    ...uploading,
    statement: "A file that was exported with a password is taken with the same password.",
  },
  {
    id: "CORE-CONFIG-22",
    ...uploading,
    statement: "A file that was exported without encryption is taken with encryption false.",
  },
  {
    id: "CORE-CONFIG-23",
    ...uploading,
    statement: "An encrypted file is not applied with a password other than the one it was exported with.",
  },
  { id: "CORE-CONFIG-24", ...uploading, statement: "fileSize is the size of the file that was uploaded." },
  { id: "CORE-CONFIG-25", ...uploading, statement: "An upload without conflict answers diff null." },
  {
    id: "CORE-CONFIG-26",
    ...uploading,
    statement: "Without apply an upload changes no setting and causes no reboot.",
  },
  {
    id: "CORE-CONFIG-27",
    ...shared,
    place: "Errors",
    statement:
      "An upload whose model or version differs from the device is answered 400 with both under data.diff.",
  },
  {
    id: "CORE-CONFIG-28",
    ...uploading,
    level: "published",
    statement: "A file that cannot be extracted is refused.",
  },
  {
    id: "CORE-CONFIG-29",
    ...applying,
    statement: "Apply takes the name of an uploaded file and answers the upload result with diff null.",
  },
  { id: "CORE-CONFIG-30", ...applying, statement: "Apply of a name that was never uploaded is refused." },
  {
    id: "CORE-CONFIG-31",
    ...applying,
    statement: "The system reboots 5 seconds after a configuration was applied.",
  },
  {
    id: "CORE-CONFIG-32",
    ...applying,
    level: "declared",
    statement: "An applied configuration brings back the settings it was exported with.",
  },
  { id: "CORE-CONFIG-33", ...uploading, statement: "An upload with apply true applies the configuration." },
  {
    id: "CORE-CONFIG-34",
    ...exporting,
    statement: "Malformed select or filter is refused.",
    level: "published",
  },
  {
    id: "CORE-CONFIG-35",
    ...uploading,
    level: "published",
    statement: "A wrong password is refused with error code 10001.",
  },
  {
    id: "CORE-CONFIG-36",
    ...uploading,
    statement: "Upload configurations answers the upload result under data.",
  },
  {
    id: "CORE-CONFIG-37",
    ...applying,
    statement: "Apply configuration answers the upload result under data.",
  },
  {
    id: "CORE-CONFIG-38",
    ...uploading,
    statement: "Without encryption an upload takes an encrypted file, because encryption is true by default.",
  },
  {
    id: "CORE-CONFIG-39",
    ...exporting,
    place: "Endpoints 1, Export configurations; Conventions",
    statement: "count of get-profile is the number of the sections under data.",
  },
  {
    id: "CORE-CONFIG-40",
    ...exporting,
    statement: "An export without action, where it is taken, is a download.",
  },
  {
    id: "CORE-CONFIG-41",
    ...exporting,
    place: "Endpoints 1, Export configurations; Limits: Export password",
    statement: "An export password with a digit and a special character is taken.",
  },
];
