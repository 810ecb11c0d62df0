import type { CaseContext } from "../../harness/index.ts";

/** Skips the case on other runs than those of level certification: it installs and boots several times. */
export function onlyForCertification({ level, notApplicable }: CaseContext): void {
  if (level !== "certification")
    notApplicable("installs and boots several times; only part of certification runs", "level");
}

/** Skips the case on a smoke run: it needs a boot of its own for little more than another case shows. */
export function notOnSmoke({ level, notApplicable }: CaseContext): void {
  if (level === "smoke") notApplicable("needs a boot of its own; not part of smoke runs", "level");
}
