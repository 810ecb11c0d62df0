// A simulated OPC UA field device: folders, a variable for each point, security as configured.
import type * as NodeOpcua from "node-opcua";
import type { OPCUACertificateManager, OPCUAServer, UAVariable } from "node-opcua";
import type { FaultOptions, FieldDevice, FieldFault, FieldWrite } from "../field/device.ts";
import type { FieldPoint, PointValue } from "../field/point.ts";
import { checkOpcua } from "./check.ts";
import { temporaryPki } from "./pki.ts";
import { fromVariant, opcuaTypes, toVariantValue } from "./variants.ts";

export interface OpcuaServerOptions {
  readonly name: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, a free one. */
  readonly port?: number;
  /** Default both. */
  readonly security?: "none" | "Basic256Sha256" | "both";
  readonly points: readonly FieldPoint[];
}

const serverFaults: readonly FieldFault[] = ["bad-quality", "session-loss", "cut", "restart"];
const restartMs = 300;
const publishEveryMs = 10;

/** The value behind a point, and its node in the running server. */
interface Place {
  value: PointValue;
  node: UAVariable | undefined;
}

/** Starts the server; throws an Error that names host and port when it cannot. */
export async function startOpcuaServer(options: OpcuaServerOptions): Promise<FieldDevice> {
  await using stack = new AsyncDisposableStack();
  const certificates = await temporaryPki(stack);
  const device = new SimulatedOpcuaDevice(options, certificates);
  stack.defer(() => device.end());
  await device.start(options.port ?? 0);
  const whole = stack.move();
  const { name, points } = options;
  return {
    name,
    kind: "opcua",
    isSimulated: true,
    address: device.endpoint,
    points,
    faults: serverFaults,
    set: (point, value) => Promise.resolve(device.setAll([[point, value]])),
    setAll: (changes) => Promise.resolve(device.setAll(changes)),
    get: (point) => Promise.resolve(device.get(point)),
    onWrite: (listener) => device.onWrite(listener),
    fault: (fault, how) => device.fault(fault, how),
    check: () =>
      checkOpcua(device.endpoint, points, options.security === "Basic256Sha256" ? "Basic256Sha256" : "none"),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

class SimulatedOpcuaDevice {
  readonly #options: OpcuaServerOptions;
  readonly #certificates: OPCUACertificateManager;
  readonly #places = new Map<FieldPoint, Place>();
  readonly #listeners = new Set<(write: FieldWrite) => void>();
  #library: typeof NodeOpcua | undefined;
  #server: OPCUAServer | undefined;
  #port = 0;
  #isBad = false;
  #isOver = false;

  constructor(options: OpcuaServerOptions, certificates: OPCUACertificateManager) {
    this.#options = options;
    this.#certificates = certificates;
    for (const point of options.points) this.#places.set(point, { value: initial(point), node: undefined });
  }

  get endpoint(): string {
    return `opc.tcp://${this.#options.host ?? "127.0.0.1"}:${this.#port}`;
  }

  async start(port: number): Promise<void> {
    if (this.#isOver) return;
    const library = await import("node-opcua");
    this.#library = library;
    const { MessageSecurityMode, OPCUAServer: Server, SecurityPolicy, nodesets } = library;
    // The library's minimum of 50 ms would add a delay of the rig to that of the gateway.
    library.Subscription.minimumPublishingInterval = publishEveryMs;
    const { host = "127.0.0.1", security = "both", name } = this.#options;
    const isOpen = security !== "Basic256Sha256";
    const isSecured = security !== "none";
    const server = new Server({
      port,
      host,
      hostname: host,
      resourcePath: "",
      allowAnonymous: true,
      securityModes: [
        ...(isOpen ? [MessageSecurityMode.None] : []),
        ...(isSecured ? [MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt] : []),
      ],
      securityPolicies: [
        ...(isOpen ? [SecurityPolicy.None] : []),
        ...(isSecured ? [SecurityPolicy.Basic256Sha256] : []),
      ],
      serverCertificateManager: this.#certificates,
      userCertificateManager: this.#certificates,
      nodeset_filename: [nodesets.standard],
      serverInfo: { applicationName: { text: name } },
    });
    await server.initialize();
    this.#addNodes(server);
    await server.start().catch(async (thrown: unknown) => {
      await server.shutdown(0).catch(() => undefined);
      throw thrown;
    });
    this.#server = server;
    this.#port = server.endpoints[0]?.port ?? port;
  }

  /** Stops permanently: a fault that ends later does not restart it. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.stop();
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const place of this.#places.values()) place.node = undefined;
    await server?.shutdown(0);
  }

  setAll(changes: Iterable<readonly [FieldPoint, PointValue]>): { low: number; high: number } {
    const low = performance.now();
    for (const [point, value] of changes) {
      this.#placeOf(point).value = value;
      this.#show(point);
    }
    return { low, high: performance.now() };
  }

  get(point: FieldPoint): PointValue {
    return this.#placeOf(point).value;
  }

  onWrite(listener: (write: FieldWrite) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async fault(fault: FieldFault, _how: FaultOptions = {}): Promise<AsyncDisposable> {
    if (fault === "bad-quality") {
      this.#setBad(true);
      return { [Symbol.asyncDispose]: () => Promise.resolve(this.#setBad(false)) };
    }
    if (fault === "session-loss") {
      const sessions = Object.values(this.#server?.engine.getSessions?.() ?? {});
      for (const session of sessions)
        this.#server?.engine.closeSession(session.authenticationToken, true, "Terminated");
      return { [Symbol.asyncDispose]: () => Promise.resolve() };
    }
    if (fault !== "cut" && fault !== "restart")
      throw new Error(`${this.#options.name} has no fault ${fault}`);
    await this.stop();
    let back: Promise<void> | undefined;
    const restore = (): Promise<void> => (back ??= this.start(this.#port));
    const timer =
      fault === "restart" ? setTimeout(() => void restore().catch(() => undefined), restartMs) : undefined;
    return {
      async [Symbol.asyncDispose]() {
        clearTimeout(timer);
        await restore();
      },
    };
  }

  #addNodes(server: OPCUAServer): void {
    const space = server.engine.addressSpace;
    if (space === null) throw new Error("the OPC UA server has no address space");
    const namespace = space.getOwnNamespace();
    const folder = namespace.addFolder(space.rootFolder.objects, { browseName: this.#options.name });
    for (const [point, place] of this.#places) {
      if (point.at.kind !== "opcua")
        throw new Error(`${point.id}: an OPC UA device has nodes, not registers`);
      const access = point.access === "r" ? "CurrentRead" : "CurrentRead | CurrentWrite";
      place.node = namespace.addVariable({
        componentOf: folder,
        nodeId: ownNodeId(point),
        browseName: point.tag.tag,
        dataType: opcuaTypes[point.dataType],
        accessLevel: access,
        userAccessLevel: access,
        // Sampling is by event: a change is observed when it is made.
        minimumSamplingInterval: 0,
      });
      this.#show(point);
      place.node.on("value_changed", ({ value }) => this.#noticed(point, value));
    }
  }

  /** A value written by a client; our own are set already. */
  #noticed(point: FieldPoint, variant: { value: unknown }): void {
    const value = fromVariant(point.dataType, variant as Parameters<typeof fromVariant>[1]);
    const place = this.#placeOf(point);
    if (value === undefined || isSame(value, place.value)) return;
    place.value = value;
    const atMs = performance.now();
    for (const listener of this.#listeners) listener({ point, value, atMs });
  }

  #setBad(isBad: boolean): void {
    this.#isBad = isBad;
    for (const point of this.#places.keys()) this.#show(point);
  }

  #show(point: FieldPoint): void {
    const library = this.#library;
    const { node, value } = this.#placeOf(point);
    if (library === undefined || node === undefined) return;
    const { DataType, StatusCodes, VariantArrayType } = library;
    node.setValueFromSource(
      {
        dataType: DataType[opcuaTypes[point.dataType]],
        arrayType: VariantArrayType.Scalar,
        value: toVariantValue(point.dataType, value),
      },
      this.#isBad ? StatusCodes.BadSensorFailure : StatusCodes.Good,
    );
  }

  #placeOf(point: FieldPoint): Place {
    const place = this.#places.get(point);
    if (place === undefined) throw new Error(`unknown point ${point.id}`);
    return place;
  }
}

/** The library adds the number of its own namespace again. */
function ownNodeId({ id, at }: FieldPoint): string {
  const nodeId = at.kind === "opcua" ? at.nodeId : "";
  if (!nodeId.startsWith("ns=1;"))
    throw new Error(`${id}: nodes of a simulated server are in namespace 1, found ${nodeId}`);
  return nodeId.slice("ns=1;".length);
}

function isSame(a: PointValue, b: PointValue): boolean {
  return Object.is(a, b) || ((typeof a === "bigint" || typeof b === "bigint") && String(a) === String(b));
}

function initial({ dataType }: FieldPoint): PointValue {
  if (dataType === "boolean") return false;
  return dataType === "string" || dataType === "raw" ? "" : 0;
}
