import type { Answer, CaseContext, Verify } from "../../harness/index.ts";

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
  let value: unknown = (answer.listed as { data?: unknown } | undefined)?.data;
  for (const part of name.split(".")) {
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value;
}

/**
 * Checks what an input outside the interface did: rejected, it changed no setting; accepted, the members that were
 * sent with a wrong type have their types.
 */
export function checkWrongInput(
  { verify }: Pick<CaseContext, "verify">,
  requirement: string,
  { answer, sent, before, after }: { answer: Answer; sent: unknown; before: unknown; after: unknown },
): void {
  verify("CORE-GENERAL-09").refused(answer);
  if (!answer.accepted)
    verify(requirement).equal(
      after,
      before,
      `settings after the rejected body ${JSON.stringify(sent)}`,
      answer,
    );
  else
    verify(requirement).equal(
      wrongTypes(after, before),
      [],
      `members of a wrong type after the accepted body ${JSON.stringify(sent)}`,
      answer,
    );
}

/** Dotted names of members whose type is another than before. */
function wrongTypes(after: unknown, before: unknown, path = ""): string[] {
  if (typeof before !== "object" || before === null) return kindOf(after) === kindOf(before) ? [] : [path];
  const members = new Map<string, unknown>(Object.entries(after ?? {}));
  return Object.entries(before).flatMap(([name, value]: [string, unknown]) =>
    wrongTypes(members.get(name), value, path === "" ? name : `${path}.${name}`),
  );
}

function kindOf(value: unknown): string {
  return typeof value === "bigint" ? "number" : typeof value;
}
