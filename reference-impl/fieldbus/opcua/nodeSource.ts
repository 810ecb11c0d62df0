// One OPC UA server as a source of tags: a session that is opened again when it is lost, and a subscription.
import type {
  ClientMonitoredItemGroup,
  ClientSession,
  DataValue,
  OPCUACertificateManager,
  OPCUAClient,
} from "node-opcua";
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import type { TagValue } from "../../groups/tags/dataTypes.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import type { Conduct } from "../../product/conduct.ts";
import { badInput } from "../../base/refusal.ts";
import type { ConnectionSettings, NodeSettings } from "./settings.ts";
import { nodeTypes, tagValueOf, variantValueOf } from "./variants.ts";

const lookEveryMs = 50;
const keptChanges = 100;

export type NodeTag = NodeSettings & { readonly tag: Tag };

export class NodeSource implements AsyncDisposable {
  readonly nodes: readonly NodeTag[];
  readonly #settings: ConnectionSettings;
  readonly #certificates: () => Promise<OPCUACertificateManager>;
  readonly #values: ValueTable;
  readonly #clock: Clock;
  readonly #isRunning: () => boolean;
  readonly #log: (line: string) => void;
  readonly #retryMs: Conduct["fieldRetryMs"];
  readonly #work: Promise<void>;
  #session: ClientSession | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(
    provider: string,
    settings: ConnectionSettings,
    surroundings: {
      readonly certificates: () => Promise<OPCUACertificateManager>;
      readonly values: ValueTable;
      readonly clock: Clock;
      readonly isRunning: () => boolean;
      readonly retryMs: Conduct["fieldRetryMs"];
      readonly log: (line: string) => void;
    },
  ) {
    this.#settings = settings;
    this.#certificates = surroundings.certificates;
    this.#values = surroundings.values;
    this.#clock = surroundings.clock;
    this.#isRunning = surroundings.isRunning;
    this.#log = surroundings.log;
    this.#retryMs = surroundings.retryMs;
    this.nodes = settings.nodes.map((node) => ({
      ...node,
      tag: {
        prvdName: provider,
        srcName: settings.name,
        tagName: node.name,
        dataType: node.dataType,
        dataSize: node.dataSize,
        dataUnit: node.dataUnit,
        access: node.access,
      },
    }));
    this.#work = this.#loop();
  }

  /** Reads the node itself. Throws a Refusal when the server is unreachable or has no good value. */
  async readNow(node: NodeTag): Promise<void> {
    const session = this.#ready();
    const read = await refusing(session.read({ nodeId: node.nodeId }));
    if (!this.#take(node, read))
      throw badInput(`${node.name} has no good value: ${read.statusCode.toString()}`);
  }

  /** Writes to the node, and reads back what it then holds. */
  async write(node: NodeTag, value: TagValue): Promise<void> {
    const { AttributeIds, DataType, VariantArrayType } = await import("node-opcua");
    const status = await refusing(
      this.#ready().write({
        nodeId: node.nodeId,
        attributeId: AttributeIds.Value,
        value: {
          value: {
            dataType: DataType[nodeTypes[node.dataType]],
            arrayType: VariantArrayType.Scalar,
            value: variantValueOf(node.dataType, value),
          },
        },
      }),
    );
    if (!status.isGood()) throw badInput(`${node.name} was refused by its server: ${status.toString()}`);
    if (node.access !== "w") await this.readNow(node);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#wake?.();
    await this.#work;
  }

  async #loop(): Promise<void> {
    const { shortest, longest } = this.#retryMs;
    let pauseMs = shortest;
    while (!this.#isOver) {
      if (!this.#isRunning()) {
        await this.#pause(lookEveryMs);
        continue;
      }
      try {
        await this.#serve(() => (pauseMs = shortest));
      } catch (thrown) {
        this.#log(`${this.#settings.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
      if (this.#isOver) break;
      await this.#pause(pauseMs);
      pauseMs = Math.min(longest, pauseMs * 2);
    }
  }

  /** Connects, subscribes, and stays until the session is lost, the app stops or the gateway goes down. */
  async #serve(connected: () => void): Promise<void> {
    const { MessageSecurityMode, OPCUAClient, SecurityPolicy } = await import("node-opcua");
    const { endpoint, security, name } = this.#settings;
    const isSecured = security !== "None";
    const client = OPCUAClient.create({
      applicationName: `gateway ${name}`,
      endpointMustExist: false,
      clientCertificateManager: await this.#certificates(),
      securityMode: isSecured ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
      securityPolicy: isSecured ? SecurityPolicy.Basic256Sha256 : SecurityPolicy.None,
      // Reconnecting is this loop's business, so that there is one way back and not two.
      connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
      keepSessionAlive: true,
    });
    try {
      await client.connect(endpoint);
      const session = await client.createSession();
      const lost = lossOf(client, session);
      await this.#subscribe(session, () => (lost.isLost = true));
      this.#session = session;
      connected();
      this.#log(`${name}: connected to ${endpoint}`);
      while (!this.#isOver && this.#isRunning() && !lost.isLost) await this.#pause(lookEveryMs);
    } finally {
      this.#session = undefined;
      await client.disconnect().catch(() => undefined);
    }
  }

  async #subscribe(session: ClientSession, lose: () => void): Promise<void> {
    const {
      AttributeIds,
      ClientMonitoredItemGroup: Group,
      ClientSubscription,
      TimestampsToReturn,
    } = await import("node-opcua");
    const { publishingIntervalMs } = this.#settings;
    const subscription = ClientSubscription.create(session, {
      requestedPublishingInterval: publishingIntervalMs,
      requestedLifetimeCount: 600,
      requestedMaxKeepAliveCount: 20,
      maxNotificationsPerPublish: 0,
      publishingEnabled: true,
      priority: 1,
    });
    subscription.on("terminated", lose);
    // A session that is lost while the subscription is being made is reported in this way alone.
    subscription.on("error", lose);
    subscription.on("internal_error", lose);
    const readable = this.nodes.filter(({ access }) => access !== "w");
    const bySampling = Map.groupBy(readable, ({ samplingIntervalMs }) => samplingIntervalMs);
    for (const [samplingInterval, nodes] of bySampling) {
      const group: ClientMonitoredItemGroup = Group.create(
        subscription,
        nodes.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value })),
        { samplingInterval, discardOldest: true, queueSize: keptChanges },
        TimestampsToReturn.Both,
      );
      group.on("err", lose);
      group.on("changed", (_item, value, index) => {
        const node = nodes[index];
        if (node !== undefined) this.#take(node, value);
      });
    }
  }

  /** Takes a good value into the table; a bad one leaves what was there. */
  #take(node: NodeTag, read: DataValue): boolean {
    if (!read.statusCode.isGood()) return false;
    const value = tagValueOf(node.dataType, read.value.value);
    if (value === undefined) return false;
    this.#values.set(node.tag, value, this.#clock.nowMs());
    return true;
  }

  #ready(): ClientSession {
    if (this.#session === undefined) throw badInput(`the server ${this.#settings.name} is not connected`);
    return this.#session;
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(ms, resolve);
    this.#wake = resolve;
    return promise.then(() => {
      this.#wake = undefined;
      timer[Symbol.dispose]();
    });
  }
}

function lossOf(client: OPCUAClient, session: ClientSession): { isLost: boolean } {
  const state = { isLost: false };
  const lose = (): void => void (state.isLost = true);
  session.on("session_closed", lose);
  client.on("connection_lost", lose);
  client.on("close", lose);
  client.on("abort", lose);
  return state;
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw badInput(
      `the OPC UA server did not answer: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}
