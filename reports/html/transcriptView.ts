// The lines of a stream around a check.
import type { CheckRecord } from "../../record/index.ts";
import { html, type Html } from "../markup/template.ts";
import { transcriptLines } from "../text/transcriptText.ts";

/** The transcript of a check on a stream; undefined for another check. */
export function transcriptView({ transcript, exchange }: CheckRecord): Html | undefined {
  if (transcript === undefined) return undefined;
  const lines = transcriptLines(transcript).map((line) =>
    line.endsWith("(the check)") ? html`<b>${line}</b>${"\n"}` : html`${line}${"\n"}`,
  );
  return html`<figure class="exchange">
    <figcaption>
      Stream of exchange ${exchange ?? "?"}: lines around the check, each with its time after the opening
    </figcaption>
    <section class="side"><pre class="wire">${lines}</pre></section>
  </figure>`;
}
