// Alterations of the wire: how calls are recognised, and how answers and streams are written and sent.
import type { RequestListener } from "node:http";
import type { ConnectionLimits } from "../../reference-impl/http/listeners.ts";
import { belowPath, pathBelow } from "../wire/basePath.ts";
import { frontOf } from "../wire/front.ts";
import { type DeclaredBinding, DeclaredRoutes } from "../wire/routes.ts";
import type { Sending, WireEdits } from "../wire/wireEdits.ts";
import { OperationAlterations } from "./operationAlterations.ts";

export class WireAlterations extends OperationAlterations {
  readonly #edits: WireEdits = {
    arrivals: [],
    requests: [],
    values: [],
    texts: [],
    answers: [],
    sendings: [],
    streams: [],
    areStreamsInPieces: false,
    areHeadAndOptionsServed: false,
  };
  #isFrontAltered = false;
  #binding: DeclaredBinding | undefined;
  #basePath = "";
  #upgradeUrl: ((url: string) => string) | undefined;
  #limits: ConnectionLimits = {};

  /** Sees each request as it arrives, before its call is recognised, and may change its URL and headers. */
  arrival(edit: WireEdits["arrivals"][number]): void {
    this.#addTo("arrivals", edit);
  }

  /** Sees each call before the gateway does, and may change its headers. A status rejects it. */
  request(edit: WireEdits["requests"][number]): void {
    this.#addTo("requests", edit);
  }

  /** Changes the value of JSON answers and of records on streams, with their place in the value left to the edit. */
  jsonValue(edit: WireEdits["values"][number]): void {
    this.#addTo("values", edit);
  }

  /** Changes how JSON is written. */
  jsonText(edit: WireEdits["texts"][number]): void {
    this.#addTo("texts", edit);
  }

  /** Changes whole answers, rejections included. */
  wholeAnswer(edit: WireEdits["answers"][number]): void {
    this.#addTo("answers", edit);
  }

  /** Says how each answer is sent. */
  sending(edit: () => Sending): void {
    this.#addTo("sendings", edit);
  }

  /** Makes a filter of its text for each stream. */
  streamText(edit: WireEdits["streams"][number]): void {
    this.#addTo("streams", edit);
  }

  /** Sends streams in pieces that end anywhere. */
  streamsInPieces(): void {
    this.#edits.areStreamsInPieces = true;
    this.#isFrontAltered = true;
  }

  /** Answers HEAD and OPTIONS. */
  headAndOptions(): void {
    this.#edits.areHeadAndOptionsServed = true;
    this.#isFrontAltered = true;
  }

  /** Takes calls by the declared binding only. */
  binding(declared: DeclaredBinding): void {
    this.#binding = declared;
    this.#isFrontAltered = true;
  }

  /** Serves every path below another one, as behind a reverse proxy. */
  below(path: string): void {
    this.#basePath = path;
  }

  get basePath(): string {
    return this.#basePath;
  }

  upgradeUrl(edit: (url: string) => string): void {
    this.#upgradeUrl = edit;
  }

  connections(limits: ConnectionLimits): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  get connectionLimits(): ConnectionLimits {
    return this.#limits;
  }

  /** The listener behind the edits; `ownPrefix` is what it serves its paths under. */
  alteredFront(listener: RequestListener, ownPrefix: string): RequestListener {
    const front = this.#isFrontAltered ? frontOf(this.#edits, this.#routes(ownPrefix), listener) : listener;
    return this.#basePath === "" ? front : belowPath(this.#basePath, front);
  }

  alteredUpgradeUrl(given: string, ownPrefix: string): string {
    const url = pathBelow(this.#basePath, given) ?? "/";
    if (this.#upgradeUrl !== undefined) return this.#upgradeUrl(url);
    return this.#binding === undefined ? url : this.#routes(ownPrefix).ownUpgradeUrl(url);
  }

  #routes(ownPrefix: string): DeclaredRoutes {
    return new DeclaredRoutes(this.#binding ?? {}, ownPrefix);
  }

  #addTo<Name extends "arrivals" | "requests" | "values" | "texts" | "answers" | "sendings" | "streams">(
    name: Name,
    edit: WireEdits[Name][number],
  ): void {
    const list: WireEdits[Name][number][] = this.#edits[name];
    list.push(edit);
    this.#isFrontAltered = true;
  }
}
