import { type RegisterOperation, showOperation } from "./machinery/history.ts";
import { explain } from "./machinery/linearisable.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { efforts, sideBySide } from "./effort.ts";
import { type Register, registersOf } from "./registers.ts";

/** Rounds of all clients together, and sequential rounds in between. */
const burstRounds = 3;
const quietRounds = 3;

export const oneValueCases: readonly TestCase[] = [
  testCase({
    id: "concurrency/one-value",
    title: "Simultaneous reads and writes of one value are linearisable",
    group: "general",
    requirements: ["CORE-CONC-01"],
    effect: "reversible",
    touches: ["accounts", "upgrade-configuration", "virtual-tags"],
    capabilities: ["auth", "users", "roles"],
    tags: ["smoke"],
    load: true,
    deadlineMs: 900_000,
    async run(context) {
      for (const register of await registersOf(context)) {
        const history = await record(context, register);
        judge(context, register, history);
      }
    },
  }),
];

/**
 * Half of the clients write, half read. Sequential rounds in between keep the overlap small: a read that overlaps many
 * writes could be explained by almost any of them.
 */
async function record(context: CaseContext, register: Register): Promise<RegisterOperation[]> {
  const { clients, rounds } = efforts[context.level];
  const recorder = new Recorder(register, context.clock);
  for (let done = 0; done < rounds; done += burstRounds) {
    context.signal.throwIfAborted();
    await sideBySide(clients, Math.min(burstRounds, rounds - done), (client) =>
      client % 2 === 0 ? recorder.write(client) : recorder.read(client),
    );
    for (let round = 0; round < quietRounds; round++) {
      await recorder.read(clients);
      await recorder.write(round % clients);
      await recorder.read(clients);
    }
  }
  return recorder.history;
}

class Recorder {
  readonly history: RegisterOperation[] = [];
  readonly #register: Register;
  readonly #clock: CaseContext["clock"];
  #written = 0;

  constructor(register: Register, clock: CaseContext["clock"]) {
    this.#register = register;
    this.#clock = clock;
  }

  async write(client: number): Promise<void> {
    const value = this.#register.valueOf(this.#written++);
    const { accepted, status, exchange } = await this.#register.write(value);
    // A rejected write has no place in the order; one without an answer may take effect at any time.
    if (!accepted && status !== 0) return;
    const calledMs = exchange.startedMs;
    // Not the time of the answer: a gateway that shows changes later is given that time.
    const returnedMs = accepted ? this.#clock.nowMs() : Number.POSITIVE_INFINITY;
    this.history.push({ client: `client ${client}`, kind: "write", value, calledMs, returnedMs });
  }

  async read(client: number): Promise<void> {
    const seen = await this.#register.read();
    if (seen.value === undefined) return;
    const { startedMs: calledMs, durationMs } = seen.answer.exchange;
    const returnedMs = calledMs + durationMs;
    this.history.push({ client: `client ${client}`, kind: "read", value: seen.value, calledMs, returnedMs });
  }
}

function judge(
  { verify, unmet }: CaseContext,
  register: Register,
  history: readonly RegisterOperation[],
): void {
  const reads = history.filter(({ kind }) => kind === "read").length;
  const writes = history.length - reads;
  if (reads === 0 || writes === 0)
    return unmet(`${register.name}: only ${writes} writes and ${reads} reads succeeded`);
  const explanation = explain(history, register.initial);
  verify("CORE-CONC-01").that(explanation.isExplained, {
    what: `reads and writes of the ${register.name} by several clients (${writes} writes, ${reads} reads)`,
    expected: "an order in which every read returns the last write before it",
    observed: explanation.isExplained
      ? "an order in which every read returns the last write before it"
      : `no such order for these operations, initial value ${JSON.stringify(register.initial)}: ${explanation.conflict.map(showOperation).join("; ")}`,
  });
}
