// What stands in resources: more than the interface lists, other orders, other values where it has only observed some.
import type { Variations } from "./variation.ts";

const beyond = "the interface lists the members that are there, not those that are not";
const orders = "no order of this list is stated";
const observed = "the values in the document are observed ones, not all that there may be";

export const contentVariations = {
  "more-members": { differs: "every object has members that the interface does not know", freedom: beyond },
  "changing-members": {
    differs: "every object has a member beyond the interface that is another one at each reading",
    freedom: beyond,
  },
  "strict-inputs": {
    differs: "bodies with members that the interface does not list are refused",
    freedom: "what becomes of unknown members of a request is not stated",
  },
  "more-envelope": { differs: "answers have meta, links, status and count beside data", freedom: beyond },
  "lists-reversed": { differs: "all lists but pages of events in the opposite order", freedom: orders },
  "history-newest-first": { differs: "the history of a tag begins with the newest value", freedom: orders },
  "one-value-bare": {
    differs: "a monitor answer of one value has it without an array",
    freedom: "Endpoints 13: data is a tag value; published as an array and as an object",
  },
  "more-event-kinds": {
    differs: "kinds, categories and origins of events beyond the catalogue",
    freedom: observed,
  },
  "other-cloud-vendor": {
    differs: "the cloud vendor's categories have the vendor's name",
    freedom: "Events: a neutral word stands in the place of a name",
  },
  "more-apps": { differs: "more apps, with names of another kind", freedom: observed },
  "app-details": {
    differs: "versions, hardwares, icon, arch and license of apps filled in",
    freedom: observed,
  },
  "more-services": {
    differs: "services with ids that the list does not name, and a group of their own",
    freedom: observed,
  },
  "more-permissions": { differs: "permissions beyond the two observed ones", freedom: observed },
  "more-accounts": {
    differs: "users and roles that were there before, some with odd names",
    freedom: "nothing says who is there",
  },
  "more-disks": {
    differs: "several disks, some without room",
    freedom: "Log configuration: an array of disk entries",
  },
  "reminder-value": {
    differs: "remindToChangePassword has a value",
    freedom: "User: null or value",
  },
  "busy-log": {
    differs: "the gateway records events of its own all the time",
    freedom: "nothing says how often",
  },
  "large-ids": { differs: "ids beyond 32 bits", freedom: "ids are integers; no range is stated" },
  "other-model": {
    differs: "another model, version and serial number",
    freedom: "model and tpeversion are strings",
    profile: { gateway: { model: "Gate/9 (é)", version: "7.0-rc.1+b5" }, serialNumber: "SN#0042-7/A b" },
  },
  "other-defaults": {
    differs: "other settings than the reference gateway's from the start",
    freedom: "defaults of settings are not stated",
  },
  "odd-upload-names": {
    differs: "an uploaded file gets a name with blanks, signs and letters beyond ASCII",
    freedom: "Configuration upload result: fileName is a string",
  },
  "exports-with-parts": {
    differs: "an exported configuration names models of parts beside that of the device",
    freedom: "Endpoints 1: what is inside a downloaded file is open",
  },
  "sealed-exports": {
    differs: "an exported configuration has another format",
    freedom: "Endpoints 1: what is inside a downloaded file is open",
  },
  "long-tokens": {
    differs: "tokens of four thousand characters that are no JWT",
    freedom: "token is a string",
    aspect: "token form",
  },
  "short-tokens": {
    differs: "short opaque tokens that are forgotten at a reboot",
    freedom: "a token is a text, and how long it is good is open",
    aspect: "token form",
  },
  "token-life": {
    differs: "a sign-in lasts two minutes",
    freedom: "Authentication 7: how long a sign-in lasts is open",
    profile: { tokenLifetimeSec: 120 },
  },
} as const satisfies Variations;
