import type { CallId, ExtensionId } from "../../interface/binding.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { operation, type OperationId, operations } from "../../interface/operations/index.ts";
import { type CallName, NotApplicable, Unmet, callName } from "../../record/index.ts";
import { openSequenceStream, type SequenceReader, type SequenceStream } from "../streams/sequenceStream.ts";
import { Answer } from "../transport/answer.ts";
import type { EventStream } from "../streams/eventStream.ts";
import { openEventStream } from "../streams/eventStreamReader.ts";
import type { Session } from "../suite/gatewayUnderTest.ts";
import type { Inputs, InvalidInputs } from "../transport/inputs.ts";
import { buildBody, buildPath, checkOwnRequest, respelled } from "../transport/requestBuilder.ts";
import type { TagStream } from "../streams/tagStream.ts";
import { openTagStream } from "../streams/tagStreamReader.ts";
import { smallReading } from "../profile/offered.ts";
import { longestRateWaitMs, retryAfterMs } from "../transport/rateLimit.ts";
import { openStream } from "./room.ts";
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import type { WireRequest } from "../transport/transport.ts";

/** Operations that may give the gateway another certificate. */
const certificateSetters: ReadonlySet<CallId> = new Set(["setHttpServer", "updateHttpServer"]);

/** Calls that are no reading and whose effect is waited for, or measured, by who makes them. */
const notAwaited: ReadonlySet<CallId> = new Set([
  "signIn",
  "getWebsocketToken",
  "resetToDefault",
  "uploadConfiguration",
  "writeTag",
]);

/** Their 401 may mean the former password. */
const passwordUpdates: ReadonlySet<CallId> = new Set(["updateCurrentUserPassword", "updateUserPassword"]);

/** Where a session gets a token that is valid now. */
interface TokenSource {
  obtain(isForStream: boolean): Promise<string>;
  /** The gateway rejected the token: the next one is another. */
  ended(token: string): void;
}

/** A session that sends a token, or none. */
export class LiveSession implements Session {
  readonly name: string;
  readonly #surroundings: SessionSurroundings;
  readonly #source: TokenSource | undefined;
  #token: string | undefined;

  constructor(name: string, surroundings: SessionSurroundings, token: TokenSource | string | undefined) {
    this.name = name;
    this.#surroundings = surroundings;
    this.#token = typeof token === "string" ? token : undefined;
    this.#source = typeof token === "object" ? token : undefined;
  }

  get token(): string | undefined {
    return this.#token;
  }

  async call<Id extends OperationId>(
    operationId: Id,
    ...[inputs]: Record<string, never> extends Inputs<Id> ? [Inputs<Id>?] : [Inputs<Id>]
  ): Promise<Answer<Id>> {
    return this.#sendChecked(operationId, (inputs ?? {}) as InvalidInputs);
  }

  async callChecked(operationId: OperationId, inputs: InvalidInputs = {}): Promise<Answer<OperationId>> {
    return this.#sendChecked(operationId, inputs);
  }

  async callInvalid<Id extends OperationId>(
    operationId: Id,
    inputs: InvalidInputs = {},
  ): Promise<Answer<Id>> {
    return this.#send(operationId, inputs, true);
  }

