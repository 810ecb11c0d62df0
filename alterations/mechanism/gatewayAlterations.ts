// Alterations of the reference gateway: registered here, they take effect at its edges.
import type { RequiredPermission } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { OperationDefinition } from "../../interface/operations/operation.ts";
import type { Clock } from "../../reference-impl/base/clock.ts";
import type { Authenticate, ClockUser, Edges, Redeem } from "../../reference-impl/edges.ts";
import type {
  ConfigurationSection,
  EventRaiser,
  Foundation,
  Group,
  ResetPart,
} from "../../reference-impl/foundation/gateway.ts";
import type { Download } from "../../reference-impl/groups/upgrade/download.ts";
import type { Intake } from "../../reference-impl/groups/tags/values.ts";
import type { Caller } from "../../reference-impl/http/handler.ts";
import type { MessageSender } from "../../reference-impl/http/websocket.ts";
import type { GatewayOptions } from "../../reference-impl/options.ts";
import type { Product } from "../../reference-impl/product/product.ts";
import type { PackageChecks } from "../../reference-impl/slots/systemPackage.ts";
import type { SystemSlots } from "../../reference-impl/slots/systemSlots.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { AlteredResponse } from "../wire/alteredResponse.ts";
import { fields } from "./edits.ts";
import { WireAlterations } from "./wireAlterations.ts";

type Raise = EventRaiser["raise"];
type Edit<T> = (part: T) => T;

export class GatewayAlterations extends WireAlterations {
  readonly #options: Edit<GatewayOptions>[] = [];
  readonly #product: Edit<Product>[] = [];
  readonly #clocks = new Map<ClockUser, Edit<Clock>>();
  readonly #slots: ((slots: SystemSlots, folder: string) => SystemSlots)[] = [];
  readonly #packageChecks: Edit<PackageChecks>[] = [];
  readonly #boot: ((store: Store) => void)[] = [];
  readonly #sections: Edit<ConfigurationSection>[] = [];
  readonly #resetParts: Edit<ResetPart>[] = [];
  readonly #definitions = new Map<OperationId, Edit<OperationDefinition>[]>();
  readonly #permissions = new Map<OperationId, RequiredPermission>();
  #reboot = (_reason: string, proceed: () => void): void => proceed();
  #raise = (kindId: number, detail: Parameters<Raise>[1], proceed: Raise): void => proceed(kindId, detail);
  #authenticate = (token: string, proceed: Authenticate): Caller => proceed(token);
  #redeem = (token: string, proceed: Redeem): ReturnType<Redeem> => proceed(token);
  #tagValue: Intake | undefined;
  #websocketSender: Edit<MessageSender> = (send) => send;
  #download: Edit<Download> = (download) => download;
  #background: (foundation: Foundation) => Disposable | undefined = () => undefined;
  #pathPrefix = "";

  options(edit: Edit<GatewayOptions>): void {
    this.#options.push(edit);
  }

  /** Gives a part of the gateway another clock. */
  clock(user: ClockUser, edit: Edit<Clock>): void {
    this.#clocks.set(user, edit);
  }

  product(edit: Edit<Product>): void {
    this.#product.push(edit);
  }

  /** Gives the gateway other system slots; the folder is the one that holds them. */
  slots(edit: (slots: SystemSlots, folder: string) => SystemSlots): void {
    this.#slots.push(edit);
  }

  packageChecks(edit: Edit<PackageChecks>): void {
    this.#packageChecks.push(edit);
  }

  /** Runs at every boot, before anything reads the store. */
  boot(work: (store: Store) => void): void {
    this.#boot.push(work);
  }

  /** Takes any value, and none, for members that the operation's schema would check. */
  lenient(
    ids: OperationId | readonly OperationId[],
    part: "path" | "query" | "json" | "form",
    ...names: readonly string[]
  ): void {
    for (const id of typeof ids === "string" ? [ids] : ids) {
      const edit: Edit<OperationDefinition> = (strict) => ({
        ...strict,
        [part]: loosened(fields(strict)[part], part, names),
      });
      this.#definitions.set(id, [...(this.#definitions.get(id) ?? []), edit]);
    }
  }

