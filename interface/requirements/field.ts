// What the tag service promises, looked at with field devices behind the tags. Which register or node stands behind a
// tag is for the lab to say, so that all of it needs a rack.
import type { Requirement } from "./requirement.ts";

const shared = { group: "tags", needs: "field-devices", capability: "tags" } as const;
const live = { ...shared, level: "stated", place: "Scope 9, read live tag values" } as const;
const access = { ...shared, level: "stated", place: "Endpoints 13, Direct read and write" } as const;
const stream = {
  ...shared,
  level: "stated",
  place: "Endpoints 13, Get monitoring tag values",
  capability: "tag-stream",
} as const;
const declared = { ...shared, level: "declared", place: "The rack file" } as const;
const events = { ...declared, place: "Events, catalogue", capability: "events" } as const;
const performance = { ...declared, place: "The profile, throughput", capability: "tag-stream" } as const;

export const fieldRequirements: readonly Requirement[] = [
  {
    id: "CORE-FIELD-01",
    ...live,
    statement:
      "A direct read answers the value that the field device has, for every data type and order of words.",
  },
  {
    id: "CORE-FIELD-02",
    ...live,
    statement: "Monitoring answers the value that the field device has.",
  },
  {
    id: "CORE-FIELD-03",
    ...stream,
    statement: "A stream of changes shows every value that the field device takes, in order.",
  },
  {
    id: "CORE-FIELD-04",
    ...live,
    statement: "64-bit values of field devices are not rounded.",
  },
  {
    id: "CORE-FIELD-05",
    ...stream,
    statement: "A value that is not a number or infinite leaves answers and streams readable.",
  },
  {
    id: "CORE-FIELD-06",
    ...access,
    statement: "A direct write reaches the field device.",
  },
  {
    id: "CORE-FIELD-07",
    ...access,
    statement: "A value that was written to a field device is read back.",
  },
  {
    id: "CORE-FIELD-08",
    ...access,
    statement:
      "A tag of a field device with access r refuses to be written with 400, and the device keeps its value.",
  },
  {
    id: "CORE-FIELD-09",
    ...shared,
    level: "stated",
    place: "Endpoints 13, List tags",
    statement: "List tags answers the tags of the field devices with their data type and access.",
  },
  {
    id: "CORE-FIELD-10",
    ...declared,
    statement: "A field device that fails leaves the values of the others going on.",
  },
  {
    id: "CORE-FIELD-11",
    ...declared,
    statement: "The values of a field device go on by themselves when it is back.",
  },
  {
    id: "CORE-FIELD-12",
    ...live,
    statement: "A faulty answer of a field device never shows as a value that the device did not have.",
  },
  {
    id: "CORE-FIELD-13",
    ...events,
    statement: "A Modbus device that fails raises the event slave device failed.",
  },
  {
    id: "CORE-FIELD-14",
    ...events,
    statement: "A Modbus device that is back raises the event slave device connected.",
  },
  {
    id: "CORE-FIELD-15",
    ...events,
    statement:
      "A Modbus function that a device refuses raises the event function failed, and function recover later.",
  },
  {
    id: "CORE-FIELD-16",
    ...events,
    statement:
      "A master that connects, calls a wrong function and leaves raises the events of the catalogue for it.",
  },
  {
    id: "CORE-FIELD-17",
    ...events,
    statement:
      "Events of field devices come over the event stream and stand in the log, in the order in which they happened.",
  },
  {
    id: "CORE-FIELD-18",
    ...declared,
    statement: "After its app or service was stopped and started again the values of a field device go on.",
  },
  {
    id: "CORE-FIELD-19",
    ...declared,
    statement: "All tags of the rack show what their devices have, together.",
  },
  {
    id: "CORE-FIELD-20",
    ...stream,
    statement: "Several clients of a stream all receive every change, once and in order.",
  },
  {
    id: "CORE-FIELD-21",
    ...stream,
    statement: "A client that reads slowly or vanishes takes nothing from the other clients.",
  },
  {
    id: "CORE-FIELD-22",
    ...stream,
    statement: "A stream of a tag list holds the changes of those tags, and all of them.",
  },
  {
    id: "CORE-FIELD-23",
    ...stream,
    statement: "The differences of a stream with compute diff add up to what the value moved by.",
  },
  {
    id: "CORE-FIELD-24",
    ...performance,
    statement:
      "Changes reach all clients without loss, repeat or disorder at the rate that the profile declares.",
  },
  {
    id: "CORE-FIELD-25",
    ...performance,
    statement: "Changes reach a client within the latency that the profile declares.",
  },
  {
    id: "CORE-FIELD-26",
    ...performance,
    statement: "The declared rate is kept for a longer time.",
  },
  {
    id: "CORE-FIELD-27",
    ...declared,
    statement: "OPC UA clients browse the tags of the gateway's own server, read and write them.",
  },
  {
    id: "CORE-FIELD-28",
    ...declared,
    capability: "tag-stream",
    statement: "A stream brings no more values when its user may not read any longer.",
  },
  {
    id: "CORE-FIELD-29",
    ...declared,
    capability: "tag-stream",
    statement: "A stream brings no more values of an app or service that was stopped.",
  },
];
