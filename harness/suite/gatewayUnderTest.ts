// The gateway under test as a case sees it: who can call what, and what surrounds it.
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Exchange } from "../../record/index.ts";
import type { HostAddress } from "../../rigs/index.ts";
import type { RestartWatch } from "../measurement/restartWatch.ts";
import type { SequenceReader, SequenceStream } from "../streams/sequenceStream.ts";
import type { Answer } from "../transport/answer.ts";
import type { Inputs, InvalidInputs } from "../transport/inputs.ts";
import type { EventStream } from "../streams/eventStream.ts";
import type { TagStream } from "../streams/tagStream.ts";
import type { WebsocketAttempt } from "./websocket.ts";

/** Calls in one user's name (or nobody's). A call never throws for what the gateway does: see the answer. */
export interface Session {
  /** `admin`, `anonymous` or the user's name. */
  readonly name: string;
  /** The sign-in token; undefined when nobody is signed in. */
  readonly token: string | undefined;
  /** Calls an operation with inputs that the interface allows; the harness checks them before it sends. */
  call<Id extends OperationId>(
    operation: Id,
    ...inputs: Record<string, never> extends Inputs<Id> ? [Inputs<Id>?] : [Inputs<Id>]
  ): Promise<Answer<Id>>;
  /** Like `call`, for an operation that is chosen at run time: inputs are checked but not typed. */
  callChecked(operation: OperationId, inputs?: InvalidInputs): Promise<Answer<OperationId>>;
  /** Calls an operation with inputs that break the interface on purpose. */
  callInvalid<Id extends OperationId>(operation: Id, inputs?: InvalidInputs): Promise<Answer<Id>>;
  /** Calls an extension that the profile declares; Unmet when it does not. */
  callExtension<Id extends ExtensionId>(extension: Id, inputs?: InvalidInputs): Promise<Answer<Id>>;
  /** Opens the server-sent event stream of Get events. */
  openEventStream(query?: Inputs<"getEvents">["query"], lastEventId?: string): Promise<EventStream>;
  /** Opens a tag stream with `streamInterval` or `onChanged` in the query, or with a flag that is sent without a value. */
  openTagStream(
    path: { provider: string; source: string },
    query: NonNullable<Inputs<"monitorTags">["query"]>,
    bareFlags?: readonly "onChanged"[],
  ): Promise<TagStream>;
  /** Opens a tag stream in counting mode: whole numbers of the named tags, by their place in `indexes`. */
  openSequenceStream(
    path: { provider: string; source: string },
    query: NonNullable<Inputs<"monitorTags">["query"]>,
    indexes: ReadonlyMap<string, number>,
    reader: SequenceReader,
  ): Promise<SequenceStream>;
}

export interface GatewayUnderTest {
  readonly kind: "process" | "container" | "qemu" | "remote";
  /** How the gateway reaches servers of this machine, such as one that it downloads from. */
  readonly host: HostAddress;
  /** A port that a listener of the gateway may be moved to: free, as far as this machine can determine. */
  freePort(): Promise<number>;
  /** A port that is in use until it is disposed of; none where the ports of the gateway are not those of this machine. */
  portInUse(): Promise<AsyncDisposable & { readonly port: number | undefined }>;
  /** Where the gateway listens now. */
  currentBaseUrl(): string;
  /** Whether the case removed the thing itself: another case's may have its id now. */
  hasRemoved(extension: ExtensionId, id: number): boolean;
  /** The administrator; signed in again automatically only when the token reaches the age the profile declares. */
  readonly admin: Session;
  /** Nobody: no token is sent. */
  readonly anonymous: Session;
  /** A session that sends this token, whatever it is. */
  withToken(token: string, name?: string): Session;
  /** Signs in; Unmet when rejected. */
  signIn(name: string, password: string): Promise<Session>;
  /** Tries to open the websocket with a token; Unmet when the profile declares no websocket. */
  tryWebsocket(token: string): Promise<WebsocketAttempt>;
  watchForRestart(): Promise<RestartWatch>;
  /** Records that sign-ins were lost (reboot, reset): the administrator signs in again on the next call. */
  signInsWereLost(): void;
  /** Records that the gateway now listens elsewhere. */
  movedTo(baseUrl: string): void;
  /** Records an exchange that a case made over connections of its own, as evidence. */
  keepExchange(operation: OperationId, exchange: Omit<Exchange, "number">): Answer<OperationId>;
  /** The listener's base URLs by scheme, where known. */
  urlFor(scheme: "http" | "https", port: number): string;
}
