// Requirements on the tag service that need field devices behind the tags. The rack file says which register or node
// a tag shows, since the interface does not.
import type { Requirement } from "./requirement.ts";

const shared = { group: "tags", needs: "field-devices", capability: "tags" } as const;
const live = { ...shared, level: "stated", place: "What the service does 9: read live tag values" } as const;
const access = { ...shared, level: "stated", place: "Endpoints 13, Direct write by tag" } as const;
const stream = {
  ...shared,
  level: "stated",
  place: "Endpoints 13, Get monitoring tag values",
  capability: "tag-stream",
} as const;
const onChanged = { ...stream, place: "Endpoints 13, Monitor query: onChanged" } as const;
const declared = {
  ...shared,
  level: "declared",
  declaredBy: "rack.field",
  place: "Rack file: field devices",
} as const;
const recommended = {
  ...shared,
  level: "recommended",
  source: "IEC 62443-4-2, CR 7.1 and 7.4: a failed part affects no other, and recovers",
  place: "Rack file: field devices",
} as const;
const events = (names: string) =>
  ({
    ...recommended,
    source: "Events, catalogue: the interface lists the kind and does not state when it is recorded",
    place: `Events, catalogue: ${names}`,
    capability: "events",
  }) as const;
const performance = {
  ...declared,
  declaredBy: "throughput",
  place: "Profile: throughput",
  capability: "tag-stream",
} as const;
const ending = {
  ...recommended,
  source: "OWASP ASVS 4.0.3, 3.3; CWE-613: what ends a right ends what is open by it",
  capability: "tag-stream",
} as const;

export const fieldRequirements: readonly Requirement[] = [
  {
    id: "CORE-FIELD-01",
    ...live,
    statement:
      "`Direct read by tag` returns the current value of the field device, for every data type and word order.",
  },
  {
    id: "CORE-FIELD-02",
    ...live,
    statement: "`Get monitoring tag values` returns the current value of the field device.",
  },
  {
    id: "CORE-FIELD-03",
    ...onChanged,
    statement: "A stream with `onChanged` sends every value that the field device takes, in order.",
  },
  {
    id: "CORE-FIELD-04",
    ...live,
    statement: "64-bit values of field devices are read without rounding.",
  },
  {
    id: "CORE-FIELD-05",
    ...stream,
    statement: "Responses and streams remain valid when a field device has the value NaN or infinity.",
  },
  {
    id: "CORE-FIELD-06",
    ...access,
    statement: "`Direct write by tag` writes the value to the field device.",
  },
  {
    id: "CORE-FIELD-07",
    ...access,
    statement: "A value written to a field device reads back unchanged.",
  },
  {
    id: "CORE-FIELD-08",
    ...access,
    place: "Endpoints 13, Direct write by tag; Errors: Direct tag read or write",
    statement:
      "The gateway rejects `Direct write by tag` of a field device tag with access `r` with 400, and the device value does not change.",
  },
  {
    id: "CORE-FIELD-09",
    ...shared,
    level: "stated",
    place: "Endpoints 13, List tags",
    statement: "`List tags` contains the tags of the field devices with their `dataType` and `access`.",
  },
  {
    id: "CORE-FIELD-10",
    ...recommended,
    statement: "When one field device fails, values of the other devices keep updating.",
  },
  {
    id: "CORE-FIELD-11",
    ...recommended,
    statement:
      "Values of a failed field device update again without intervention when the device is available.",
  },
  {
    id: "CORE-FIELD-12",
    ...live,
    statement:
      "The gateway never shows a value that the field device did not have, including after an invalid reply of the device.",
  },
  {
    id: "CORE-FIELD-13",
    ...events("slave device failed"),
    statement: "The gateway records the event `slave device failed` when a Modbus device fails.",
  },
  {
    id: "CORE-FIELD-14",
    ...events("slave device connected"),
    statement:
      "The gateway records the event `slave device connected` when a failed Modbus device is available again.",
  },
  {
    id: "CORE-FIELD-15",
    ...events("function failed, function recover"),
    statement:
      "The gateway records the event `function failed` when a Modbus device rejects a function, and `function recover` when it accepts it again.",
  },
  {
    id: "CORE-FIELD-16",
    ...events("ids 45 to 47"),
    statement:
      "The gateway records the catalogue events for a Modbus client that connects, calls a wrong function and disconnects.",
  },
  {
    id: "CORE-FIELD-17",
    ...events("modbus"),
    statement:
      "The event stream and the event log contain the events of field devices in the order in which they occurred.",
  },
  {
    id: "CORE-FIELD-18",
    ...recommended,
    statement:
      "Values of a field device update again after the app or service that reads the device is stopped and started.",
  },
  {
    id: "CORE-FIELD-19",
    ...declared,
    statement: "All tags of the rack show the current values of their devices at the same time.",
  },
  {
    id: "CORE-FIELD-20",
    ...onChanged,
    statement: "Every one of several stream clients receives every change once and in order.",
  },
  {
    id: "CORE-FIELD-21",
    ...onChanged,
    statement: "A stream client that reads slowly or disconnects causes no lost change for other clients.",
  },
  {
    id: "CORE-FIELD-22",
    ...stream,
    place: "Endpoints 13, Monitor query: tags, onChanged",
    statement: "A stream with a list of tags sends every change of these tags and of no other tag.",
  },
  {
    id: "CORE-FIELD-23",
    ...stream,
    place: "Endpoints 13, Monitor query: compute",
    statement: "The sum of the differences in a stream with `compute=diff` equals the change of the value.",
  },
  {
    id: "CORE-FIELD-24",
    ...performance,
    statement: "Every client receives every change once and in order at the rate that the profile declares.",
  },
  {
    id: "CORE-FIELD-25",
    ...performance,
    statement: "A client receives every change within the latency that the profile declares.",
  },
  {
    id: "CORE-FIELD-26",
    ...performance,
    statement: "The gateway sustains the declared rate over a longer time.",
  },
  {
    id: "CORE-FIELD-27",
    ...declared,
    declaredBy: "rack.servers",
    statement: "The OPC UA server of the gateway lets clients browse, read and write its tags.",
  },
  {
    id: "CORE-FIELD-28",
    ...ending,
    statement: "A stream sends no more values after its user has lost the permission to read.",
  },
  {
    id: "CORE-FIELD-29",
    ...ending,
    statement: "A stream sends no more values of an app or service after it is stopped.",
  },
  {
    id: "CORE-FIELD-30",
    ...recommended,
    source: "OPC 10000-4 1.04, 5.12.2.1: a monitored item whose node is removed reports Bad_NodeIdUnknown",
    capability: "virtual-tags",
    statement: "A stream sends no more values of a tag after it is deleted.",
  },
];
