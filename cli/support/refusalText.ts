import { oneLine } from "../../reports/text/visibleText.ts";
import type { Refusal } from "../../workflows/release/completeness.ts";

/** One reason, with what a waiver of it would have to name. */
export function refusalText({
  code,
  reason,
  waivable,
  evidenceSha256,
}: Refusal & { evidenceSha256?: string }): string {
  const waiver =
    waivable === undefined || evidenceSha256 === undefined
      ? ""
      : `    a waiver would name: check ${waivable.check}, requirement ${waivable.requirement}, evidenceSha256 ${evidenceSha256}\n`;
  return `  ${oneLine(reason)} [${code}]\n${waiver}`;
}
