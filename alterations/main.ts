// The reference gateway with an injected fault, with variations, or both:
//   node main.ts [--fault ID] [--variation ID,ID] and the options of reference-impl/main.ts
import { serve } from "../reference-impl/serve.ts";
import { readWords } from "./words.ts";

const { edges, rest } = readWords(process.argv.slice(2));

await serve(rest, edges);
