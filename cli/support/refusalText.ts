import { oneLine } from "../../reports/text/visibleText.ts";
import type { Refusal } from "../../workflows/release/completeness.ts";
import { registeredErrors } from "../../record/index.ts";

/** One reason, its remedy, and what a waiver of it has to name. */
export function refusalText({
  code,
  reason,
  waivable,
  evidenceSha256,
}: Refusal & { evidenceSha256?: string }): string {
  const waiver =
    waivable === undefined || evidenceSha256 === undefined
      ? ""
      : `    a waiver names: check ${waivable.check}, requirement ${waivable.requirement}, evidenceSha256 ${evidenceSha256}\n`;
  const remedy = registeredErrors.find((one) => one.code === code)?.remedy ?? "";
  return `  ${oneLine(reason)}. Fix: ${remedy} [${code}]\n${waiver}`;
}
