import type { Requirement } from "./requirement.ts";

const shared = { group: "general", level: "stated" } as const;
const convention = (item: number) => ({ ...shared, place: `Conventions, item ${item}` });
const versioning = { ...shared, place: "Versioning" };

export const generalRequirements: readonly Requirement[] = [
  {
    id: "CORE-GENERAL-01",
    ...convention(2),
    statement:
      "The response of a successful JSON operation is an object, with the result in `data` where the interface shows `data`.",
  },
  {
    id: "CORE-GENERAL-02",
    ...convention(2),
    statement: "`count` of a list response is the number of items in `data`.",
  },
  {
    id: "CORE-GENERAL-03",
    ...convention(3),
    statement: "Every timestamp in a response is an RFC 3339 date-time with an offset.",
  },
  {
    id: "CORE-GENERAL-04",
    ...convention(1),
    statement: "`{base_url}` is the address of the service.",
    untestable: "a notation of the document; the suite is given the address",
  },
  {
    id: "CORE-GENERAL-05",
    ...convention(4),
    statement: "Placeholders such as `<role_id>` stand for values of the stated type.",
    untestable: "a notation of the document",
  },
  {
    id: "CORE-GENERAL-06",
    ...versioning,
    statement: "The interface is identified as Core, version 2.3.0.",
    untestable: "no operation returns the name or the version of the interface",
  },
  {
    id: "CORE-GENERAL-07",
    ...versioning,
    statement: "The tag service paths carry the prefix `/api/v1`.",
    untestable: "the binding in the profile determines the paths; no case contains a path",
  },
  {
    id: "CORE-GENERAL-08",
    ...shared,
    level: "published",
    declaredBy: "capabilities.published-errors",
    place: "Published binding, wire facts: error body",
    statement:
      "The body of a rejected request outside direct tag access holds `error` with an integer `code` and a string `message`.",
  },
  {
    id: "CORE-GENERAL-09",
    ...shared,
    place: "Endpoints: types and values of inputs; Errors: all other failure conditions",
    statement: "The gateway rejects an input of a wrong type or outside the values that the interface lists.",
  },
  {
    id: "CORE-GENERAL-10",
    ...shared,
    place: "Endpoints, operations that set or update; Errors: all other failure conditions",
    statement: "A set or an update that the gateway rejects changes no member of what it names.",
  },
  {
    id: "CORE-GENERAL-11",
    ...shared,
    place: "Resources, Disk entry",
    statement:
      "The log, event and upgrade configurations show the same `total`, `used`, `free` and `percent` for the same disk.",
  },
  {
    id: "CORE-GENERAL-12",
    ...shared,
    level: "published",
    declaredBy: "capabilities.published-media-types",
    place: "Published binding: exportConfiguration, getLog, getEvents",
    statement:
      "A downloaded configuration is `application/tar+gz`, a downloaded log is `application/zip`, and a stream of events is `text/event-stream`.",
  },
];
