// The app opcuaserver: the gateway's tags as nodes that OPC UA clients browse, read, write and subscribe to.
import { callbackify } from "node:util";
import type * as NodeOpcua from "node-opcua";
import type { Namespace, OPCUAServer, UAObject, UAVariable } from "node-opcua";
import Type, { type Static } from "typebox";
import type { Tag } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { zeroOf } from "../../groups/tags/dataTypes.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { gatewayCertificates } from "./certificates.ts";
import { nodeTypes, tagValueOf, variantValueOf } from "./variants.ts";

const OpcuaServerSettings = Type.Object(
  {
    enable: Type.Boolean(),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    security: Type.Array(Type.Enum(["None", "Basic256Sha256"]), { minItems: 1 }),
    allowAnonymous: Type.Boolean(),
  },
  { additionalProperties: false },
);
type OpcuaServerSettings = Static<typeof OpcuaServerSettings>;
const problemsOf = checker(OpcuaServerSettings);

const asDelivered: OpcuaServerSettings = {
  enable: false,
  port: 4840,
  security: ["Basic256Sha256"],
  allowAnonymous: false,
};
const lookEveryMs = 100;
const listTagsEveryMs = 1000;

export interface OpcuaServerSurroundings {
  readonly address: string;
  readonly isRunning: () => boolean;
  readonly tags: () => readonly Tag[];
  readonly values: ValueTable;
  readonly write: (tag: Tag, value: unknown) => Promise<void>;
  readonly isUser: (name: string, password: string) => Promise<boolean>;
}

export function createOpcuaServer(foundation: Foundation, surroundings: OpcuaServerSurroundings): Group {
  const { clock, log } = foundation;
  const setting = openSetting(foundation.store, "section/opcuaserver/general", OpcuaServerSettings, () => {
    const delivered = foundation.delivered("opcuaserver", "general");
    return problemsOf(delivered).length === 0 ? (delivered as OpcuaServerSettings) : asDelivered;
  });
  let running: TagServer | undefined;
  let hasFailed = false;
  let listedMs = 0;
  let timer: Disposable | undefined;
  let turning: Promise<void> = Promise.resolve();

  /** Follows the app: serves while it runs, and not while it does not. */
  const follow = async (): Promise<void> => {
    const isWanted = surroundings.isRunning();
    if (!isWanted) hasFailed = false;
    if (isWanted && running === undefined && !hasFailed) {
      try {
        running = await TagServer.start(foundation.stateFolder, setting.get(), surroundings);
        log("opcuaserver", `clients are served at ${running.endpoint}`);
      } catch (thrown) {
        hasFailed = true;
        log(
          "opcuaserver",
          `clients cannot be served: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
      }
    } else if (!isWanted && running !== undefined) {
      const ended = running;
      running = undefined;
      await ended[Symbol.asyncDispose]();
    } else if (running !== undefined && clock.monotonicMs() - listedMs >= listTagsEveryMs) {
      listedMs = clock.monotonicMs();
      running.refresh();
    }
  };
  const turn = (): void => {
    turning = follow()
      .catch((thrown: unknown) => log("opcuaserver", `nodes could not be updated: ${String(thrown)}`))
      .then(() => {
        timer = clock.after(lookEveryMs, turn);
      });
  };

  return {
    handlers: {},
    sections: [
      {
        app: "opcuaserver",
        section: "general",
        labels: [],
        read: () => setting.get(),
        check(document) {
          const problem = problemsOf(document)[0];
          if (problem !== undefined)
            throw badInput(
              `opcuaserver/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
            );
        },
        write: (document) => setting.set(document as OpcuaServerSettings),
      },
    ],
    resetParts: [{ scopes: ["all"], reset: () => setting.reset() }],
    start() {
      if (setting.get().enable) turn();
    },
    async [Symbol.asyncDispose]() {
      await turning;
      timer?.[Symbol.dispose]();
      await running?.[Symbol.asyncDispose]();
    },
  };
}

/** A running server and the nodes in it. */
class TagServer implements AsyncDisposable {
  readonly #server: OPCUAServer;
  readonly #surroundings: OpcuaServerSurroundings;
  readonly #library: typeof NodeOpcua;
  readonly #nodes = new Map<Tag, UAVariable>();
  readonly #folders = new Map<string, UAObject>();

  private constructor(server: OPCUAServer, library: typeof NodeOpcua, surroundings: OpcuaServerSurroundings) {
    this.#server = server;
    this.#library = library;
    this.#surroundings = surroundings;
  }

