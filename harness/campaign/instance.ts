// One running gateway of a campaign and the cases it is given.
import { type Exchange, type Trouble, Unmet, messageOf } from "../../record/index.ts";
import type { RunningGateway } from "../../rigs/index.ts";
import { GatewayConnection } from "../client/connection.ts";
import type { Clock } from "../clock.ts";
import { probeOnce } from "../measurement/aliveProbe.ts";
import { smallReading } from "../profile/offered.ts";
import type { Profile } from "../profile/profile.ts";
import type { Members } from "../settings/setting.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import { type CaseSurroundings, type FinishedCase, runCase } from "./caseRun.ts";
import { tlsErrorCode } from "../transport/tlsIdentity.ts";
import { runConfirmed } from "./confirmed.ts";
import { missingEquipment } from "./equipment.ts";
import { isDisruptive } from "./plan.ts";
import { Recorder } from "./recorder.ts";
import { Spares } from "./spares.ts";
import type { Taping } from "./taping.ts";
import { untaped } from "../transport/tape.ts";
import { ShownAfter } from "./shownAfter.ts";
import { LeftState } from "./leftState.ts";
import { restore, type Snapshot, takeSnapshot } from "./state.ts";

const settleWithinMs = 20_000;
/** How much of a console the message about a lost gateway quotes. */
const lastLines = 5;
const lineLength = 200;

type RunSurroundings = Pick<CaseSurroundings, "seed" | "level" | "signal" | "reproduce" | "checked">;

