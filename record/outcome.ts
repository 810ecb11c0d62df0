/** Thrown by a case whose prerequisite failed: the case is inconclusive. */
export class Unmet extends Error {
  override readonly name = "Unmet";
  readonly reasonCode:
    | "precondition-unmet"
    | "no-answer"
    | "insufficient-evidence"
    | "deadline"
    | "nobody-acted";

  constructor(message: string, reasonCode: Unmet["reasonCode"] = "precondition-unmet") {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/**
 * Why a case is not applicable to a gateway. `not-offered`: according to the gateway. `not-served`: the profile declares
 * an operation absent. `not-named`: the profile names no object that the case could use. `level`: the case takes longer
 * than a run of this level may.
 */
export type NotApplicableCode = "not-offered" | "not-served" | "not-named" | "level";

/** Thrown by a case that finds no object to test. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
  readonly reasonCode: NotApplicableCode;

  constructor(message: string, reasonCode: NotApplicableCode = "not-offered") {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/** A fault of the harness (a request that violates the interface, a wrong use of an API): an `error`. */
export class HarnessFault extends Error {
  override readonly name = "HarnessFault";
  readonly reasonCode: HarnessFaultCode;

  constructor(message: string, reasonCode: HarnessFaultCode = "harness-fault", options?: ErrorOptions) {
    super(message, options);
    this.reasonCode = reasonCode;
  }
}

/** The others are failures of a power switch: not reached, not in the state it was set to, without effect on the gateway. */
export type HarnessFaultCode =
  | "harness-fault"
  | "switch-unreachable"
  | "switch-unconfirmed"
  | "gateway-silent";
