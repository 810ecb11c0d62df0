/** Thrown by a case that cannot go on because something it builds upon did not hold: the case is inconclusive. */
export class Unmet extends Error {
  override readonly name = "Unmet";
  readonly reasonCode: "precondition-unmet" | "no-answer" | "insufficient-evidence" | "deadline";

  constructor(message: string, reasonCode: Unmet["reasonCode"] = "precondition-unmet") {
    super(message);
    this.reasonCode = reasonCode;
  }
}

/** Thrown by a case that finds that what it checks is not offered: the gateway says so itself. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The harness made a mistake (a request that breaks the interface, a wrong use of an API): an `error`. */
export class HarnessFault extends Error {
  override readonly name = "HarnessFault";
}
