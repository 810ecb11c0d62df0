import type { TestCase } from "../../harness/index.ts";
import { likeNamedCases } from "./likeNamed.ts";
import { signInCases } from "./signIn.ts";
import { tokenHeaderCases } from "./tokenHeader.ts";
import { websocketTokenCases } from "./websocketToken.ts";
import { wrongCredentialCases } from "./wrongCredentials.ts";

/** Group 9 and "Authentication": sign-in, tokens, websocket token. */
export const authSuite: readonly TestCase[] = [
  ...signInCases,
  ...wrongCredentialCases,
  ...likeNamedCases,
  ...tokenHeaderCases,
  ...websocketTokenCases,
];
