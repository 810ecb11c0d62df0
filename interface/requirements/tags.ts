import type { Requirement } from "./requirement.ts";

const shared = { group: "tags", level: "stated", capability: "tags" } as const;
const tag = { ...shared, place: "Resources: Tag" };
const monitored = { ...shared, place: "Resources: Tag value, monitor result" };
const read = { ...shared, place: "Resources: Tag value, direct read result" };
const listing = { ...shared, place: "Endpoints 13, List tags" };
const monitoring = { ...shared, place: "Endpoints 13, Get monitoring tag values" };
const access = {
  ...shared,
  place: "Endpoints 13, Direct read and write",
  capability: "virtual-tags",
} as const;
const virtual = { ...shared, place: "Endpoints 13, virtual tags", capability: "virtual-tags" } as const;
const limits = { ...shared, place: "Limits", capability: "virtual-tags" } as const;
const stream = {
  ...shared,
  place: "Endpoints 13, Get monitoring tag values",
  capability: "tag-stream",
} as const;

export const tagsRequirements: readonly Requirement[] = [
  { id: "CORE-TAG-01", ...tag, statement: "A tag has its provider name as a string." },
  { id: "CORE-TAG-02", ...tag, statement: "A tag has its source name as a string." },
  { id: "CORE-TAG-03", ...tag, statement: "A tag has its name as a string." },
  { id: "CORE-TAG-04", ...tag, statement: "A tag has one of the 13 data types." },
  { id: "CORE-TAG-05", ...tag, statement: "A tag has its data size as an integer from 0 to 4294967295." },
  { id: "CORE-TAG-06", ...tag, statement: "A tag has its unit as a string of at most 16 characters." },
  { id: "CORE-TAG-07", ...tag, statement: "A tag has the access r, w or rw." },
  { id: "CORE-TAG-08", ...monitored, statement: "A monitored value names its provider." },
  { id: "CORE-TAG-09", ...monitored, statement: "A monitored value names its source." },
  { id: "CORE-TAG-10", ...monitored, statement: "A monitored value names its tag." },
  { id: "CORE-TAG-11", ...monitored, statement: "A monitored value has one of the 13 data types." },
  { id: "CORE-TAG-12", ...monitored, statement: "A monitored value has a value." },
  { id: "CORE-TAG-13", ...monitored, statement: "A monitored value has its unit as a string." },
  {
    id: "CORE-TAG-14",
    ...monitored,
    statement: "A monitored value has ts as an integer, milliseconds since the epoch.",
  },
  { id: "CORE-TAG-15", ...read, statement: "A direct read answers the provider name." },
  { id: "CORE-TAG-16", ...read, statement: "A direct read answers the source name." },
  { id: "CORE-TAG-17", ...read, statement: "A direct read answers the tag name." },
  {
    id: "CORE-TAG-18",
    ...read,
    statement: "A direct read answers the timestamp as a string of milliseconds.",
  },
  { id: "CORE-TAG-19", ...read, statement: "A direct read answers one of the 13 data types." },
  { id: "CORE-TAG-20", ...read, statement: "A direct read answers the value." },
  { id: "CORE-TAG-21", ...listing, statement: "List tags answers the tags under data." },
  { id: "CORE-TAG-22", ...monitoring, statement: "Monitoring answers the values of the source under data." },
  {
    id: "CORE-TAG-23",
    ...read,
    statement: "A direct read answers its result without a data member around it.",
  },
  { id: "CORE-TAG-24", ...virtual, statement: "Creating a virtual tag answers the tag under data." },
  { id: "CORE-TAG-25", ...virtual, statement: "Updating a virtual tag answers the tag under data." },
  { id: "CORE-TAG-26", ...virtual, statement: "Deleting a virtual tag answers a list of tags under data." },
  {
    id: "CORE-TAG-27",
    ...virtual,
    statement: "A virtual tag of every data type can be created and is listed as it was created.",
  },
  { id: "CORE-TAG-28", ...virtual, statement: "A virtual tag that was updated is listed as it was updated." },
  {
    id: "CORE-TAG-29",
    ...virtual,
    statement: "A virtual tag that was deleted is listed no more, and the others still are.",
  },
  {
    id: "CORE-TAG-30",
    ...access,
    statement: "A value that was written is read back exactly, for every data type and at its extremes.",
  },
  { id: "CORE-TAG-31", ...access, statement: "64-bit integers are not rounded." },
  { id: "CORE-TAG-32", ...access, statement: "A tag with access w cannot be read directly: 400." },
  {
    id: "CORE-TAG-33",
    ...access,
    statement: "A tag with access r cannot be written directly: 400 with a message.",
  },
  { id: "CORE-TAG-34", ...access, statement: "Tags with access r and rw can be read directly." },
  { id: "CORE-TAG-35", ...access, statement: "Tags with access w and rw can be written directly." },
  { id: "CORE-TAG-36", ...access, statement: "A malformed write is answered 400 with a message." },
  { id: "CORE-TAG-37", ...limits, statement: "Names of virtual tags may have 1024 characters." },
  { id: "CORE-TAG-38", ...limits, statement: "A provider name of more than 1024 characters is refused." },
  { id: "CORE-TAG-39", ...limits, statement: "A source name of more than 1024 characters is refused." },
  { id: "CORE-TAG-40", ...limits, statement: "A tag name of more than 1024 characters is refused." },
  { id: "CORE-TAG-41", ...limits, statement: "A unit of 0 and of 16 characters is taken." },
  { id: "CORE-TAG-42", ...limits, statement: "A unit of more than 16 characters is refused." },
  { id: "CORE-TAG-43", ...limits, statement: "A data size of 0 and of 4294967295 is taken." },
  { id: "CORE-TAG-44", ...limits, statement: "A data size below 0 or above 4294967295 is refused." },
  { id: "CORE-TAG-45", ...virtual, statement: "A data type that is none of the 13 is refused." },
  { id: "CORE-TAG-46", ...virtual, statement: "An access that is none of r, w and rw is refused." },
  {
    id: "CORE-TAG-47",
    ...virtual,
    statement: "A virtual tag without provider, source, name, data type or access is refused.",
  },
  {
    id: "CORE-TAG-48",
    ...monitoring,
    statement: "Monitoring answers the value that was last written.",
    capability: "virtual-tags",
  },
  {
    id: "CORE-TAG-49",
    ...monitoring,
    statement: "tags restricts monitoring to the named tags.",
    capability: "virtual-tags",
  },
  {
    id: "CORE-TAG-50",
    ...monitoring,
    statement: "ms answers the values of the last so many milliseconds.",
    capability: "virtual-tags",
  },
  { id: "CORE-TAG-51", ...stream, statement: "streamInterval opens a stream that answers at this interval." },
  {
    id: "CORE-TAG-52",
    ...stream,
    statement: "onChanged opens a stream that answers when a value changes: every change, in order.",
  },
  { id: "CORE-TAG-53", ...stream, statement: "onChanged does not answer while nothing changes." },
  { id: "CORE-TAG-54", ...stream, statement: "compute diff streams the difference to the value before." },
  { id: "CORE-TAG-55", ...stream, statement: "tags restricts a stream to the named tags." },
  {
    id: "CORE-TAG-56",
    ...shared,
    place: "Authentication 3",
    statement: "Tag operations take the token of sign-in in the header mx-api-token.",
    untestable: "the profile declares where the token travels; the published binding has this header",
  },
  {
    id: "CORE-TAG-57",
    ...virtual,
    level: "published",
    statement: "Deleting a virtual tag answers the virtual tags that remain.",
  },
  {
    id: "CORE-TAG-58",
    ...virtual,
    statement: "Updating or deleting a virtual tag that does not exist is refused.",
  },
  {
    id: "CORE-TAG-59",
    ...read,
    capability: "virtual-tags",
    statement:
      "A direct read right after a write has about the present time as its timestamp, in milliseconds.",
  },
  {
    id: "CORE-TAG-60",
    ...access,
    statement: "A value outside the range of its data type is refused.",
    level: "published",
  },
];
