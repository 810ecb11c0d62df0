/** Thrown by a case that cannot go on because something it builds upon did not hold: the case is inconclusive. */
export class Unmet extends Error {
  override readonly name = "Unmet";
  readonly reasonCode: "precondition-unmet" | "no-answer" | "insufficient-evidence" | "deadline";

  constructor(message: string, reasonCode: Unmet["reasonCode"] = "precondition-unmet") {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/**
 * Why something is not applicable to a gateway. `not-offered`: the gateway itself says so. `not-served`: the profile
 * says that an operation is not there. `not-named`: the profile names nothing that the case could use. `level`: it
 * takes longer than a run of this level may.
 */
export type NotApplicableCode = "not-offered" | "not-served" | "not-named" | "level";

/** Thrown by a case that finds that what it checks is not there to be checked. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
  readonly reasonCode: NotApplicableCode;

  constructor(message: string, reasonCode: NotApplicableCode = "not-offered") {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/** The harness made a mistake (a request that breaks the interface, a wrong use of an API): an `error`. */
export class HarnessFault extends Error {
  override readonly name = "HarnessFault";
}