  /** Requires another permission than the default one; the first that is registered counts. */
  permission(ids: OperationId | readonly OperationId[], required: RequiredPermission): void {
    for (const id of typeof ids === "string" ? [ids] : ids)
      if (!this.#permissions.has(id)) this.#permissions.set(id, required);
  }

  reboot(step: (reason: string, proceed: () => void) => void): void {
    this.#reboot = step;
  }

  raise(step: (kindId: number, detail: Parameters<Raise>[1], proceed: Raise) => void): void {
    this.#raise = step;
  }

  section(edit: Edit<ConfigurationSection>): void {
    this.#sections.push(edit);
  }

  resetPart(edit: Edit<ResetPart>): void {
    this.#resetParts.push(edit);
  }

  authenticate(step: (token: string, proceed: Authenticate) => Caller): void {
    this.#authenticate = step;
  }

  redeem(step: (token: string, proceed: Redeem) => ReturnType<Redeem>): void {
    this.#redeem = step;
  }

  /** Gets every tag value on its way into the value table, and passes on any. */
  tagValue(step: Intake): void {
    this.#tagValue = step;
  }

  websocketSender(edit: Edit<MessageSender>): void {
    this.#websocketSender = edit;
  }

  /** Each attempt of an upgrade job to download its file. */
  download(edit: Edit<Download>): void {
    this.#download = edit;
  }

  background(work: (foundation: Foundation) => Disposable): void {
    this.#background = work;
  }

  /** The gateway's edges with everything that was registered. */
  edges(): Edges {
    return {
      options: (options) => {
        const edited = applied(this.#options, options);
        this.#pathPrefix = edited.pathPrefix;
        return edited;
      },
      product: (product) => applied(this.#product, product),
      store: (store) => this.#boot.forEach((work) => work(store)),
      board: (board) => ({
        ...board,
        reboot: (reason) => this.#reboot(reason, () => board.reboot(reason)),
      }),
      slots: (slots, folder) => this.#slots.reduce((sum, edit) => edit(sum, folder), slots),
      packageChecks: (checks) => applied(this.#packageChecks, checks),
      clock: (user, clock) => this.#clocks.get(user)?.(clock) ?? clock,
      events: (events) => ({
        raise: (kindId, detail) => this.#raise(kindId, detail, (id, what) => events.raise(id, what)),
      }),
      group: (group) => this.#alteredGroup(group),
      handlers: (handlers) => this.alteredHandlers(handlers),
      definition: (id, definition) => applied(this.#definitions.get(id) ?? [], definition),
      permission: (id, required) => this.#permissions.get(id) ?? required,
      authenticate: (authenticate) => (token) => this.#authenticate(token, authenticate),
      redeem: (redeem) => (token) => this.#redeem(token, redeem),
      ...(this.#tagValue === undefined ? {} : { intake: this.#tagValue }),
      front: (listener) => this.alteredFront(listener, this.#pathPrefix),
      basePath: this.basePath,
      responseClass: AlteredResponse,
      upgradeUrl: (url) => this.alteredUpgradeUrl(url, this.#pathPrefix),
      websocketSender: this.#websocketSender,
      download: this.#download,
      connectionLimits: this.connectionLimits,
      background: this.#background,
    };
  }

  #alteredGroup(group: Group): Group {
    const { sections, resetParts } = group;
    return {
      ...group,
      ...(sections === undefined
        ? {}
        : { sections: sections.map((section) => applied(this.#sections, section)) }),
      ...(resetParts === undefined
        ? {}
        : { resetParts: resetParts.map((part) => applied(this.#resetParts, part)) }),
      [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
    };
  }
}

function applied<T>(edits: readonly Edit<T>[], part: T): T {
  return edits.reduce((sum, edit) => edit(sum), part);
}

function loosened(schema: unknown, part: string, names: readonly string[]): unknown {
  const { properties, required } = fields(schema);
  const known = fields(properties);
  // Of a query that has a list several times over, anything but a list is the last one.
  const anyOf = (strict: unknown): object =>
    part === "query" && fields(strict)["type"] === "array" ? { type: "array" } : {};
  return {
    ...fields(schema),
    properties: { ...known, ...Object.fromEntries(names.map((name) => [name, anyOf(known[name])])) },
    required: Array.isArray(required) ? required.filter((name) => !names.includes(String(name))) : [],
  };
}
