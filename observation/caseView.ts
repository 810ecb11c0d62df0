// One case's exchanges with their operations and parameters, and what its checks saw of them.
import { type OperationId, isOperationId } from "../interface/operations/index.ts";
import { type Exchange, unhurried } from "../record/index.ts";
import type { ObservedProfile } from "./observed.ts";
import { SentParameters } from "./sentParameters.ts";
import { Sight } from "./sight.ts";
import type { CaseTrace, TracedStream } from "./trace.ts";

/** One request of an operation and its answer. */
export interface Call {
  readonly index: number;
  readonly number: number;
  readonly operation: OperationId;
  readonly session: string;
  readonly exchange: Exchange;
  readonly sent: SentParameters;
  readonly status: number;
  readonly isAccepted: boolean;
  /** The body as JSON; undefined for another. */
  readonly body: unknown;
  /** Number of bytes of the body. */
  readonly length: number;
}

export interface CaseView {
  readonly calls: readonly Call[];
  readonly sight: Sight;
  readonly streams: readonly TracedStream[];
  readonly trace: CaseTrace;
}

export async function viewCase(
  trace: CaseTrace,
  { binding }: Pick<ObservedProfile, "binding">,
): Promise<CaseView> {
  const calls: Call[] = [];
  for await (const { index, exchange, answer } of unhurried(trace.exchanges)) {
    const { operation, number, session } = exchange;
    if (!isOperationId(operation)) continue;
    const status = exchange.answer?.status ?? 0;
    calls.push({
      index,
      number,
      operation,
      session,
      exchange,
      sent: new SentParameters(exchange, binding.get(operation)?.path ?? ""),
      status,
      isAccepted: status >= 200 && status < 300,
      body: answer?.peek(),
      length: answer?.length ?? 0,
    });
  }
  return { calls, sight: await Sight.of(trace), streams: trace.streams, trace };
}

/** The items of a list or the single thing at the place in the body, each with its members. */
export function thingsIn(body: unknown, at: string | undefined): Readonly<Record<string, unknown>>[] {
  const data = memberOf(body, "data") ?? body;
  const found = at === undefined ? data : memberOf(data, at);
  return (Array.isArray(found) ? found : [found]).filter(isObject);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
