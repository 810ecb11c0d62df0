// What a test case is: one sentence of the interface as calls and checks, independent of any gateway's
// paths, kind or binding.
import type { GroupId } from "../../interface/vocabulary/groups.ts";
import type { SideEffect } from "../../interface/operations/operation.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { Equipment } from "../../interface/vocabulary/equipment.ts";
import type { CaseContext } from "./context.ts";

/** Parts of the gateway's state that a case changes; cases that share none may run at the same time. */
export type StateDomain =
  | "accounts"
  | "apps"
  | "configuration"
  | "event-catalogue"
  | "event-configuration"
  | "event-log"
  | "http-server"
  | "log"
  | "provision"
  | "reboot-schedule"
  | "services"
  | "sign-in-failures"
  | "ssh"
  | "upgrade-configuration"
  | "upgrade-jobs"
  | "virtual-tags"
  | "field-devices"
  | "everything";

export interface TestCase {
  /** `<suite>/<what-holds>`, its public name; stable. */
  readonly id: string;
  /** The sentence the case checks. */
  readonly title: string;
  readonly group: GroupId;
  /** Requirements it decides: every one must be verified at least once when the case runs to its end. */
  readonly requirements: readonly string[];
  readonly effect: SideEffect;
  /** Empty for cases that only read or add. */
  readonly touches: readonly StateDomain[];
  /**
   * Parts of which the case changes only what is its own: accounts that it adds, one service among all. Such cases may run
   * beside each other and beside those that rely on the part, but not beside one that touches it.
   */
  readonly addsTo?: readonly StateDomain[];
  /** Parts that no other case may change meanwhile, and that the case itself only reads. */
  readonly reliesOn?: readonly StateDomain[];
  /** Capabilities that the profile must declare; otherwise the case is not applicable. */
  readonly capabilities?: readonly CapabilityId[];
  /** Words to select by, besides the group and the suite. */
  readonly tags?: readonly string[];
  /** True when no other case may use the gateway meanwhile (timing, load). */
  readonly alone?: boolean;
  /** Equipment that the case needs; it is not applicable to a gateway without it, and runs on a gateway with it. */
  readonly equipment?: readonly Equipment[];
  /** True for cases that load the machine or measure under load: they run when all others are done. */
  readonly load?: boolean;
  /** How long the case takes, by what it measures or what is usual; the longest begins first. Default 0. */
  readonly leastMs?: number;
  /** How long the case may take before it is ended as an error; default 30 s. */
  readonly deadlineMs?: number;
  /** Cells of the interface that its checks observe and that cannot be derived from its exchanges. */
  readonly observes?: readonly string[];
  readonly run: (context: CaseContext) => Promise<void>;
}

/** Declares a case of the suite. */
export function testCase(definition: TestCase): TestCase {
  return definition;
}