export class Instance implements AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly connection: GatewayConnection;
  /** Why no further case can be run here; undefined while cases can run. */
  trouble: Trouble | undefined;
  readonly left = new LeftState();
  readonly #spares = new Spares();
  /** Ends the cases that are still running when one of them has found the gateway lost. */
  readonly #gone = new AbortController();
  readonly number: number;
  readonly #taping: Taping | undefined;
  readonly #shownAfter: ShownAfter;

  constructor(
    gateway: RunningGateway,
    profile: Profile,
    clock: Clock,
    { number, taping }: { readonly number: number; readonly taping?: Taping | undefined },
  ) {
    this.gateway = gateway;
    this.connection = new GatewayConnection(gateway, profile, clock);
    this.#shownAfter = new ShownAfter(this.connection);
    this.number = number;
    this.#taping = taping;
    taping?.joined(gateway, number, clock);
  }

  /** Runs the case and records what it observes. */
  async #runTaped(testCase: TestCase, surroundings: RunSurroundings): Promise<FinishedCase> {
    const { connection, gateway } = this;
    const taped = this.#taping?.begin(testCase, { gateway, number: this.number, connection });
    const finished = await runCase(testCase, {
      ...surroundings,
      signal: AbortSignal.any([surroundings.signal, this.#gone.signal]),
      connection,
      spares: this.#spares,
      watchedEnd: gateway.ended,
      tape: taped?.tape ?? untaped(connection.transport),
      equipment: taped?.equipment ?? gateway,
    });
    taped?.ended(finished.record);
    return finished;
  }

  /** Whether the gateway has all the equipment around it that the case needs. */
  suits(testCase: TestCase): boolean {
    return missingEquipment(testCase, this.gateway).length === 0;
  }

  /** Runs the case, reads the state that it touches before and restores it afterwards. */
  async run(testCase: TestCase, surroundings: RunSurroundings): Promise<FinishedCase> {
    const view = this.connection.view(new Recorder(), new AbortController().signal);
    const snapshot = await takeSnapshot(view, testCase);
    // A gateway that makes its own certificate may make another one when it boots.
    if (isDisruptive(testCase)) this.connection.transport.tls.expectChange();
    let runs = 0;
    const finished = await runConfirmed(testCase, this.connection, async () => {
      const attempt = async (): Promise<FinishedCase> => {
        // A repeated case must not begin with what the first run left changed.
        if (runs++ > 0) await restore(view, this.connection.profile, snapshot).catch(() => undefined);
        return this.#runTaped(testCase, surroundings);
      };
      const one = await this.#shownAfter.run(testCase, attempt, surroundings.signal);
      if (one.record.verdict === "fail" && !surroundings.signal.aborted)
        await this.#awaitAfter(testCase, one.exchanges);
      return one;
    });
    if (surroundings.signal.aborted) {
      for (const [domain, before] of snapshot.readings)
        this.left.differs(domain, snapshot, testCase.id, before);
    } else {
      await this.#awaitAfter(testCase, finished.exchanges);
      if (this.trouble === undefined) await this.#restore(view, testCase.id, snapshot, finished);
    }
    this.#noteNotUndone(finished);
    return finished;
  }

  async #awaitAfter(testCase: TestCase, exchanges: readonly Exchange[]): Promise<void> {
    if (this.#gone.signal.aborted) return;
    const stranger = exchanges.find(({ noAnswer }) => noAnswer?.code === tlsErrorCode);
    if (stranger?.noAnswer !== undefined) {
      this.trouble ??= {
        kind: "tls-changed",
        part: "certificate",
        expected: "the certificate that the gateway showed when the run began",
        found: stranger.noAnswer.message,
        remedy: "check what answers at this address: another device, or a proxy in between",
      };
    } else if (isDisruptive(testCase) || wentSilent(exchanges))
      await this.#awaitReady(testCase.id, exchanges);
  }

  async #restore(
    view: GatewayUnderTest,
    caseId: string,
    snapshot: Snapshot,
    { record }: FinishedCase,
  ): Promise<void> {
    const differs = (domain: StateDomain, now: Members | undefined): void =>
      this.left.differs(domain, snapshot, caseId, now);
    const remarks = await restore(view, this.connection.profile, snapshot, differs).catch(
      (thrown: unknown) => [messageOf(thrown)],
    );
    record.notes.push(...remarks);
  }

  #noteNotUndone({ record, notUndone }: FinishedCase): void {
    if (this.trouble !== undefined) return;
    for (const { what, reason } of notUndone) this.left.notUndone(what, reason, record.id);
  }

  /** Restores once more what the cases left changed; without effect on a gateway that is gone. */
  async settle(): Promise<void> {
    if (this.trouble !== undefined || this.gateway.ended?.() !== undefined) return;
    const view = this.connection.view(new Recorder(), AbortSignal.timeout(settleWithinMs));
    await this.left.settle(view, this.connection.profile);
  }

  async #awaitReady(afterCase: string, exchanges: readonly Exchange[]): Promise<void> {
    const { clock, profile, baseUrl } = this.connection;
    const startedMs = clock.nowMs();
    const unanswered = exchanges.slice(exchanges.findLastIndex(({ answer }) => answer !== undefined) + 1);
    const sinceMs = clock.epochMs() - (startedMs - (unanswered[0]?.startedMs ?? startedMs));
    const lost = (found: string): void => this.#lost(afterCase, found, new Date(sinceMs).toISOString());
    const view = this.connection.view(new Recorder(), new AbortController().signal);
    // A reboot or reset may have ended the administrator's sign-in, whether the case observed it or not.
    view.signInsWereLost();
    const reading = smallReading(profile);
    const isServing = async (): Promise<boolean> =>
      reading === undefined || (await view.admin.call(reading)).accepted;
    let last = "not tried";
    while (clock.nowMs() - startedMs < profile.patience.bootMs) {
      const ended = this.gateway.ended?.();
      if (ended !== undefined) return lost(ended);
      const probe = await probeOnce(clock, new URL(`${baseUrl}/`), 1000);
      const isAnswered = probe.isAlive || probe.outcome === "unavailable";
      last = isAnswered ? `HTTP answers, but ${reading ?? "a call"} of the administrator fails` : "no answer";
      if (isAnswered && (await isServing().catch(() => false))) return;
      await clock.delay(50);
    }
    const lines = this.gateway.console.slice(-lastLines).map(({ text }) => text.slice(0, lineLength));
    const printed = lines.length === 0 ? "" : `; its console's last lines: ${lines.join(" | ")}`;
    lost(`${last} within ${profile.patience.bootMs} ms${printed}`);
  }

  #lost(afterCase: string, found: string, since: string): void {
    this.trouble ??= {
      kind: "gateway-lost",
      part: "reachable",
      expected: `the gateway answers after ${afterCase}`,
      found,
      remedy: "check the gateway's power, network and console; cases that had ended keep their verdicts",
      since,
    };
    this.#gone.abort(new Unmet("the gateway was lost", "no-answer"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    await this.gateway[Symbol.asyncDispose]();
  }
}

/** Whether a connection was lost or not made, or the last requests timed out: the gateway may be gone. */
function wentSilent(exchanges: readonly Exchange[]): boolean {
  const isBroken = ({ noAnswer }: Exchange): boolean =>
    noAnswer !== undefined && !noAnswer.code.includes("TIMEOUT");
  return exchanges.some(isBroken) || exchanges.at(-1)?.noAnswer !== undefined;
}