  async callExtension<Id extends ExtensionId>(
    extension: Id,
    inputs: InvalidInputs = {},
  ): Promise<Answer<Id>> {
    const binding = this.#surroundings.profile.extensions.get(extension);
    if (binding === undefined) throw new Unmet(`the profile does not declare the extension ${extension}`);
    const answer = await this.#exchangeSignedIn(extension, () =>
      this.#wireRequest(callName(extension), binding.method, binding.path, inputs, false),
    );
    this.#surroundings.removals.take(extension, inputs.path?.["id"], answer);
    await this.#untilShown(extension, binding.method, answer);
    return answer;
  }

  /** How long after its answer a change is shown is not stated. */
  async #untilShown(callId: CallId, method: string, answer: Answer): Promise<void> {
    const { record, transport, signal } = this.#surroundings;
    const isChange = method !== "GET" && answer.accepted && !notAwaited.has(callId);
    const afterMs = transport.shown.afterMs(callId);
    if (!isChange || afterMs === 0) return;
    record.paused?.(afterMs);
    await transport.clock.delay(afterMs, signal);
  }

  async openEventStream(
    query: Inputs<"getEvents">["query"] = {},
    lastEventId?: string,
  ): Promise<EventStream> {
    const request = await this.#streamRequest("getEvents", {
      query: { ...query, event: true } as InvalidInputs["query"] & object,
    });
    return openStream(this.#surroundings, () => openEventStream(this.#surroundings, request, lastEventId));
  }

  async openTagStream(
    path: { provider: string; source: string },
    query: NonNullable<Inputs<"monitorTags">["query"]>,
    bareFlags: readonly "onChanged"[] = [],
  ): Promise<TagStream> {
    const request = await this.#streamRequest("monitorTags", {
      path,
      query: query as InvalidInputs["query"] & object,
    });
    const flags = bareFlags.join("&");
    const sent =
      flags === "" ? request.path : `${request.path}${request.path.includes("?") ? "&" : "?"}${flags}`;
    return openStream(this.#surroundings, () =>
      openTagStream(this.#surroundings, { ...request, path: sent }),
    );
  }

  async openSequenceStream(
    path: { provider: string; source: string },
    query: NonNullable<Inputs<"monitorTags">["query"]>,
    indexes: ReadonlyMap<string, number>,
    reader: SequenceReader,
  ): Promise<SequenceStream> {
    const request = await this.#streamRequest("monitorTags", {
      path,
      query: query as InvalidInputs["query"] & object,
    });
    return openStream(this.#surroundings, () =>
      openSequenceStream(this.#surroundings, request, indexes, reader),
    );
  }

  /** Applies what the profile declares where the interface allows two forms of the same input. */
  #adapt(operationId: OperationId, inputs: InvalidInputs): { checked: InvalidInputs; sent: InvalidInputs } {
    const { profile } = this.#surroundings;
    // A setting that was read is sent back with only the members of the interface: the gateway may reject others.
    const schema = operation(operationId).json;
    const isJson = inputs.json !== undefined && schema !== undefined;
    let sent = isJson ? { ...inputs, json: keepListed(schema, inputs.json) } : inputs;
    const json = sent.json as Record<string, unknown> | undefined;
    if (json !== undefined && Array.isArray(json["roles"]) && profile.roleReferences === "objects") {
      sent = {
        ...sent,
        json: {
          ...json,
          roles: json["roles"].map((role: unknown) => (typeof role === "number" ? { id: role } : role)),
        },
      };
    }
    if (profile.binding.get(operationId)?.media === "form" && sent.json !== undefined) {
      const { json: fields, ...rest } = sent;
      sent = { ...rest, form: fields as NonNullable<InvalidInputs["form"]> };
    }
    return { checked: inputs, sent };
  }

  async #sendChecked<Id extends OperationId>(operationId: Id, inputs: InvalidInputs): Promise<Answer<Id>> {
    const given = this.#adapt(operationId, inputs);
    checkOwnRequest(operationId, operations[operationId], given.checked);
    return this.#send(operationId, given.sent);
  }

  /** `isExpected`: a rejection of the request itself is. */
  async #send<Id extends OperationId>(
    operationId: Id,
    inputs: InvalidInputs,
    isExpected = false,
  ): Promise<Answer<Id>> {
    const binding = this.#surroundings.profile.binding.get(operationId);
    if (binding === undefined || !binding.served) {
      throw new NotApplicable(`the profile declares ${operationId} as not served`, "not-served");
    }
    const isTagOperation = operation(operationId).group === "tags";
    const answer = await this.#exchangeSignedIn(
      operationId,
      () => this.#wireRequest(operationId, binding.method, binding.path, inputs, isTagOperation),
      isExpected,
    );
    this.#surroundings.removals.take(operationId, undefined, answer);
    await this.#untilShown(operationId, binding.method, answer);
    return answer;
  }

  async #streamRequest(operationId: OperationId, inputs: InvalidInputs): Promise<WireRequest> {
    const binding = this.#surroundings.profile.binding.get(operationId);
    if (binding === undefined || !binding.served) {
      throw new NotApplicable(`the profile declares ${operationId} as not served`, "not-served");
    }
    return this.#wireRequest(
      operationId,
      binding.method,
      binding.path,
      inputs,
      operation(operationId).group === "tags",
      true,
    );
  }

  async #wireRequest(
    name: CallName,
    method: string,
    path: string,
    inputs: InvalidInputs,
    isTagOperation: boolean,
    isForStream = false,
  ): Promise<WireRequest> {
    const { profile } = this.#surroundings;
    this.#token = (await this.#source?.obtain(isForStream)) ?? this.#token;
    const body = buildBody(inputs);
    const place = isTagOperation ? profile.tagToken : profile.token;
    const headers: Record<string, string> = { ...body.headers, ...inputs.headers };
    if (this.#token !== undefined && headers[place.header] === undefined)
      headers[place.header] = place.prefix + this.#token;
    return {
      operation: name,
      session: this.name,
      method,
      origin: this.#surroundings.baseUrl(),
      path: respelled(buildPath(path, inputs.path, inputs.query, inputs.escapes), inputs.spelled),
      headers,
      body: body.body,
      formType: body.formType,
      bodyShown: body.shown,
      patienceMs: inputs.patienceMs ?? profile.patience.answerMs,
      isLockPossible: inputs.isLockPossible,
    };
  }

  /** Once more with another token where the gateway ended that of the session, as one with few sessions may. */
  async #exchangeSignedIn<Id extends CallId>(
    callId: Id,
    prepare: () => Promise<WireRequest>,
    isExpected = false,
  ): Promise<Answer<Id>> {
    const request = await prepare();
    const token = this.#token;
    const answer = await this.#exchange(callId, request);
    if (token === undefined || this.#source === undefined || passwordUpdates.has(callId)) return answer;
    if (!(await this.#hasEnded(token, answer, isExpected))) return answer;
    this.#source.ended(token);
    return this.#exchange(callId, await prepare());
  }

  /** Whether the rejection is that of the token: only the status of a failed sign-in is stated, and a reading decides. */
  async #hasEnded(token: string, answer: Answer, isExpected: boolean): Promise<boolean> {
    if (answer.status === 401 || isExpected || !answer.rejected || answer.limitsRate)
      return answer.status === 401;
    const reading = smallReading(this.#surroundings.profile);
    const binding = reading && this.#surroundings.profile.binding.get(reading);
    if (reading === undefined || binding === undefined) return false;
    const isTagOperation = operation(reading).group === "tags";
    const request = await this.#wireRequest(reading, binding.method, binding.path, {}, isTagOperation);
    // Another case may have signed in since.
    return this.#token !== token || (await this.#exchange(reading, request)).rejected;
  }

  async #exchange<Id extends CallId>(callId: Id, request: WireRequest): Promise<Answer<Id>> {
    const { transport, tape, record, signal } = this.#surroundings;
    const { clock } = transport;
    const giveUpMs = clock.nowMs() + longestRateWaitMs;
    if (certificateSetters.has(callId)) transport.tls.expectChange();
    for (;;) {
      signal.throwIfAborted();
      record.paused?.(await transport.pace.turn(signal));
      const { status, headers, bytes, exchange } = await tape.send(request, record.next());
      const answer = new Answer(callId, exchange, status, headers, bytes, request.isLockPossible);
      record.keep(exchange, answer);
      if (certificateSetters.has(callId)) transport.leaveConnections();
      if (!answer.limitsRate) return answer;
      const waitMs = retryAfterMs(headers, clock.epochMs());
      if (clock.nowMs() + waitMs > giveUpMs) return answer;
      record.paused?.(waitMs);
      await clock.delay(waitMs, signal);
    }
  }
}
