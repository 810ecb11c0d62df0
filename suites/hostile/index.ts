import type { TestCase } from "../../harness/index.ts";
import { connectionCases } from "./connections.ts";
import { requestCases } from "./requests.ts";

/** Input that nobody should send: the gateway refuses or serves it, stays up, and keeps its state. */
export const hostileSuite: readonly TestCase[] = [...requestCases, ...connectionCases];
