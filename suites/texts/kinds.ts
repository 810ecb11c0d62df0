// Kinds of things with texts: the operations that write the texts, and the answers that show them.
import { entryMarks } from "../support/entryCategories.ts";
import type { Answer, CaseContext, TestCase } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { valueAt } from "../support/settingValues.ts";
import { addUser, createRole, farFuture, permissionsFor } from "../users/accounts.ts";
import type { TextKind } from "./oddForms.ts";

export type Texts = Readonly<Record<string, string>>;

/** What an answer shows of a thing. */
export interface Reading {
  readonly answer: Answer;
  /** The thing in it; undefined where it is not shown. */
  readonly shown: unknown;
  /**
   * Requirement that the answer shows what is stored; absent where those on storing state it. Requirements by member
   * where the answer has only some.
   */
  readonly shows?: string | Readonly<Record<string, string>>;
}

interface TextUpdate {
  readonly operation: OperationId;
  /** Members whose texts it changes. */
  readonly members: readonly string[];
  readonly send: (texts: Texts) => Promise<Answer>;
}

/** A created thing: every view of it, read now, and the operations that change its texts. */
export interface TextThing {
  readonly read: () => Promise<Reading[]>;
  /** Texts of the creation that may be stored in another way than sent, as they are shown. */
  readonly open?: Texts;
  readonly updates: readonly TextUpdate[];
}

/** Creates things of a kind for one case. */
interface Creator {
  readonly send: (texts: Texts) => Promise<Answer>;
  /** The thing that the accepted answer created. */
  readonly made: (texts: Texts, created: Answer) => Promise<TextThing>;
}

export interface TextCase extends Pick<TestCase, "id" | "title" | "group" | "capabilities" | "touches"> {
  readonly create: OperationId;
  readonly members: Readonly<Record<string, TextKind>>;
  /** For each writing operation, the requirements that it stores its members as sent, or returns them. */
  readonly stores: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>>;
  /** Requirements on the views. */
  readonly views: readonly string[];
  /** Whether things of the kind can be removed; without it they can. */
  readonly isRemovable?: (context: CaseContext) => boolean;
  readonly begin: (context: CaseContext) => Promise<Creator>;
}

/** A shorter text does not identify an entry. */
const shortest = 10;

const both = (requirement: string, ...members: readonly string[]): Record<string, string> =>
  Object.fromEntries(members.map((member) => [member, requirement]));

/** The id as it came: beyond 2^53 it is no number. */
const pathOf = (created: Answer): { id: number } => ({ id: valueAt(created.json, "data.id") as number });

const isAlike = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const roles: TextCase = {
  id: "roles/texts-in-every-view",
  title: "Every view of a role shows its texts exactly as sent",
  group: "roles",
  capabilities: ["roles"],
  touches: ["accounts"],
  create: "createRole",
  members: { name: "name", description: "free" },
  stores: {
    createRole: both("CORE-ROLE-18", "name", "description"),
    updateRole: both("CORE-ROLE-27", "name", "description"),
  },
  views: ["CORE-ROLE-16", "CORE-ROLE-25"],
  isRemovable: ({ profile }) => profile.extensions.has("deleteRole"),
  begin(context) {
    const { admin } = context.gateway;
    const permissions = context.profile.permissions.slice(0, 1);
    return Promise.resolve({
      send: (texts) => createRole(context, { ...texts, permissions }),
      made(_texts, created) {
        const path = pathOf(created);
        return Promise.resolve({
          async read() {
            const one = await admin.call("getRole", { path });
            const list = await admin.call("listRoles");
            return [
              { answer: one, shown: one.data(), shows: "CORE-ROLE-25" },
              { answer: list, shown: list.data().find(({ id }) => id === path.id), shows: "CORE-ROLE-16" },
            ];
          },
          updates: [
            {
              operation: "updateRole",
              members: ["name", "description"],
              send: (texts) => admin.callChecked("updateRole", { path, json: { ...texts, permissions } }),
            },
          ],
        });
      },
    });
  },
};

