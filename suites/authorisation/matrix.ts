// The authorisation matrix: every operation that needs a sign-in, called by a caller who must not get through.
//
// What a cell shows, and what it does not:
// - 2xx: the caller got through, the cell fails. So does an answer that is no refusal at all (5xx, broken connection).
// - 401 or 403: the caller was turned away, the cell passes.
// - Any other 4xx may be a refusal of the caller (the interface leaves the status open) or of the inputs, because a
//   gateway may look at the inputs first. The administrator, who may do everything, then makes the very same call:
//   when the gateway answers that one otherwise, the caller made the difference and the cell passes; when both get
//   the same status, the cell shows nothing. It is noted and left out, for neither verdict would be sound.
// - 429 shows nothing either.
// To leave out few cells, the calls are ones that the administrator would get through with, wherever one without
// harm exists (see attempts.ts). A case in which no cell shows anything is inconclusive.
//
// The other way round, for a caller who has just the permission that is needed, only 401 and 403 fail: whatever else
// comes, the caller was not turned away for lacking a permission. Nor was one to whom the gateway says what it says to
// the administrator: a gateway may refuse inputs with 403 as well.
import type { Answer, CaseContext, InvalidInputs, Session } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { removeLater } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";
import type { Attempt } from "./attempts.ts";

const turnedAway = new Set([401, 403]);
const callsAtOnce = 6;

/** Collects the cells of one case and says in the end what they amount to. */
export class Matrix {
  readonly #context: CaseContext;
  readonly #undecided = new Set<string>();
  #decided = 0;

  constructor(context: CaseContext) {
    this.#context = context;
  }

  /** The caller must be refused each of the operations. */
  async refuses(requirement: string, caller: Session, attempts: readonly Attempt[]): Promise<void> {
    await inParallel(attempts, callsAtOnce, async ({ operation, inputs, isComparable }) => {
      const sent = inputs();
      const answer = await this.#call(caller, operation, sent);
      const mayBeAboutInputs = answer.status >= 400 && answer.status < 500 && !turnedAway.has(answer.status);
      const showsNothing =
        isOverrun(answer) ||
        (mayBeAboutInputs && (!isComparable || (await this.#isSameForAdministrator(answer, sent))));
      if (showsNothing) {
        this.#undecided.add(operation);
      } else {
        this.#decided += 1;
        this.#context.verify(requirement).refused(answer);
      }
    });
  }

  /** The caller must not be turned away from any of the operations. */
  async letsIn(requirement: string, caller: Session, attempts: readonly Attempt[]): Promise<void> {
    await inParallel(
      attempts,
      callsAtOnce,
      async ({ operation, inputs, gentle, isComparable, isRefusedToAll }) => {
        const sent = (gentle ?? inputs)();
        const answer = await this.#call(caller, operation, sent);
        const mayCompare = isComparable || gentle !== undefined;
        const mayBeAboutInputs =
          turnedAway.has(answer.status) &&
          (isRefusedToAll || (mayCompare && (await this.#isSameForAdministrator(answer, sent))));
        if (answer.status === 0 || isOverrun(answer) || mayBeAboutInputs) {
          this.#undecided.add(operation);
          return;
        }
        this.#decided += 1;
        this.#context.verify(requirement).that(!turnedAway.has(answer.status), {
          what: `${operation} by a user who has just the permission it needs`,
          expected: "any answer but 401 and 403",
          observed: answer.summary(),
          evidence: answer,
        });
      },
    );
  }

  /** Ends the case: notes the cells that showed nothing; Unmet when that is all of them. */
  conclude(): void {
    if (this.#undecided.size > 0) {
      const names = [...this.#undecided].join(", ");
      this.#context.note(`not decided, because the answer may be about something else: ${names}`);
    }
    if (this.#decided === 0) this.#context.unmet("no call showed whether the caller was turned away");
  }

  async #isSameForAdministrator(answer: Answer, sent: InvalidInputs): Promise<boolean> {
    const compared = await this.#call(this.#context.gateway.admin, answer.operation, sent);
    return compared.status === answer.status || compared.status === 0;
  }

  /** Calls, and sees to it that what came of the call is gone after the case. */
  async #call(caller: Session, operation: OperationId, sent: InvalidInputs): Promise<Answer> {
    const answer = await caller.callInvalid(operation, sent);
    if (operation === "createRole") removeLater(this.#context, answer, "deleteRole", "role");
    if (operation === "addUser") removeLater(this.#context, answer, "deleteUser", "user");
    if (operation === "createUpgradeJob")
      removeLater(this.#context, answer, "deleteUpgradeJob", "upgrade job");
    if (operation === "createVirtualTag" && answer.accepted) {
      const { admin } = this.#context.gateway;
      this.#context.scratch.undo("virtual tag", () => admin.callInvalid("deleteVirtualTag", sent));
    }
    return answer;
  }
}

/** Too many requests, or too slow an answer: the gateway did not get to judge the caller. */
function isOverrun({ status, exchange }: Answer): boolean {
  return status === 429 || exchange.noAnswer?.code.includes("TIMEOUT") === true;
}
