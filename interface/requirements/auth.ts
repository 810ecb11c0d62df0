import type { Requirement } from "./requirement.ts";

const shared = { group: "auth", level: "stated", capability: "auth" } as const;
const signIn = { ...shared, place: "Endpoints 9, Sign in" };
const websocket = { ...shared, place: "Endpoints 9, Get websocket token" };
const access = { ...shared, place: "Authentication 2" };
const declared = { ...shared, level: "declared", place: "Profile: permission of each operation" } as const;

export const authRequirements: readonly Requirement[] = [
  { id: "CORE-AUTH-01", ...signIn, statement: "Sign in answers token and user under data." },
  { id: "CORE-AUTH-02", ...signIn, statement: "Sign in answers a string token." },
  { id: "CORE-AUTH-03", ...signIn, statement: "Sign in answers the record of the user who signed in." },
  { id: "CORE-AUTH-04", ...signIn, statement: "The user that Sign in answers has no createdAt." },
  { id: "CORE-AUTH-05", ...signIn, statement: "A successful Sign in has status 200." },
  { id: "CORE-AUTH-06", ...signIn, statement: "Sign in takes a body with acceptEULA and a body without it." },
  { id: "CORE-AUTH-07", ...signIn, statement: "Sign in requires a name." },
  { id: "CORE-AUTH-08", ...signIn, statement: "Sign in requires a password." },
  {
    id: "CORE-AUTH-09",
    ...signIn,
    place: "Endpoints 9, Sign in; Errors",
    statement: "Sign in with a wrong password is refused with 401.",
  },
  {
    id: "CORE-AUTH-10",
    ...signIn,
    place: "Endpoints 9, Sign in; Errors",
    statement: "Sign in with a name that no user has is refused with 401.",
  },
  {
    id: "CORE-AUTH-11",
    ...shared,
    place: "Authentication 1",
    statement: "The token that Sign in answers lets its user, and nobody else, use the operations.",
  },
  { id: "CORE-AUTH-12", ...websocket, statement: "Get websocket token answers an object under data." },
  { id: "CORE-AUTH-13", ...websocket, statement: "Get websocket token answers a string token." },
  {
    id: "CORE-AUTH-14",
    ...websocket,
    statement: "The websocket token is not taken as a sign-in token by any operation.",
  },
  {
    id: "CORE-AUTH-15",
    ...websocket,
    place: "Endpoints 9, Get websocket token; Authentication 4",
    statement: "A websocket token opens one websocket and no second one.",
    capability: "websocket",
  },
  {
    id: "CORE-AUTH-16",
    ...websocket,
    place: "Authentication 4; Limits: Websocket token validity",
    statement: "A websocket token is valid for 30 seconds.",
    capability: "websocket",
  },
  {
    id: "CORE-AUTH-17",
    ...websocket,
    place: "Authentication 4",
    statement: "A websocket opens only with a websocket token, not with a sign-in token or any other text.",
    capability: "websocket",
  },
  {
    id: "CORE-AUTH-18",
    ...access,
    statement: "An operation that needs a sign-in is refused to a caller without a token.",
  },
  {
    id: "CORE-AUTH-19",
    ...access,
    place: "Authentication 1 and 2",
    statement:
      "An operation that needs a sign-in is refused to a caller whose token is no token of the gateway.",
  },
  {
    id: "CORE-AUTH-20",
    ...access,
    place: "Authentication 1 and 2",
    statement: "An operation that needs a sign-in is refused to a caller whose token was altered.",
  },
  {
    id: "CORE-AUTH-21",
    ...shared,
    place: "Authentication 3",
    statement: "Tag operations take the token in the request header mx-api-token.",
    capability: "tags",
  },
  {
    id: "CORE-AUTH-22",
    ...shared,
    place: "Authentication 7",
    statement:
      "How a sign-in token is presented to the operations outside the tag service, and how long it lives.",
    untestable: "not shown in the document; the profile declares it and every other case uses it so",
  },
  {
    id: "CORE-AUTH-23",
    ...declared,
    statement: "An operation is refused to a user who lacks the permission that the profile names for it.",
  },
  {
    id: "CORE-AUTH-24",
    ...declared,
    statement: "An operation is open to a user who has just the permission that the profile names for it.",
  },
  {
    id: "CORE-AUTH-25",
    ...declared,
    statement:
      "A permission taken from a role is taken from the role's users at once, also with their present tokens.",
  },
  {
    id: "CORE-AUTH-26",
    ...declared,
    statement:
      "A permission given to a role is given to the role's users at once, also with their present tokens.",
  },
  {
    id: "CORE-AUTH-27",
    ...shared,
    level: "published",
    place: "Published binding: signIn; Resources: User, isActive",
    statement: "A user who is not active is refused at sign-in, and let in again once active.",
  },
  {
    id: "CORE-AUTH-28",
    ...shared,
    level: "published",
    place: "Published binding: signIn; Resources: User, expiredAfter",
    statement: "A user whose expiredAfter has passed is refused at sign-in.",
  },
  {
    id: "CORE-AUTH-29",
    ...shared,
    level: "published",
    place: "Resources: User, isActive",
    statement: "A user who was set inactive is refused also with a token obtained before.",
  },
  {
    id: "CORE-AUTH-30",
    ...shared,
    level: "published",
    place: "Resources: User, expiredAfter",
    statement: "A user whose expiredAfter has passed is refused also with a token obtained before.",
  },
  {
    id: "CORE-AUTH-31",
    ...shared,
    level: "declared",
    place: "Profile: signInLock",
    statement: "As many sign-in failures in a row as the profile names lock the name, and only this name.",
    capability: "sign-in-lock",
  },
  {
    id: "CORE-AUTH-32",
    ...shared,
    level: "published",
    place: "Published binding: checkToken",
    statement: "The extension that checks a token answers 200 to a valid token and 401 to any other.",
  },
  {
    id: "CORE-AUTH-33",
    ...shared,
    place: "Authentication 6",
    statement:
      "The header or field password of a configuration export or upload serves the file, not the sign-in.",
    untestable: "decided by the requirements of the configuration group",
  },
];
