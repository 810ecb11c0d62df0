import type { TestCase } from "../../harness/index.ts";
import { connectionCases } from "./connections.ts";
import { requestCases } from "./requests.ts";

/** Invalid and extreme input: the gateway rejects or serves it, stays available, and keeps its state. */
export const hostileSuite: readonly TestCase[] = [...requestCases, ...connectionCases];
