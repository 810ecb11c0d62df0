// Starts the command line the way an older Node does: its launcher starts the program under Node 24.
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../bin/rackproof.mjs", import.meta.url));
const pretendOld =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })';

/** Words for Node: directly, or through a launcher that stays as the parent of the program. */
export const startedBy = {
  "Node 24": [launcher],
  "an older Node": ["--import", pretendOld, launcher],
} as const;
