// The calls of the contract. They change nothing on the gateway except what their states set up.
import type { OperationId } from "../../interface/operations/index.ts";
import { type ContractPart, type Interaction, Provided } from "./interaction.ts";
import type { StateName } from "./states.ts";

const signedIn: StateName = "the administrator is signed in";
const farFuture = "2099-12-31T23:59:59Z";
const userId = new Provided("userId", 12);
const roleId = new Provided("roleId", 5);
const tagPath = {
  provider: new Provided("provider", "rackproof"),
  source: new Provided("source", "suite"),
  tag: new Provided("tag", "rp-tag-0000000000"),
};

/** A call by the administrator that succeeds and changes nothing. */
function reads(operation: OperationId, description: string, more: Partial<Interaction> = {}): Interaction {
  return { operation, description, status: "success", ...more, states: [signedIn, ...(more.states ?? [])] };
}

export const contract: Readonly<Record<ContractPart, readonly Interaction[]>> = {
  accounts: [
    {
      operation: "signIn",
      description: "sign in with the right password",
      states: ["the administrator's password is known"],
      isAnonymous: true,
      json: {
        name: new Provided("adminName", "admin"),
        password: new Provided("adminPassword", "secret"),
        acceptEULA: true,
      },
      status: 200,
    },
    {
      operation: "signIn",
      description: "sign in with a wrong password",
      states: ["a user exists"],
      isAnonymous: true,
      json: { name: new Provided("userName", "rp-user-0000000000"), password: "not the password" },
      status: 401,
    },
    reads("getWebsocketToken", "get a websocket token"),
    reads("listPermissions", "list the permissions"),
    reads("listRoles", "list the roles", { states: ["a role without users exists"] }),
    reads("getRole", "get a role by its id", {
      states: ["a role without users exists"],
      path: { id: roleId },
    }),
    reads("updateRole", "update a role", {
      states: ["a role without users exists"],
      path: { id: roleId },
      json: {
        name: new Provided("roleName", "rp-role-0000000000"),
        description: "by contract",
        permissions: [],
      },
    }),
    {
      operation: "createRole",
      description: "create a role without a name",
      states: [signedIn],
      json: { description: "no name", permissions: [] },
      status: "refusal",
    },
    reads("listUsers", "list the users", { states: ["a user exists"] }),
    reads("getUser", "get a user by its id", { states: ["a user exists"], path: { id: userId } }),
    reads("getCurrentUser", "get the current user"),
    reads("updateUser", "update a user", {
      states: ["a user exists"],
      path: { id: userId },
      json: { email: "by.contract@example.org", expiredAfter: farFuture, isActive: true },
    }),
    reads("updateUserPassword", "set a user's password", {
      states: ["a user exists"],
      path: { id: userId },
      json: { newPassword: "Con-tract-1!" },
    }),
    {
      operation: "addUser",
      description: "add a user whose password is too short",
      states: [signedIn, "names for a role and a user are free"],
      json: {
        name: new Provided("freeUserName", "rp-user-0000000000"),
        password: "A7!xy",
        isActive: true,
        expiredAfter: farFuture,
        roles: [],
      },
      status: "refusal",
    },
    {
      operation: "listUsers",
      description: "list the users without a token",
      states: [],
      isAnonymous: true,
      status: "refusal",
    },
  ],
  device: [
    reads("exportConfiguration", "get the profile of an export", { query: { action: "get-profile" } }),
    reads("getHttpServer", "get the HTTP server's configuration"),
    reads("getProvision", "get the provisioning configuration"),
    reads("getLog", "get the log configuration"),
    reads("getReboot", "get the reboot schedule"),
    reads("getResetCapabilities", "get the reset capabilities", { needs: "reset" }),
    reads("listServices", "list the system services"),
    reads("getSsh", "get the SSH configuration", { needs: "ssh" }),
  ],
  events: [
    reads("getEvents", "get a page of events", {
      states: ["events are recorded"],
      query: { limit: 1, offset: 0, order: "time", sort: "desc" },
    }),
    reads("createEvent", "create an event", {
      json: {
        category: "system",
        event: "contract",
        origin: "system",
        severity: "info",
        message: "by contract",
      },
    }),
    {
      operation: "createEvent",
      description: "create an event with an unknown severity",
      states: [signedIn],
      json: { category: "system", event: "contract", origin: "system", severity: "dire" },
      status: "refusal",
    },
    reads("getEventConfiguration", "get the event configuration"),
    reads("getEventCatalogue", "get the event catalogue"),
  ],
  software: [
    reads("listApps", "list the apps", { states: ["an app is installed"] }),
    reads("getApp", "get an app", {
      states: ["an app is installed"],
      path: { appname: new Provided("appName", "edge-web") },
    }),
    reads("listJobs", "list the jobs", { states: ["an upgrade job exists"] }),
    reads("getUpgradeConfiguration", "get the upgrade configuration"),
    reads("listUpgradeJobs", "list the upgrade jobs", { states: ["an upgrade job exists"] }),
    reads("getUpgradeJob", "find an upgrade job by its id", {
      states: ["an upgrade job exists"],
      path: { id: new Provided("jobId", 3) },
    }),
  ],
  tags: [
    reads("listTags", "list the tags", { states: ["a virtual tag has a value"] }),
    reads("monitorTags", "monitor the tags of a source", {
      states: ["a virtual tag has a value"],
      path: { provider: tagPath.provider, source: tagPath.source },
    }),
    reads("readTag", "read a tag directly", {
      states: ["a virtual tag has a value"],
      path: tagPath,
      status: 200,
    }),
    reads("writeTag", "write a tag directly", {
      states: ["a virtual tag has a value"],
      path: tagPath,
      json: { dataType: "uint16", dataValue: 42 },
    }),
    {
      operation: "writeTag",
      description: "write a read-only tag",
      states: [signedIn, "a read-only virtual tag exists"],
      path: tagPath,
      json: { dataType: "uint16", dataValue: 42 },
      status: 400,
    },
    reads("createVirtualTag", "create a virtual tag", {
      states: ["a name for a virtual tag is free"],
      json: {
        prvdName: tagPath.provider,
        srcName: tagPath.source,
        tagName: new Provided("freeTag", "rp-tag-0000000000"),
        dataType: "int32",
        access: "rw",
        dataSize: 4,
        dataUnit: "kg",
      },
      status: 200,
    }),
    reads("updateVirtualTag", "update a virtual tag", {
      states: ["a virtual tag has a value"],
      json: {
        prvdName: tagPath.provider,
        srcName: tagPath.source,
        tagName: tagPath.tag,
        dataType: "uint16",
        access: "rw",
        dataSize: 2,
        dataUnit: "cm",
      },
      status: 200,
    }),
    reads("deleteVirtualTag", "delete a virtual tag", {
      states: ["a virtual tag can be deleted"],
      json: { prvdName: tagPath.provider, srcName: tagPath.source, tagName: tagPath.tag },
      status: 200,
    }),
  ],
};
