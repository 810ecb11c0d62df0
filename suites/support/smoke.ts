import type { CaseContext } from "../../harness/index.ts";

/** Leaves the case aside on a smoke run: it takes one boot more, and looks at what another case has nearly seen. */
export function notOnSmoke({ level, notApplicable }: CaseContext): void {
  if (level === "smoke") notApplicable("takes a boot more than a smoke run has time for", "level");
}
