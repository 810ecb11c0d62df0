// A client's session with an OPC UA server, for checks and for real devices.
import type { ClientSession } from "node-opcua";
import { temporaryPki } from "./pki.ts";

export interface OpcuaEndpoint {
  readonly endpoint: string;
  /** Default none. */
  readonly security?: "none" | "Basic256Sha256";
}

/** Opens a session that ends with the stack. Throws without one within some seconds. */
export async function openOpcuaSession(
  stack: AsyncDisposableStack,
  { endpoint, security = "none" }: OpcuaEndpoint,
): Promise<ClientSession> {
  const { MessageSecurityMode, OPCUAClient, SecurityPolicy } = await import("node-opcua");
  const isSecured = security !== "none";
  const client = OPCUAClient.create({
    endpointMustExist: false,
    clientCertificateManager: await temporaryPki(stack),
    securityMode: isSecured ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
    securityPolicy: isSecured ? SecurityPolicy.Basic256Sha256 : SecurityPolicy.None,
    connectionStrategy: { maxRetry: 2, initialDelay: 200, maxDelay: 500 },
  });
  stack.defer(() => client.disconnect());
  await client.connect(endpoint);
  const session = await client.createSession();
  stack.defer(() => session.close());
  return session;
}

/** Runs an action in its own session. */
export async function withOpcuaSession<T>(
  endpoint: OpcuaEndpoint,
  action: (session: ClientSession) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  return await action(await openOpcuaSession(stack, endpoint));
}
