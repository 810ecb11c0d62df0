// A client of a gateway's own OPC UA server, as used in plants.
import { temporaryPki } from "./pki.ts";

/** A session that finds tags by their names. */
export interface TagBrowser extends AsyncDisposable {
  /** Node id of the node at the end of these browse names, below the objects folder; undefined when there is none. */
  find(names: readonly string[]): Promise<string | undefined>;
  readInt32(nodeId: string): Promise<unknown>;
  /** Whether the server accepted the value. */
  writeInt32(nodeId: string, value: number): Promise<boolean>;
}

export interface TagBrowserOptions {
  readonly endpoint: string;
  readonly security: "none" | "Basic256Sha256";
  readonly name: string;
  readonly password: string;
}

/** Loads what a session needs: a second in which this process does nothing else, and measures nothing. */
export async function prepareTagBrowser(): Promise<void> {
  await import("node-opcua");
}

/** Opens a session as the user. Throws when that fails. */
export async function openTagBrowser(options: TagBrowserOptions): Promise<TagBrowser> {
  await using stack = new AsyncDisposableStack();
  const { AttributeIds, DataType, MessageSecurityMode, OPCUAClient, SecurityPolicy, UserTokenType } =
    await import("node-opcua");
  const isSecured = options.security !== "none";
  const client = OPCUAClient.create({
    endpointMustExist: false,
    clientCertificateManager: await temporaryPki(stack),
    securityMode: isSecured ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
    securityPolicy: isSecured ? SecurityPolicy.Basic256Sha256 : SecurityPolicy.None,
    connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
  });
  stack.defer(() => client.disconnect());
  await client.connect(options.endpoint);
  const session = await client.createSession({
    type: UserTokenType.UserName,
    userName: options.name,
    password: options.password,
  });
  stack.defer(() => session.close());
  const whole = stack.move();
  return {
    async find(names) {
      let nodeId = "ns=0;i=85";
      for (const name of names) {
        const { references } = await session.browse(nodeId);
        const next = references?.find(({ browseName }) => browseName.name === name);
        if (next === undefined) return undefined;
        nodeId = next.nodeId.toString();
      }
      return nodeId;
    },
    async readInt32(nodeId) {
      const read = await session.read({ nodeId });
      return read.statusCode.isGood() ? (read.value.value as unknown) : read.statusCode.toString();
    },
    async writeInt32(nodeId, value) {
      const status = await session.write({
        nodeId,
        attributeId: AttributeIds.Value,
        value: { value: { dataType: DataType.Int32, value } },
      });
      return status.isGood();
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}
