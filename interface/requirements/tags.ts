import type { Requirement } from "./requirement.ts";

const shared = { group: "tags", level: "stated", capability: "tags" } as const;
const tag = (field: string) => ({ ...shared, place: `Resources, Tag: ${field}` });
const monitored = { ...shared, place: "Resources, Tag value: monitor result" };
const read = { ...shared, place: "Resources, Tag value: direct read result" };
const listing = { ...shared, place: "Endpoints 13, List tags" };
const monitoring = { ...shared, place: "Endpoints 13, Get monitoring tag values" };
const history = (parameter: string) =>
  ({ ...shared, place: `Endpoints 13, Monitor query: ${parameter}`, capability: "virtual-tags" }) as const;
const access = {
  ...shared,
  place: "Endpoints 13, Direct read and write by tag",
  capability: "virtual-tags",
} as const;
const refused = { ...access, place: "Errors: Direct tag read or write" } as const;
const virtual = (operation: "Create" | "Update" | "Delete") =>
  ({ ...shared, place: `Endpoints 13, ${operation} virtual tag`, capability: "virtual-tags" }) as const;
const limit = (item: string) =>
  ({ ...shared, place: `Limits: Tag ${item}`, capability: "virtual-tags" }) as const;
const stream = (parameter: string) =>
  ({ ...shared, place: `Endpoints 13, Monitor query: ${parameter}`, capability: "tag-stream" }) as const;

