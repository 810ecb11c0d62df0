// A body that departs from its shape in some members: each of those is Unmet when a case reads it, and only then.
import type { Problem } from "../../interface/schema/validate.ts";

/** The body; reading a member with a problem calls `fail`. Members that no case reads make no case inconclusive. */
export function readable<T>(body: T, problems: readonly Problem[], fail: (problem: Problem) => never): T {
  return problems.length === 0 ? body : guarded(body, "", problems, fail);
}

function guarded<T>(
  value: T,
  pointer: string,
  problems: readonly Problem[],
  fail: (problem: Problem) => never,
): T {
  const own = problems.find((problem) => problem.pointer === pointer);
  if (own !== undefined) return fail(own);
  const inside = problems.filter((problem) => problem.pointer.startsWith(`${pointer}/`));
  if (inside.length === 0 || typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      return typeof key === "symbol" || typeof member === "function"
        ? member
        : guarded(member, `${pointer}/${escaped(key)}`, inside, fail);
    },
    // Comparisons list members by their descriptors; a missing member has none, and is part of the object all the same.
    ownKeys(target) {
      for (const problem of inside) if (!hasAt(target, problem.pointer, pointer)) fail(problem);
      return Reflect.ownKeys(target);
    },
  });
}

/** Whether the member that the problem names directly under this object exists; true for deeper ones. */
function hasAt(target: object, problem: string, pointer: string): boolean {
  const [name = "", ...deeper] = problem.slice(pointer.length + 1).split("/");
  return deeper.length > 0 || Object.hasOwn(target, name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