const users: TextCase = {
  id: "users/texts-in-every-view",
  title: "Every view of a user shows name and email exactly as sent",
  group: "users",
  capabilities: ["users", "roles", "auth"],
  touches: ["accounts"],
  create: "addUser",
  members: { name: "name", email: "address" },
  stores: {
    addUser: both("CORE-USER-18", "name", "email"),
    updateUser: { name: "CORE-USER-34", email: "CORE-USER-35" },
    updateCurrentUser: { name: "CORE-USER-49", email: "CORE-USER-50" },
  },
  views: ["CORE-USER-16", "CORE-USER-33", "CORE-USER-48", "CORE-AUTH-03"],
  isRemovable: ({ profile }) => profile.extensions.has("deleteUser"),
  async begin(context) {
    const { gateway, profile, scratch, random } = context;
    const { admin, anonymous } = gateway;
    const password = `Pw-${random.word(12)}1!`;
    const role = await scratch.role(
      // A gateway may reject roles from those who may not change others.
      permissionsFor(profile, "getCurrentUser", "updateCurrentUser", "updateUser"),
    );
    const rest = { isActive: true, expiredAfter: farFuture, roles: [role.id] };
    return {
      send: (texts) => addUser(context, { ...texts, ...rest, password }),
      async made({ name: sent }, created) {
        const path = pathOf(created);
        // By the shown name, else by the sent one: a wrong one is shown below.
        const shown = (await admin.call("getUser", { path })).data().name;
        const jsonOf = (name: string) => ({ name, password, acceptEULA: true });
        const asShown = await anonymous.call("signIn", { json: jsonOf(shown) });
        const name = asShown.rejected && sent !== undefined ? sent : shown;
        const json = jsonOf(name);
        const signedIn = name === shown ? asShown : await anonymous.call("signIn", { json });
        // Where the case of a name does not count, nor spaces around it, it may be stored in one form.
        const isOneName =
          asShown.accepted &&
          sent !== undefined &&
          sent !== shown &&
          isAlike(sent, shown) &&
          (await anonymous.call("signIn", { json: jsonOf(sent) })).accepted;
        let own = gateway.withToken(signedIn.data().token, name);
        // Not the administrator's record, whatever the token stands for.
        const isOwn = (await own.call("getCurrentUser")).data().id === path.id;
        return {
          ...(isOneName ? { open: { name: shown } } : {}),
          async read() {
            const one = await admin.call("getUser", { path });
            const list = await admin.call("listUsers");
            const again = await anonymous.call("signIn", { json });
            // A further sign-in may end the earlier session.
            const latest = gateway.withToken(again.data().token, name);
            const current = await latest.call("getCurrentUser");
            if (current.data().id === path.id) own = latest;
            return [
              { answer: one, shown: one.data(), shows: "CORE-USER-33" },
              { answer: list, shown: list.data().find(({ id }) => id === path.id), shows: "CORE-USER-16" },
              { answer: current, shown: current.data(), shows: "CORE-USER-48" },
              { answer: again, shown: again.data().user, shows: "CORE-AUTH-03" },
            ];
          },
          updates: [
            {
              operation: "updateUser",
              members: ["email"],
              send: ({ email }) => admin.callChecked("updateUser", { path, json: { ...rest, email } }),
            },
            ...(isOwn
              ? [
                  {
                    operation: "updateCurrentUser" as const,
                    members: ["email"],
                    send: ({ email }: Texts) =>
                      own.callChecked("updateCurrentUser", { json: { ...rest, email } }),
                  },
                ]
              : []),
          ],
        };
      },
    };
  },
};

const tagMonitored = {
  prvdName: "CORE-TAG-08",
  srcName: "CORE-TAG-09",
  tagName: "CORE-TAG-10",
  dataUnit: "CORE-TAG-13",
};
const tagRead = { prvdName: "CORE-TAG-15", srcName: "CORE-TAG-16", tagName: "CORE-TAG-17" };

