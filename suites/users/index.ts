import type { TestCase } from "../../harness/index.ts";
import { addingCases } from "./adding.ts";
import { addInputCases } from "./addInputs.ts";
import { administratorCases } from "./administrators.ts";
import { anyPasswordCases } from "./anyPassword.ts";
import { currentUserCases } from "./currentUser.ts";
import { eachAloneCases } from "./eachAlone.ts";
import { everyViewCases } from "./everyView.ts";
import { listingCases } from "./listing.ts";
import { passwordCases } from "./passwords.ts";
import { updatingCases } from "./updating.ts";

/** Group 8: users. */
export const usersSuite: readonly TestCase[] = [
  ...listingCases,
  ...addingCases,
  ...addInputCases,
  ...updatingCases,
  ...eachAloneCases,
  ...currentUserCases,
  ...everyViewCases,
  ...passwordCases,
  ...administratorCases,
  ...anyPasswordCases,
];
