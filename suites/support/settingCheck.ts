import type { Answer, Verify } from "../../harness/index.ts";

/** Checks one member of a setting in the answer to the change and in a later read. */
export function keptMember(
  verify: Verify,
  what: string,
  wanted: unknown,
  answered: Answer,
  readBack: Answer,
): void {
  for (const [answer, how] of [
    [answered, "returned"],
    [readBack, "read back"],
  ] as const) {
    verify.equal(memberOf(answer, what), wanted, `\`${what}\` as ${how}`, answer);
  }
}

/** A member of `data` by its dotted name; undefined when there is none. */
export function memberOf(answer: Answer, name: string): unknown {
  let value: unknown = (answer.json as { data?: unknown } | undefined)?.data;
  for (const part of name.split(".")) {
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value;
}
