// A virtual tag that was deleted and created again with other members: it stays, with these members.
import type { CaseContext } from "../../harness/index.ts";
import type { VirtualTagInput } from "../../interface/resources/tags.ts";
import { keyOf, membersOf, nameOf } from "./virtualTag.ts";

interface TagCreatedAgain {
  readonly what: string;
  readonly expected: unknown;
  readonly read: () => Promise<unknown>;
}

/** Creates a tag, deletes it and creates it again; answers how it must be listed, and how to read that. */
export async function tagCreatedAgain({
  gateway: { admin },
  scratch,
}: CaseContext): Promise<TagCreatedAgain> {
  const name = nameOf(await scratch.virtualTag({ dataType: "uint8", dataUnit: "K" }));
  (await admin.call("deleteVirtualTag", { json: name })).body();
  const members = { dataType: "string", dataSize: 12, dataUnit: "anew", access: "r" } as const;
  const json: VirtualTagInput = { ...name, ...members };
  (await admin.call("createVirtualTag", { json })).body();
  return {
    what: "list entries of a virtual tag that was deleted and created again with other members",
    expected: [json],
    async read() {
      const tags = (await admin.call("listTags")).data();
      return tags.filter((tag) => keyOf(tag) === keyOf(name)).map((tag) => membersOf(tag, json));
    },
  };
}
