// The authorisation matrix: every operation that needs a sign-in, called by a caller who must be rejected.
//
// Verdict of a cell (one caller, one operation):
// - 2xx: the call was accepted, the cell fails. So it does for any answer other than 4xx (5xx, broken connection).
// - 401 or 403: the caller was rejected, the cell passes.
// - Any other 4xx may be about the caller (the interface leaves the status open) or about the inputs, because a gateway
//   may check the inputs first. The administrator, who has every permission, then makes the same call: with another
//   status the caller made the difference and the cell passes; with the same status the cell is inconclusive, noted and
//   left out.
// - 429 and timeouts are inconclusive.
// To leave few cells inconclusive, the calls are ones that the administrator could make with success, wherever a harmless
// one exists (see attempts.ts). A case in which every cell is inconclusive is inconclusive.
//
// For a caller with the needed permission only 401 and 403 fail, and not where the administrator gets the same status:
// a gateway may reject inputs with 403 as well.
import {
  type Answer,
  type CaseContext,
  type InvalidInputs,
  objectOf,
  type Session,
} from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { needsAnother, removeLater } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";
import { type Attempt, needsSignIn } from "./attempts.ts";
import type { Facts } from "./facts.ts";

export const callerRejected = new Set([401, 403]);
const callsAtOnce = 6;

