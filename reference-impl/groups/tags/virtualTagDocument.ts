// Virtual tag definitions as they come from outside: in a request, or in a configuration file.
import Type from "typebox";
import { type Tag, VirtualTagInput } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import { badInput } from "../../base/refusal.ts";
import { keyOf } from "./names.ts";

/** Published for such gateways: so many tags in all. */
export const mostVirtualTags = 2048;

const isDocument = checker(Type.Object({ tags: Type.Array(Type.Any()) }));
const isInput = checker(VirtualTagInput);

/** A whole definition from a request; throws a Refusal that names the field. Lengths and types have been checked. */
export function toTag(input: VirtualTagInput, isReserved: (provider: string) => boolean): Tag {
  for (const name of ["prvdName", "srcName", "tagName"] as const) {
    if (input[name] === "") throw badInput(`${name}: expected 1 to 1024 characters, found none`);
    if (input[name].includes("\u0000")) throw badInput(`${name}: a name cannot hold the character U+0000`);
  }
  const { prvdName, srcName, tagName, dataType, dataSize = 0, dataUnit = "", access } = input;
  if (isReserved(prvdName)) throw badInput(`prvdName: ${prvdName} is a provider of the gateway's own`);
  return { prvdName, srcName, tagName, dataType, dataSize, dataUnit, access };
}

/** Checks the document of the section tagservice/general; throws a Refusal that names the tag and the field. */
export function toTags(document: unknown, isReserved: (provider: string) => boolean): Tag[] {
  assertFits(isDocument, document, "");
  const { tags } = document as { tags: unknown[] };
  if (tags.length > mostVirtualTags)
    throw badInput(`tagservice/general/tags: expected at most ${mostVirtualTags} tags, found ${tags.length}`);
  const byKey = new Map<string, Tag>();
  for (const [index, input] of tags.entries()) {
    assertFits(isInput, input, `/tags/${index}`);
    const tag = toTag(input as VirtualTagInput, isReserved);
    if (byKey.has(keyOf(tag))) throw badInput(`tagservice/general/tags/${index}: the tag appears twice`);
    byKey.set(keyOf(tag), tag);
  }
  return [...byKey.values()];
}

function assertFits(check: ReturnType<typeof checker>, value: unknown, place: string): void {
  const problem = check(value)[0];
  if (problem !== undefined) {
    const { pointer, expected, found } = problem;
    throw badInput(`tagservice/general${place}${pointer}: expected ${expected}, found ${found}`);
  }
}
