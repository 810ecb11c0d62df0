import type { Requirement } from "./requirement.ts";

const shared = { group: "general", level: "stated" } as const;
const conventions = { ...shared, place: "Conventions" };
const versioning = { ...shared, place: "Versioning" };

export const generalRequirements: readonly Requirement[] = [
  {
    id: "CORE-GENERAL-01",
    ...conventions,
    statement:
      "The answer of a successful JSON operation is an object, with the result under data where the interface shows one.",
  },
  {
    id: "CORE-GENERAL-02",
    ...conventions,
    statement: "In a list answer count is the number of items in data.",
  },
  {
    id: "CORE-GENERAL-03",
    ...conventions,
    statement: "Timestamps in answers are RFC 3339 date-times with an offset.",
  },
  {
    id: "CORE-GENERAL-04",
    ...conventions,
    statement: "{base_url} is the address of the service.",
    untestable: "a notation of the document; the address is given to the suite",
  },
  {
    id: "CORE-GENERAL-05",
    ...conventions,
    statement: "Placeholders such as <role_id> stand for values of the stated type.",
    untestable: "a notation of the document",
  },
  {
    id: "CORE-GENERAL-06",
    ...versioning,
    statement: "The interface is Core, version 2.3.0.",
    untestable: "no operation answers the interface's name or version",
  },
  {
    id: "CORE-GENERAL-07",
    ...versioning,
    statement: "The paths of the tag service carry the prefix /api/v1.",
    untestable: "the profile's binding says how operations are called, so a case never sees a path",
  },
  {
    id: "CORE-GENERAL-08",
    ...shared,
    level: "published",
    place: "Published binding: wire facts",
    statement:
      "A refused request outside direct tag access answers an error object with an integer code and a message.",
  },
];