const tags: TextCase = {
  id: "tags/texts-in-every-view",
  title: "Every view of a virtual tag shows names and unit exactly as sent",
  group: "tags",
  capabilities: ["tags", "virtual-tags"],
  touches: ["virtual-tags"],
  create: "createVirtualTag",
  members: { prvdName: "given name", srcName: "given name", tagName: "tag name", dataUnit: "unit" },
  stores: {
    createVirtualTag: both("CORE-TAG-27", "prvdName", "srcName", "tagName", "dataUnit"),
    updateVirtualTag: {
      ...both("CORE-TAG-25", "prvdName", "srcName", "tagName"),
      dataUnit: "CORE-TAG-28",
    },
  },
  views: ["CORE-TAG-21", ...Object.values(tagMonitored), ...Object.values(tagRead)],
  begin(context) {
    const { gateway, profile, scratch } = context;
    const { admin } = gateway;
    const { provider, source } = profile.virtualTags;
    const fixed = { dataType: "int32", access: "rw", dataSize: 4 };
    // The names that the profile declares, where no form has others.
    const whole = (texts: Texts): Record<string, string> => ({
      prvdName: provider,
      srcName: source,
      ...texts,
    });
    let isFirst = true;
    const isSame = (shown: object, texts: Texts): boolean =>
      ["prvdName", "srcName", "tagName"].every((name) => valueAt(shown, name) === texts[name]);
    return Promise.resolve({
      async send(texts) {
        const answer = await admin.callChecked("createVirtualTag", { json: { ...whole(texts), ...fixed } });
        const { prvdName = "", srcName = "", tagName = "" } = whole(texts);
        if (answer.accepted) scratch.removeTagLater({ prvdName, srcName, tagName });
        return answer;
      },
      async made(texts) {
        const named = whole(texts);
        const { prvdName = "", srcName = "", tagName = "" } = named;
        const path = { provider: prvdName, source: srcName, tag: tagName };
        // Without a value a tag may not be shown by them; which characters a path takes is tested elsewhere.
        const json = { dataType: "int32", dataValue: 1 } as const;
        const written = await admin.call("writeTag", { path, json });
        const isOrdinary = isFirst;
        isFirst = false;
        if (isOrdinary) written.body();
        return {
          async read() {
            const list = await admin.call("listTags");
            const entry = list.data().find((one) => isSame(one, named));
            const listing = { answer: list, shown: entry, shows: "CORE-TAG-21" };
            if (!written.accepted) return [listing];
            const read = await admin.call("readTag", { path });
            const values = await admin.call("monitorTags", { path });
            const monitored = isOrdinary || values.accepted ? [values.data()].flat() : [];
            const shown = monitored.find((one) => one.tagName === tagName);
            return [
              listing,
              ...(isOrdinary || read.accepted ? [{ answer: read, shown: read.body(), shows: tagRead }] : []),
              ...(values.accepted ? [{ answer: values, shown, shows: tagMonitored }] : []),
            ];
          },
          updates: [
            {
              operation: "updateVirtualTag",
              members: ["dataUnit"],
              async send({ dataUnit }) {
                const answer = await admin.callChecked("updateVirtualTag", {
                  json: { ...named, ...fixed, dataUnit },
                });
                // Whether an update retains the value is not stated.
                if (written.accepted && answer.accepted) await admin.call("writeTag", { path, json });
                return answer;
              },
            },
          ],
        };
      },
    });
  },
};

const events: TextCase = {
  id: "events/texts-of-entries",
  title: "Get events shows every text of a created entry exactly as sent",
  group: "events",
  capabilities: ["events"],
  touches: ["event-log", "event-catalogue"],
  create: "createEvent",
  members: {
    category: "keyword",
    event: "keyword",
    origin: "keyword",
    message: "free",
    user: "keyword",
    userOrigin: "host",
  },
  stores: {
    createEvent: {
      ...both("CORE-EVENT-32", "category", "event", "origin"),
      ...both("CORE-EVENT-33", "message", "user", "userOrigin"),
    },
  },
  views: [],
  async begin(context) {
    const { admin } = context.gateway;
    if (!(await entryMarks(context)).areOwn)
      context.notApplicable("the gateway takes entries only with a category of its catalogue");
    const newest = async (texts: Texts): Promise<Reading> => {
      const answer = await admin.call("getEvents", { query: { limit: 100 } });
      const [best] = answer
        .data()
        .map((shown) => ({ shown, same: sameMembers(shown, texts) }))
        .toSorted((a, b) => b.same - a.same);
      return { answer, shown: best !== undefined && best.same > 0 ? best.shown : undefined };
    };
    return {
      send: (texts) => admin.callChecked("createEvent", { json: { ...texts } }),
      made: (texts) =>
        Promise.resolve({
          async read() {
            // A log may list an entry with a delay.
            const found = context.waitFor(
              "the created entry in Get events",
              async () => {
                const reading = await newest(texts);
                return reading.shown === undefined ? undefined : reading;
              },
              { deadlineMs: context.profile.patience.settleMs },
            );
            return [await found.catch(() => newest(texts))];
          },
          updates: [],
        }),
    };
  },
};

/** Number of members that are shown as sent: most of them identify an entry of which one is shown wrongly. */
function sameMembers(shown: object, texts: Texts): number {
  return Object.entries(texts).filter(
    ([member, text]) => text.length > shortest && valueAt(shown, member) === text,
  ).length;
}

export const textCases: readonly TextCase[] = [roles, users, tags, events];
