// Which inputs are accepted, and how they are stored.
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { tagDataTypes } from "../../interface/resources/tags.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { bigUserIds } from "./bigIds.ts";
import { exactIntegers } from "./exactIntegers.ts";
import { strictInputs } from "./strictInputs.ts";
import type { Variations } from "./variation.ts";

const unknownMembers = "the interface does not state what happens to unknown members of a request";
const largestPage = 1000;
const longestFileName = 120;
const ownFileNames = { caFilename: "ca.pem", certFilename: "server.crt", keyFilename: "server.key" };
const pages = "Endpoints 10: limit is an integer; its range is not stated";

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value, or the one that is meant by another spelling, among those that the interface lists. */
function meant(
  value: unknown,
  listed: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const spelled = text(value);
  const word = others[spelled] ?? spelled.toLowerCase();
  if (!listed.includes(word)) throw badInput(`${spelled}: expected one of ${listed.join(", ")}`);
  return word;
}

export const inputVariations = {
  "more-words": {
    differs:
      "Apps take the action pause, monitoring the method sum, and virtual tags other spellings of their types",
    freedom: "the interface lists values; whether a gateway takes further ones with a meaning is not stated",
    install(at) {
      at.lenient("operateApp", "path", "action");
      at.around("operateApp", (call, proceed, ask) => {
        const action = meant(call.path["action"], ["start", "stop", "restart", "uninstall", "pause"]);
        return action === "pause" ? ask("getApp", { path: call.path }) : proceed(call);
      });
      at.lenient("monitorTags", "query", "compute");
      at.query("monitorTags", ({ compute, ...query }) =>
        compute === undefined || meant(compute, ["diff", "sum"]) === "sum" ? query : { ...query, compute },
      );
      at.lenient("createVirtualTag", "json", "dataType", "access");
      at.body("createVirtualTag", (body) => ({
        ...body,
        dataType: meant(body["dataType"], tagDataTypes),
        access: meant(body["access"], ["r", "w", "rw"], { wr: "rw" }),
      }));
    },
  },
  "strict-inputs": {
    differs: "Bodies with members that the interface does not list are rejected",
    freedom: unknownMembers,
    install: strictInputs,
  },
  "roles-need-a-permission": {
    differs: "A role without permissions is rejected",
    freedom: "Role: whether `permissions` may be empty is not stated",
    install: (at) =>
      at.around(["createRole", "updateRole"], (call, proceed) => {
        if (asList(call.body["permissions"]).length === 0 && Array.isArray(call.body["permissions"]))
          throw badInput("permissions: expected one at least");
        return proceed(call);
      }),
  },
  "one-form-of-user-names": {
    differs: "The name of a user is stored in small letters without spaces around it; sign-ins ignore both",
    freedom: "Roles and users: a name is a string; whether two spellings are one name is not stated",
    aspect: "names",
    install: (at) =>
      at.body(["addUser", "signIn"], (body) =>
        typeof body["name"] === "string" ? { ...body, name: body["name"].trim().toLowerCase() } : body,
      ),
  },
  "update-without-email-empties-it": {
    differs: "An update of a user without `email` removes the address",
    freedom: "Endpoints 8: what an update does with members that it does not have is not stated",
    install: (at) =>
      at.around(["updateUser", "updateCurrentUser"], (call, proceed) =>
        proceed(changed(call, { body: { email: null, ...call.body } })),
      ),
  },
  "own-permissions-only": {
    differs:
      "A role gets only permissions that its author holds, and a user only roles with such permissions",
    freedom: "Authentication 2: which rights a user may give is not stated",
    profile: {
      permissions: ["SYS_MAINTENANCE_RW", "SYS_USER_RW"],
      binding: { operations: { createRole: { permission: "SYS_USER_RW" } } },
    },
    install: (at) =>
      at.around(["createRole", "updateRole", "addUser", "updateUser"], async (call, proceed, ask) => {
        const given = asList(call.body["permissions"]);
        const ids = asList(call.body["roles"]).map((one) => fields(one)["id"] ?? one);
        const listed = ids.length === 0 ? undefined : await ask("listRoles");
        const roles = listed?.kind === "json" ? items(fields(listed.body)["data"]) : [];
        const granted = roles.flatMap(({ id, permissions }) => (ids.includes(id) ? asList(permissions) : []));
        const held = call.caller?.permissions;
        const wanted = [...given, ...granted];
        if (!wanted.every((permission) => held?.has(String(permission))))
          throw new Refusal(403, "permissions: the caller does not hold them");
        return proceed(call);
      }),
  },
  "strict-queries": {
    differs: "Query parameters that the interface does not list are rejected",
    freedom: "the interface does not state what happens to unknown query parameters",
    install: (at) =>
      at.request(({ id, query }) => {
        if (id === undefined || !isOperationId(id)) return undefined;
        const listed = Object.keys(operation(id).query?.properties ?? {});
        return [...query.keys()].every((name) => listed.includes(name)) ? undefined : 400;
      }),
  },
  "exact-integers": {
    differs: "timeToLiveSec is stored and answered exactly at any size",
    freedom: "Log and event configuration: timeToLiveSec is an integer; no range is stated",
    install: exactIntegers,
  },
  "user-ids-beyond-doubles": {
    differs: "Ids of users are above 2^53",
    freedom: "Resources: an id is an integer; no range is stated",
    install: bigUserIds,
  },
  "own-file-names": {
    differs: `A file name of more than ${longestFileName} characters is replaced by one of the gateway's own`,
    freedom: "Limits: which names of files are taken is not stated",
    install: (at) => {
      for (const id of ["updateHttpServer", "updateUpgradeConfiguration", "setUpgradeConfiguration"] as const)
        at.body(id, (body) => {
          const long = Object.entries(ownFileNames).filter(
            ([member]) => JSON.stringify(body[member] ?? "").length > longestFileName,
          );
          return { ...body, ...Object.fromEntries(long) };
        });
    },
  },
  "small-pages": {
    differs: `Pages of events with a limit above ${largestPage} are rejected`,
    freedom: pages,
    aspect: "largest page",
    install: (at) =>
      at.around("getEvents", (call, proceed) => {
        if (Number(call.query["limit"]) > largestPage)
          throw badInput(`query parameter limit: expected at most ${largestPage}`);
        return proceed(call);
      }),
  },
  "cut-pages": {
    differs: `A limit above ${largestPage} counts as ${largestPage}, which the answer shows`,
    freedom: pages,
    aspect: "largest page",
    install: (at) =>
      at.around("getEvents", (call, proceed) =>
        Number(call.query["limit"]) > largestPage
          ? proceed(changed(call, { query: { ...call.query, limit: largestPage } }))
          : proceed(call),
      ),
  },
} as const satisfies Variations;