  static async start(
    stateFolder: string,
    { port, security, allowAnonymous }: OpcuaServerSettings,
    surroundings: OpcuaServerSurroundings,
  ): Promise<TagServer> {
    const certificates = await gatewayCertificates(stateFolder, "opcuaserver");
    const library = await import("node-opcua");
    const { MessageSecurityMode, OPCUAServer: Server, SecurityPolicy, nodesets } = library;
    const isOpen = security.includes("None");
    const isSecured = security.includes("Basic256Sha256");
    const server = new Server({
      port,
      host: surroundings.address,
      hostname: surroundings.address,
      resourcePath: "",
      allowAnonymous,
      securityModes: [
        ...(isOpen ? [MessageSecurityMode.None] : []),
        ...(isSecured ? [MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt] : []),
      ],
      securityPolicies: [
        ...(isOpen ? [SecurityPolicy.None] : []),
        ...(isSecured ? [SecurityPolicy.Basic256Sha256] : []),
      ],
      userManager: {
        isValidUserAsync: callbackify(surroundings.isUser),
      },
      serverCertificateManager: certificates,
      userCertificateManager: certificates,
      nodeset_filename: [nodesets.standard],
      serverInfo: { applicationName: { text: "gateway" } },
    });
    await server.initialize();
    const started = new TagServer(server, library, surroundings);
    try {
      started.refresh();
      await server.start();
    } catch (thrown) {
      await server.shutdown(0).catch(() => undefined);
      throw thrown;
    }
    return started;
  }

  get endpoint(): string {
    return `opc.tcp://${this.#surroundings.address}:${this.#server.endpoints[0]?.port ?? 0}`;
  }

  /** Nodes for new tags, and none for tags that are gone. */
  refresh(): void {
    const present = new Set(this.#surroundings.tags());
    for (const [tag, node] of this.#nodes) {
      if (present.has(tag)) continue;
      this.#nodes.delete(tag);
      this.#server.engine.addressSpace?.deleteNode(node);
    }
    for (const tag of present) if (!this.#nodes.has(tag)) this.#add(tag);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown(0);
  }

  #add(tag: Tag): void {
    const space = this.#server.engine.addressSpace;
    if (space === null) return;
    const namespace = space.getOwnNamespace();
    const { prvdName, srcName, tagName, dataType, access } = tag;
    const provider = this.#folder(namespace, space.rootFolder.objects, prvdName, prvdName);
    const source = this.#folder(namespace, provider, `${prvdName}/${srcName}`, srcName);
    const { DataType, DataValue, StatusCodes, Variant, VariantArrayType } = this.#library;
    const level =
      access === "r" ? "CurrentRead" : access === "w" ? "CurrentWrite" : "CurrentRead | CurrentWrite";
    const node = namespace.addVariable({
      componentOf: source,
      nodeId: `s=${prvdName}/${srcName}/${tagName}`,
      browseName: tagName,
      dataType: nodeTypes[dataType],
      accessLevel: level,
      userAccessLevel: level,
      minimumSamplingInterval: lookEveryMs,
      // Values are taken from the table when somebody asks, so that nodes nobody reads cost nothing.
      value: {
        timestamped_get: () => {
          const sample = this.#surroundings.values.latest(tag);
          return new DataValue({
            value: new Variant({
              dataType: DataType[nodeTypes[dataType]],
              arrayType: VariantArrayType.Scalar,
              value: variantValueOf(dataType, sample?.value ?? zeroOf(dataType)),
            }),
            statusCode: sample === undefined ? StatusCodes.BadWaitingForInitialData : StatusCodes.Good,
            sourceTimestamp: sample === undefined ? null : new Date(sample.ts),
          });
        },
        timestamped_set: (written: { value: { value: unknown } }) =>
          this.#surroundings.write(tag, tagValueOf(dataType, written.value.value)).then(
            () => StatusCodes.Good,
            () => StatusCodes.BadOutOfRange,
          ),
      },
    });
    this.#nodes.set(tag, node);
  }

  #folder(namespace: Namespace, parent: UAObject, key: string, name: string): UAObject {
    let folder = this.#folders.get(key);
    if (folder === undefined) {
      folder = namespace.addFolder(parent, { browseName: name, nodeId: `s=${key}` });
      this.#folders.set(key, folder);
    }
    return folder;
  }
}