export const tagsRequirements: readonly Requirement[] = [
  { id: "CORE-TAG-01", ...tag("prvdName"), statement: "`prvdName` of a tag is a string." },
  { id: "CORE-TAG-02", ...tag("srcName"), statement: "`srcName` of a tag is a string." },
  { id: "CORE-TAG-03", ...tag("tagName"), statement: "`tagName` of a tag is a string." },
  { id: "CORE-TAG-04", ...tag("dataType"), statement: "`dataType` of a tag is one of the 13 data types." },
  {
    id: "CORE-TAG-05",
    ...tag("dataSize"),
    statement: "`dataSize` of a tag is an integer from 0 to 4294967295.",
  },
  {
    id: "CORE-TAG-06",
    ...tag("dataUnit"),
    statement: "`dataUnit` of a tag is a string of 0 to 16 characters.",
  },
  { id: "CORE-TAG-07", ...tag("access"), statement: "`access` of a tag is `r`, `w` or `rw`." },
  { id: "CORE-TAG-08", ...monitored, statement: "`prvdName` of a monitor result is a string." },
  { id: "CORE-TAG-09", ...monitored, statement: "`srcName` of a monitor result is a string." },
  { id: "CORE-TAG-10", ...monitored, statement: "`tagName` of a monitor result is a string." },
  {
    id: "CORE-TAG-11",
    ...monitored,
    statement: "`dataType` of a monitor result is one of the 13 data types.",
  },
  { id: "CORE-TAG-12", ...monitored, statement: "A monitor result holds `dataValue`." },
  {
    id: "CORE-TAG-13",
    ...monitored,
    statement: "`dataUnit` of a monitor result is a string: the unit of its tag.",
  },
  {
    id: "CORE-TAG-14",
    ...monitored,
    statement: "`ts` of a monitor result is an integer, in milliseconds since the epoch.",
  },
  { id: "CORE-TAG-15", ...read, statement: "`prvdName` of a direct read result is a string." },
  { id: "CORE-TAG-16", ...read, statement: "`srcName` of a direct read result is a string." },
  { id: "CORE-TAG-17", ...read, statement: "`tagName` of a direct read result is a string." },
  {
    id: "CORE-TAG-18",
    ...read,
    statement: "`timestamp` of a direct read result is a string of milliseconds.",
  },
  {
    id: "CORE-TAG-19",
    ...read,
    statement: "`dataType` of a direct read result is one of the 13 data types.",
  },
  { id: "CORE-TAG-20", ...read, statement: "A direct read result holds `dataValue`." },
  { id: "CORE-TAG-21", ...listing, statement: "`List tags` returns the tags in `data`." },
  {
    id: "CORE-TAG-22",
    ...monitoring,
    statement: "`Get monitoring tag values` returns the values of the source in `data`.",
  },
  {
    id: "CORE-TAG-23",
    ...shared,
    place: "Endpoints 13, Direct read by tag",
    statement: "`Direct read by tag` returns the direct read result without a `data` wrapper.",
  },
  { id: "CORE-TAG-24", ...virtual("Create"), statement: "`Create virtual tag` returns the tag in `data`." },
  { id: "CORE-TAG-25", ...virtual("Update"), statement: "`Update virtual tag` returns the tag in `data`." },
  {
    id: "CORE-TAG-26",
    ...virtual("Delete"),
    statement: "`Delete virtual tag` returns an array of tags in `data`.",
  },
  {
    id: "CORE-TAG-27",
    ...virtual("Create"),
    statement: "`Create virtual tag` accepts every data type, and `List tags` shows the tag as created.",
  },
  {
    id: "CORE-TAG-28",
    ...virtual("Update"),
    statement: "`List tags` shows an updated virtual tag with the values that were sent.",
  },
  {
    id: "CORE-TAG-29",
    ...virtual("Delete"),
    statement: "`List tags` no longer contains a deleted virtual tag and still contains the other tags.",
  },
  {
    id: "CORE-TAG-30",
    ...access,
    statement:
      "`Direct read by tag` returns exactly the written value, for every data type and at its extremes.",
  },
  { id: "CORE-TAG-31", ...access, statement: "64-bit integers are written and read without rounding." },
  {
    id: "CORE-TAG-32",
    ...refused,
    statement: "The gateway rejects `Direct read by tag` of a tag with access `w` with 400.",
  },
  {
    id: "CORE-TAG-33",
    ...refused,
    statement:
      "The gateway rejects `Direct write by tag` of a tag with access `r` with 400 and a string `message`.",
  },
  {
    id: "CORE-TAG-34",
    ...access,
    statement: "`Direct read by tag` returns the value of tags with access `r` and `rw`.",
  },
  {
    id: "CORE-TAG-35",
    ...access,
    statement: "`Direct write by tag` accepts values for tags with access `w` and `rw`.",
  },
  {
    id: "CORE-TAG-36",
    ...refused,
    statement: "The gateway rejects a malformed `Direct write by tag` with 400 and a string `message`.",
  },
  {
    id: "CORE-TAG-37",
    ...limit("prvdName, srcName, tagName"),
    statement: "`prvdName`, `srcName` and `tagName` of a virtual tag accept 1024 characters.",
  },
  {
    id: "CORE-TAG-38",
    ...limit("prvdName"),
    statement: "The gateway rejects a virtual tag whose `prvdName` has more than 1024 characters.",
  },
  {
    id: "CORE-TAG-39",
    ...limit("srcName"),
    statement: "The gateway rejects a virtual tag whose `srcName` has more than 1024 characters.",
  },
  {
    id: "CORE-TAG-40",
    ...limit("tagName"),
    statement: "The gateway rejects a virtual tag whose `tagName` has more than 1024 characters.",
  },
  {
    id: "CORE-TAG-41",
    ...limit("dataUnit"),
    statement: "`dataUnit` of a virtual tag accepts 0 and 16 characters.",
  },
  {
    id: "CORE-TAG-42",
    ...limit("dataUnit"),
    statement: "The gateway rejects a virtual tag whose `dataUnit` has more than 16 characters.",
  },
  {
    id: "CORE-TAG-43",
    ...limit("dataSize"),
    statement: "`dataSize` of a virtual tag accepts 0 and 4294967295.",
  },
  {
    id: "CORE-TAG-44",
    ...limit("dataSize"),
    statement: "The gateway rejects a virtual tag whose `dataSize` is below 0 or above 4294967295.",
  },
  {
    id: "CORE-TAG-45",
    ...virtual("Create"),
    statement: "The gateway rejects a virtual tag whose `dataType` is not one of the 13 data types.",
  },
  {
    id: "CORE-TAG-46",
    ...virtual("Create"),
    statement: "The gateway rejects a virtual tag whose `access` is not `r`, `w` or `rw`.",
  },
  {
    id: "CORE-TAG-47",
    ...virtual("Create"),
    statement:
      "The gateway rejects a virtual tag without `prvdName`, `srcName`, `tagName`, `dataType` or `access`.",
  },
  {
    id: "CORE-TAG-48",
    ...monitoring,
    statement: "`Get monitoring tag values` returns the last written value.",
    capability: "virtual-tags",
  },
  {
    id: "CORE-TAG-49",
    ...history("tags"),
    statement: "`tags` restricts `Get monitoring tag values` to the named tags.",
  },
  {
    id: "CORE-TAG-50",
    ...history("ms"),
    statement:
      "`Get monitoring tag values` with `ms` returns the values of the last `ms` milliseconds, or the one of that time.",
  },
  {
    id: "CORE-TAG-51",
    ...stream("streamInterval"),
    statement: "`streamInterval` opens an HTTP stream that sends values at this interval in milliseconds.",
  },
  {
    id: "CORE-TAG-52",
    ...stream("onChanged"),
    statement: "`onChanged` opens an HTTP stream that sends every change of a tag value, in order.",
  },
  {
    id: "CORE-TAG-53",
    ...stream("onChanged"),
    statement: "A stream with `onChanged` sends no value while no tag value changes.",
  },
  {
    id: "CORE-TAG-54",
    ...stream("compute"),
    statement: "A stream with `compute=diff` sends the difference from the previous value.",
  },
  { id: "CORE-TAG-55", ...stream("tags"), statement: "`tags` restricts a stream to the named tags." },
  {
    id: "CORE-TAG-56",
    ...shared,
    place: "Authentication 3",
    statement: "Tag operations accept the sign-in token in the request header `mx-api-token`.",
    untestable: "the profile declares how the token is presented; the published binding uses this header",
  },
  {
    id: "CORE-TAG-57",
    ...virtual("Delete"),
    level: "published",
    place: "Published binding, deleteVirtualTag",
    statement: "`Delete virtual tag` returns the remaining virtual tags.",
  },
  {
    id: "CORE-TAG-58",
    ...virtual("Update"),
    place: "Endpoints 13, Update and Delete virtual tag",
    statement:
      "The gateway rejects `Update virtual tag` and `Delete virtual tag` for a virtual tag that does not exist.",
  },
  {
    id: "CORE-TAG-59",
    ...read,
    capability: "virtual-tags",
    statement:
      "`timestamp` of a direct read immediately after a write is the current time, in milliseconds since the epoch.",
  },
  {
    id: "CORE-TAG-60",
    ...access,
    statement: "The gateway rejects `Direct write by tag` with a value outside the range of the data type.",
    level: "published",
  },
  {
    id: "CORE-TAG-61",
    ...listing,
    level: "published",
    place: "Published binding, listTags",
    statement: "`provider` restricts `List tags` to the tags of this provider.",
  },
  {
    id: "CORE-TAG-62",
    ...virtual("Create"),
    statement: "Tags that differ in `prvdName`, `srcName` or `tagName` are different tags.",
  },
];