/** Collects the cells of one case. */
export class Matrix {
  readonly #context: CaseContext;
  readonly #inconclusive = new Set<string>();
  /** Names that rejected creations sent, with the requirement that each decides. */
  readonly #uncreated: {
    readonly operation: Creation;
    readonly name: string;
    readonly requirement: string;
  }[] = [];
  #decided = 0;

  constructor(context: CaseContext) {
    this.#context = context;
  }

  /** Checks that the caller is rejected by each of the operations. */
  async rejects(requirement: string, caller: Session, attempts: readonly Attempt[]): Promise<void> {
    await inParallel(attempts, callsAtOnce, async ({ operation, inputs, isComparable }) => {
      const sent = inputs();
      const answer = await this.#call(caller, operation, sent);
      const mayBeAboutInputs =
        answer.status >= 400 && answer.status < 500 && !callerRejected.has(answer.status);
      const isInconclusive =
        isOverrun(answer) ||
        (mayBeAboutInputs && (!isComparable || (await this.#isSameForAdministrator(answer, sent))));
      if (isInconclusive) {
        this.#inconclusive.add(operation);
      } else {
        this.#decided += 1;
        this.#context.verify(requirement, permissionField(operation)).refused(answer);
        // Only where the administrator did not make the same call.
        if (isCreation(operation) && callerRejected.has(answer.status))
          this.#uncreated.push({ operation, name: nameIn(sent), requirement });
      }
    });
  }

  /**
   * Checks that the caller can open none of the streams that the administrator can open. `held`: the permissions of
   * the caller, who tries only those that need another one.
   */
  async rejectsStreams(
    requirement: string,
    callers: Session | (() => Promise<Session>),
    { readableTag: tag }: Facts,
    held?: readonly string[],
  ): Promise<void> {
    const { gateway, profile, verify } = this.#context;
    const ofTags = (query: { onChanged: true } | { streamInterval: number }) => (session: Session) =>
      session.openTagStream(
        { provider: tag?.prvdName ?? "", source: tag?.srcName ?? "" },
        { tags: tag?.tagName ?? "", ...query },
      );
    for (const [operation, what, open] of [
      ["getEvents", "stream of events", (session: Session) => session.openEventStream()],
      ["monitorTags", "stream of changes of a tag", ofTags({ onChanged: true })],
      ["monitorTags", "stream of a tag at an interval", ofTags({ streamInterval: 1000 })],
    ] as const) {
      if (!needsSignIn(profile, operation) || (operation === "monitorTags" && tag === undefined)) continue;
      if (held !== undefined && !needsAnother(profile, operation, held)) continue;
      await using known = await open(gateway.admin);
      if (known.status !== 200) continue;
      const caller = typeof callers === "function" ? await callers() : callers;
      await using stream = await open(caller);
      this.#decided += 1;
      verify(requirement, permissionField(operation)).that(stream.status >= 400 && stream.status < 500, {
        what: `status of a ${what} that ${caller.name} opens`,
        expected: "4xx",
        observed: stream.status,
      });
    }
  }

  /** Checks that none of the operations rejects the caller with 401 or 403. */
  async letsIn(requirement: string, caller: Session, attempts: readonly Attempt[]): Promise<void> {
    await inParallel(
      attempts.filter(({ isOfPart }) => !isOfPart),
      callsAtOnce,
      async ({ operation, inputs, gentle, isComparable, isRefusedToAll }) => {
        const sent = (gentle ?? inputs)();
        const answer = await this.#call(caller, operation, sent);
        const mayCompare = isComparable || gentle !== undefined;
        const mayBeAboutInputs =
          callerRejected.has(answer.status) &&
          (isRefusedToAll || (mayCompare && (await this.#isSameForAdministrator(answer, sent))));
        if (answer.status === 0 || isOverrun(answer) || mayBeAboutInputs) {
          this.#inconclusive.add(operation);
          return;
        }
        this.#decided += 1;
        this.#context
          .verify(requirement, permissionField(operation))
          .that(!callerRejected.has(answer.status), {
            what: `${operation} by a user who has exactly the permission declared for it`,
            expected: "any status but 401 and 403",
            observed: answer.summary(),
            evidence: answer,
          });
      },
    );
  }

  /** Ends the case: checks what rejected calls created, and notes the inconclusive cells; Unmet when none was decided. */
  async conclude(): Promise<void> {
    for (const [operation, all] of Map.groupBy(this.#uncreated, ({ operation }) => operation)) {
      const names = await namesOf[operation](this.#context.gateway.admin);
      for (const [requirement, some] of Map.groupBy(all, ({ requirement }) => requirement))
        this.#context.verify(requirement, permissionField(operation)).equal(
          some.map(({ name }) => name).filter((name) => names.has(name)),
          [],
          `names that exist after ${operation} was rejected`,
        );
    }
    if (this.#inconclusive.size > 0) {
      const names = [...this.#inconclusive].join(", ");
      this.#context.note(
        `inconclusive, because the administrator gets the same status or no answer came: ${names}`,
      );
    }
    if (this.#decided === 0)
      this.#context.unmet("no operation answered this caller and the administrator differently");
  }

  async #isSameForAdministrator(answer: Answer<OperationId>, sent: InvalidInputs): Promise<boolean> {
    const compared = await this.#call(this.#context.gateway.admin, answer.operation, sent);
    return compared.status === answer.status || compared.status === 0;
  }

  /** Makes the call and registers the removal of anything it created. */
  async #call(caller: Session, operation: OperationId, sent: InvalidInputs): Promise<Answer<OperationId>> {
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

const namesOf = {
  createRole: async (admin: Session) =>
    new Set((await admin.call("listRoles")).data().map(({ name }) => name)),
  addUser: async (admin: Session) => new Set((await admin.call("listUsers")).data().map(({ name }) => name)),
  createVirtualTag: async (admin: Session) =>
    new Set((await admin.call("listTags")).data().map(({ tagName }) => tagName)),
} as const satisfies Partial<Record<OperationId, (admin: Session) => Promise<ReadonlySet<string>>>>;
type Creation = keyof typeof namesOf;

const isCreation = (operation: OperationId): operation is Creation => Object.hasOwn(namesOf, operation);

function nameIn({ json }: InvalidInputs): string {
  const { tagName, name } = objectOf(json) ?? {};
  return String(tagName ?? name);
}

/** The field of the profile that declares the operation's permission. */
export const permissionField = (operation: OperationId): string =>
  `binding.operations.${operation}.permission`;

/** Too many requests or a timeout: the answer is not about the caller. */
function isOverrun({ limitsRate, exchange }: Answer): boolean {
  return limitsRate || exchange.noAnswer?.code.includes("TIMEOUT") === true;
}
