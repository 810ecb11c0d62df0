// Where faults are put in: the edges between the gateway's parts. The rules themselves know of no fault.
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ExtensionId } from "../../interface/binding.ts";
import type { RequiredPermission } from "../../interface/authorisation.ts";
import { operation, type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { OperationDefinition } from "../../interface/operations/operation.ts";
import type { EventRecord } from "../../interface/resources/events.ts";
import type { Tag } from "../../interface/resources/tags.ts";
import type {
  Board,
  ConfigurationSection,
  EventRaiser,
  Group,
  ResetPart,
  ServiceEffect,
} from "../foundation/gateway.ts";
import type { TagValue } from "../groups/tags/dataTypes.ts";
import type { ValueTable } from "../groups/tags/values.ts";
import type { Answer, Call, Caller, Handler, Handlers } from "../http/handler.ts";
import type { GatewayOptions } from "../options.ts";
import type { Store } from "../store/store.ts";
import { type Fields, fields } from "./edits.ts";

type Ids = OperationId | ExtensionId | readonly (OperationId | ExtensionId)[];
type Next = (call: Call) => Promise<Answer>;
/** A step around a handler: it may change the call, the answer, or leave the handler out. */
export type Step = (call: Call, proceed: Next) => Answer | Promise<Answer>;
type Redeem = (token: string) => (() => Caller | undefined) | undefined;
type Subscribe = (listener: (event: EventRecord) => void) => Disposable;

/** The gateway's edges. Faults register at them; `compose` runs everything through them. */
export class Switchboard {
  readonly #steps: { readonly ids: ReadonlySet<string>; readonly step: Step }[] = [];
  readonly #definitions = new Map<string, (definition: OperationDefinition) => OperationDefinition>();
  readonly #permissions = new Map<OperationId, RequiredPermission>();
  #options = (options: GatewayOptions): GatewayOptions => options;
  #atBoot = (_store: Store): void => undefined;
  #reboot = (_reason: string, proceed: () => void): void => proceed();
  #raise = (
    kindId: number,
    detail: Parameters<EventRaiser["raise"]>[1],
    proceed: EventRaiser["raise"],
  ): void => proceed(kindId, detail);
  #section = (section: ConfigurationSection): ConfigurationSection => section;
  #resetPart = (part: ResetPart): ResetPart => part;
  #service = (service: ServiceEffect): ServiceEffect => service;
  #authenticate = (token: string, proceed: (token: string) => Caller): Caller => proceed(token);
  #redeem = (token: string, proceed: Redeem): ReturnType<Redeem> => proceed(token);
  #subscribe = (listener: (event: EventRecord) => void, proceed: Subscribe): Disposable => proceed(listener);
  #value: ((tag: Tag, value: TagValue, ts: number, set: ValueTable["set"]) => void) | undefined;

  // What faults call.

  options(edit: (options: GatewayOptions) => GatewayOptions): void {
    this.#options = edit;
  }

  /** Runs at every boot, before anything reads the store. */
  boot(work: (store: Store) => void): void {
    this.#atBoot = work;
  }

  around(ids: Ids, step: Step): void {
    this.#steps.push({ ids: new Set(typeof ids === "string" ? [ids] : ids), step });
  }

  /** Changes the JSON of accepted answers. */
  answer(ids: Ids, edit: (body: Fields, call: Call) => unknown): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      return answer.kind === "json" ? { ...answer, body: edit(fields(answer.body), call) } : answer;
    });
  }

  /** Changes what is under `data` in accepted answers: the value itself, or each item of a list. */
  data(ids: Ids, edit: (item: Fields, call: Call) => Fields): void {
    this.answer(ids, (body, call) => ({
      ...body,
      data: Array.isArray(body["data"])
        ? body["data"].map((item) => edit(fields(item), call))
        : edit(fields(body["data"]), call),
    }));
  }

  /** Changes the body of requests after they were found valid. */
  body(ids: Ids, edit: (body: Fields, call: Call) => Fields): void {
    this.around(ids, (call, proceed) => proceed(changed(call, { body: edit({ ...call.body }, call) })));
  }

  query(ids: Ids, edit: (query: Fields, call: Call) => Fields): void {
    this.around(ids, (call, proceed) => proceed(changed(call, { query: edit({ ...call.query }, call) })));
  }

  /** Changes the bytes of files that are answered. */
  file(ids: Ids, edit: (content: Buffer, call: Call) => Buffer): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      if (answer.kind !== "file") return answer;
      return { ...answer, content: edit(await bytesOf(answer.content), call) };
    });
  }

  /** Changes the frames of streams: text up to the empty line, not included, becomes any number of others. */
  frames(ids: Ids, edit: (frame: string, call: Call) => readonly string[]): void {
    this.around(ids, async (call, proceed) => {
      const answer = await proceed(call);
      if (answer.kind !== "stream") return answer;
      return { ...answer, run: (response) => answer.run(editing(response, (frame) => edit(frame, call))) };
    });
  }

  /** Takes any value, and none, for members that the operation's schema would check. */
  lenient(
    ids: OperationId | readonly OperationId[],
    part: "path" | "query" | "json" | "form",
    ...names: readonly string[]
  ): void {
    for (const id of typeof ids === "string" ? [ids] : ids) {
      const before = this.#definitions.get(id) ?? ((definition: OperationDefinition) => definition);
      this.#definitions.set(id, (definition) => {
        const strict = before(definition);
        return { ...strict, [part]: loosened(fields(strict)[part], names) };
      });
    }
  }

  /** Asks for another permission than the one that is declared. */
  permission(ids: OperationId | readonly OperationId[], required: RequiredPermission): void {
    for (const id of typeof ids === "string" ? [ids] : ids) this.#permissions.set(id, required);
  }

  reboot(step: (reason: string, proceed: () => void) => void): void {
    this.#reboot = step;
  }

  raise(
    step: (
      kindId: number,
      detail: Parameters<EventRaiser["raise"]>[1],
      proceed: EventRaiser["raise"],
    ) => void,
  ): void {
    this.#raise = step;
  }

  section(edit: (section: ConfigurationSection) => ConfigurationSection): void {
    this.#section = edit;
  }

  resetPart(edit: (part: ResetPart) => ResetPart): void {
    this.#resetPart = edit;
  }

  service(edit: (service: ServiceEffect) => ServiceEffect): void {
    this.#service = edit;
  }

  authenticate(step: (token: string, proceed: (token: string) => Caller) => Caller): void {
    this.#authenticate = step;
  }

  redeem(step: (token: string, proceed: Redeem) => ReturnType<Redeem>): void {
    this.#redeem = step;
  }

  subscribe(step: (listener: (event: EventRecord) => void, proceed: Subscribe) => Disposable): void {
    this.#subscribe = step;
  }

  /** Sees every value before it enters the value table, and passes on what it likes. */
  value(step: (tag: Tag, value: TagValue, ts: number, set: ValueTable["set"]) => void): void {
    this.#value = step;
  }

  // What the gateway runs through.

  wrapOptions(options: GatewayOptions): GatewayOptions {
    return this.#options(options);
  }

  wrapStore(store: Store): Store {
    this.#atBoot(store);
    return store;
  }

  wrapBoard(board: Board): Board {
    return { ...board, reboot: (reason) => this.#reboot(reason, () => board.reboot(reason)) };
  }

  wrapEvents(events: EventRaiser): EventRaiser {
    return { raise: (kindId, detail) => this.#raise(kindId, detail, (id, what) => events.raise(id, what)) };
  }

  wrapGroup(group: Group): Group {
    return {
      ...group,
      ...(group.sections === undefined ? {} : { sections: group.sections.map(this.#section) }),
      ...(group.resetParts === undefined ? {} : { resetParts: group.resetParts.map(this.#resetPart) }),
      ...(group.services === undefined ? {} : { services: group.services.map(this.#service) }),
      [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
    };
  }

  wrapHandlers(handlers: Handlers): Handlers {
    const wrapped = Object.entries(handlers).map(([id, handler]) => {
      const steps = this.#steps.filter(({ ids }) => ids.has(id));
      return [id, steps.reduce<Handler>((inner, { step }) => around(inner, step), handler)];
    });
    return Object.fromEntries(wrapped) as Handlers;
  }

  definitionOf(id: OperationId): OperationDefinition {
    return this.#definitions.get(id)?.(operation(id)) ?? operation(id);
  }

  permissionOf(id: OperationId, required: RequiredPermission): RequiredPermission {
    return this.#permissions.get(id) ?? required;
  }

  wrapAuthenticate(authenticate: (token: string) => Caller): (token: string) => Caller {
    return (token) => this.#authenticate(token, authenticate);
  }

  wrapRedeem(redeem: Redeem): Redeem {
    return (token) => this.#redeem(token, redeem);
  }

  wrapSubscribe(subscribe: Subscribe): Subscribe {
    return (listener) => this.#subscribe(listener, subscribe);
  }

  wrapValues(values: ValueTable): void {
    const step = this.#value;
    if (step === undefined) return;
    const set = values.set.bind(values);
    values.set = (tag, value, ts) => step(tag, value, ts, set);
  }
}

/** Every operation, for what goes wrong everywhere. */
export const everywhere: readonly OperationId[] = operationIds;

/** The call with other parts; its signal is asked for only when somebody wants it, as in the original. */
export function changed(call: Call, parts: Partial<Omit<Call, "signal">>): Call {
  return Object.create(
    call,
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value, enumerable: true }])),
  ) as Call;
}

function around(inner: Handler, step: Step): Handler {
  return (call) => step(call, async (given) => inner(given));
}

function loosened(schema: unknown, names: readonly string[]): unknown {
  const { properties, required } = fields(schema);
  return {
    ...fields(schema),
    properties: { ...fields(properties), ...Object.fromEntries(names.map((name) => [name, {}])) },
    required: Array.isArray(required) ? required.filter((name) => !names.includes(String(name))) : [],
  };
}

function bytesOf(content: Buffer | Readable): Promise<Buffer> {
  return Buffer.isBuffer(content) ? Promise.resolve(content) : buffer(content);
}

/** The response with its writes edited frame by frame; writers here always write whole frames. */
function editing(response: ServerResponse, edit: (frame: string) => readonly string[]): ServerResponse {
  const write = response.write.bind(response);
  response.write = ((chunk: string | Uint8Array) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    const edited = text
      .split("\n\n")
      .slice(0, -1)
      .flatMap(edit)
      .map((frame) => `${frame}\n\n`)
      .join("");
    return edited === "" || write(edited);
  }) as ServerResponse["write"];
  return response;
}
