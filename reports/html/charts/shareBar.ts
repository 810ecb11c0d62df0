import * as Plot from "@observablehq/plot";
import { type ShownVerdict, verdictCounts } from "../../text/verdictWords.ts";
import type { Html } from "../../markup/template.ts";
import type { Gallery } from "./gallery.ts";

/** A bar of shares; the page shows the numbers as text beside it. */
export function shareBar(gallery: Gallery, items: readonly { readonly verdict: ShownVerdict }[]): Html {
  const bar = gallery.inline(100, {
    height: 8,
    className: "share",
    x: { domain: [0, items.length] },
    marks: [
      Plot.barX(verdictCounts(items), {
        x: "count",
        fill: ({ verdict }: { verdict: ShownVerdict }) => `var(--share-${verdict})`,
      }),
    ],
  });
  return bar;
}
