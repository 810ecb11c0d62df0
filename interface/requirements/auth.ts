import type { Requirement } from "./requirement.ts";

const shared = { group: "auth", level: "stated", capability: "auth" } as const;
const signIn = { ...shared, place: "Endpoints 9, Sign in" };
const wrongCredentials = { ...shared, place: "Errors: Sign in with wrong credentials" };
const websocket = { ...shared, place: "Endpoints 9, Get websocket token" };
const access = { ...shared, place: "Authentication 1 and 2" };
const declared = {
  ...shared,
  level: "declared",
  declaredBy: "binding.operations",
  place: "Profile: permission of each operation",
} as const;
const recommended = {
  ...shared,
  level: "recommended",
  source: "OWASP ASVS 4.0.3, 4.1.5 and 3.3.3; CWE-613: a change of rights takes effect for open sessions",
  place: "Authentication 2",
} as const;

export const authRequirements: readonly Requirement[] = [
  { id: "CORE-AUTH-01", ...signIn, statement: "`Sign in` returns `token` and `user` in `data`." },
  { id: "CORE-AUTH-02", ...signIn, statement: "`data.token` of `Sign in` is a string." },
  {
    id: "CORE-AUTH-03",
    ...signIn,
    statement: "`data.user` of `Sign in` is the record of the user who signed in.",
  },
  { id: "CORE-AUTH-04", ...signIn, statement: "`data.user` of `Sign in` has no `createdAt`." },
  { id: "CORE-AUTH-05", ...signIn, statement: "A successful `Sign in` returns 200." },
  {
    id: "CORE-AUTH-06",
    ...signIn,
    statement: "`Sign in` accepts a body with `acceptEULA` and a body without it.",
  },
  { id: "CORE-AUTH-07", ...signIn, statement: "The gateway rejects `Sign in` without `name`." },
  { id: "CORE-AUTH-08", ...signIn, statement: "The gateway rejects `Sign in` without `password`." },
  {
    id: "CORE-AUTH-09",
    ...wrongCredentials,
    statement: "The gateway rejects a wrong password in `Sign in` with 401.",
  },
  {
    id: "CORE-AUTH-10",
    ...wrongCredentials,
    statement: "The gateway rejects an unknown name in `Sign in` with 401.",
  },
  {
    id: "CORE-AUTH-11",
    ...shared,
    place: "Authentication 1",
    statement: "The token from `Sign in` authenticates the user who signed in, and no other user.",
  },
  { id: "CORE-AUTH-12", ...websocket, statement: "`Get websocket token` returns an object in `data`." },
  { id: "CORE-AUTH-13", ...websocket, statement: "`data.token` of `Get websocket token` is a string." },
  {
    id: "CORE-AUTH-14",
    ...websocket,
    statement: "The gateway rejects a websocket token in place of a sign-in token in every operation.",
  },
  {
    id: "CORE-AUTH-15",
    ...websocket,
    place: "Endpoints 9, Get websocket token; Authentication 4",
    statement: "A websocket token authenticates one websocket connection and no second one.",
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
    statement:
      "A websocket connection authenticates with a websocket token only, not with a sign-in token or any other text.",
    capability: "websocket",
  },
  {
    id: "CORE-AUTH-18",
    ...access,
    place: "Authentication 2",
    statement: "The gateway rejects an operation that needs a sign-in when the request has no token.",
  },
  {
    id: "CORE-AUTH-19",
    ...access,
    statement:
      "The gateway rejects an operation that needs a sign-in when the token was not issued by the gateway.",
  },
  {
    id: "CORE-AUTH-20",
    ...access,
    statement: "The gateway rejects an operation that needs a sign-in when the token has been altered.",
  },
  {
    id: "CORE-AUTH-21",
    ...shared,
    place: "Authentication 3",
    statement: "Tag operations accept the token in the request header `mx-api-token`.",
    capability: "tags",
  },
  {
    id: "CORE-AUTH-22",
    ...shared,
    place: "Authentication 7",
    statement: "Operations outside the tag service accept the sign-in token during its lifetime.",
    untestable:
      "the interface shows neither how the token is presented nor how long it lives; the profile declares both, and every other case relies on it",
  },
  {
    id: "CORE-AUTH-23",
    ...declared,
    statement:
      "The gateway rejects an operation from a user without the permission that the profile declares for it.",
  },
  {
    id: "CORE-AUTH-24",
    ...declared,
    statement:
      "The gateway accepts an operation from a user whose only permission is the one that the profile declares for it.",
  },
  {
    id: "CORE-AUTH-25",
    ...recommended,
    statement:
      "Removing a permission from a role takes effect immediately for all users of that role, including tokens already issued.",
  },
  {
    id: "CORE-AUTH-26",
    ...recommended,
    statement:
      "Adding a permission to a role takes effect immediately for all users of that role, including tokens already issued.",
  },
  {
    id: "CORE-AUTH-27",
    ...shared,
    level: "published",
    place: "Published binding, signIn; Resources, User: isActive",
    statement:
      "The gateway rejects `Sign in` of a user whose `isActive` is false, and accepts it after `isActive` is set to true.",
  },
  {
    id: "CORE-AUTH-28",
    ...shared,
    level: "published",
    place: "Published binding, signIn; Resources, User: expiredAfter",
    statement: "The gateway rejects `Sign in` of a user whose `expiredAfter` has passed.",
  },
  {
    id: "CORE-AUTH-29",
    ...shared,
    level: "published",
    place: "Resources, User: isActive",
    statement: "The gateway rejects tokens already issued to a user after `isActive` is set to false.",
  },
  {
    id: "CORE-AUTH-30",
    ...shared,
    level: "published",
    place: "Resources, User: expiredAfter",
    statement: "The gateway rejects tokens already issued to a user after `expiredAfter` has passed.",
  },
  {
    id: "CORE-AUTH-31",
    ...shared,
    level: "declared",
    declaredBy: "signInLock",
    place: "Profile: signInLock",
    statement: "The declared number of consecutive sign-in failures locks that user name and no other.",
    capability: "sign-in-lock",
  },
  {
    id: "CORE-AUTH-32",
    ...shared,
    level: "published",
    place: "Published binding, extension checkToken",
    statement: "The extension `checkToken` returns 200 for a valid token and 401 for any other.",
  },
  {
    id: "CORE-AUTH-33",
    ...shared,
    place: "Authentication 6",
    statement:
      "Export takes the file password from the header `password` and upload from the form field `password`, when `encryption` is true.",
    untestable: "tested by the requirements of the configuration group",
  },
  {
    id: "CORE-AUTH-34",
    ...access,
    statement:
      "A user may call a reading operation that one of their roles permits, whatever other roles they have.",
  },
  {
    id: "CORE-AUTH-35",
    ...access,
    statement:
      "The gateway rejects operations that change settings, services, roles, other users, apps or upgrades from a user without any permission.",
  },
  {
    id: "CORE-AUTH-36",
    ...access,
    statement:
      "`SYS_USER_RW` alone permits no change of settings, services or upgrades and no reboot, and `SYS_MAINTENANCE_RW` alone no change of roles and other users.",
  },
];
