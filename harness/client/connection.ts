// The connection to one gateway that all cases of a campaign share: transport, address, administrator's sign-in.
import { type HostAddress, type RunningGateway, freePort, holdPort } from "../../rigs/index.ts";
import type { Clock } from "../clock.ts";
import { watchForRestart } from "../measurement/restartWatch.ts";
import type { Profile } from "../profile/profile.ts";
import { profileAt } from "../profile/profileAt.ts";
import { Unmet } from "../../record/index.ts";
import { Answer } from "../transport/answer.ts";
import type { GatewayUnderTest, Session } from "../suite/gatewayUnderTest.ts";
import { portsOf } from "./listenerPorts.ts";
import { LiveSession } from "./liveSession.ts";
import { Removals } from "../transport/removals.ts";
import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import type { WebsocketAttempt } from "../suite/websocket.ts";
import { type Tape, untaped } from "../transport/tape.ts";
import { Transport } from "../transport/transport.ts";
import { openWebsocket } from "./websocketOpener.ts";
import { openWithRoom } from "./room.ts";

/** The administrator's token is renewed well before its declared end. */
const shareForCalls = 0.8;
/** A stream ends with the token that opened it: a token for streams must be valid for longer. */
const shareForStreams = 0.2;

/** What the connection needs of a running gateway. */
type GatewayAddress = Pick<
  RunningGateway,
  "kind" | "baseUrl" | "sightings" | "host" | "openPort" | "lease" | "linePace"
>;

/** Pause between two probes of a gateway that may go down; longer for a remote gateway. */
const pauseMs: Readonly<Record<RunningGateway["kind"], number>> = {
  process: 5,
  container: 10,
  qemu: 10,
  remote: 20,
};

const probeDeadlineMs = 1000;
/** Of the connection, its encryption, the request and the answer. */
const probeRoundTrips = 4;

export class GatewayConnection implements AsyncDisposable {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly kind: GatewayUnderTest["kind"];
  readonly transport: Transport;
  readonly #address: GatewayAddress;
  #baseUrl: string;
  #adminToken: Promise<string> | undefined;
  /** The token itself, once it is known. */
  #adminTokenNow: string | undefined;
  #adminTokenSinceMs = 0;
  readonly #openPort: () => Promise<number>;

  constructor(address: GatewayAddress, profile: Profile, clock: Clock) {
    this.kind = address.kind;
    this.#address = address;
    this.#baseUrl = new URL(address.baseUrl).origin;
    this.profile = profileAt(profile, address.baseUrl);
    this.clock = clock;
    this.transport = new Transport(clock, profile, address.lease);
    const { listenerPorts } = profile;
    const ofProfile = listenerPorts && portsOf(listenerPorts, () => this.#isOfThisMachine());
    this.#openPort = address.openPort ?? ofProfile ?? freePort;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Whether the line loses or delays packets from the start. */
  get isLineImpaired(): boolean {
    return this.#address.linePace !== undefined;
  }

  /** The gateway for one case; all exchanges of the case go into its record. A function answers the signal of each call. */
  view(
    record: SessionSurroundings["record"],
    signal: AbortSignal | (() => AbortSignal),
    tape: Tape = untaped(this.transport),
    removals = new Removals(),
  ): GatewayUnderTest {
    const present = typeof signal === "function" ? signal : () => signal;
    const surroundings: SessionSurroundings = {
      profile: this.profile,
      transport: this.transport,
      tape,
      baseUrl: () => this.#baseUrl,
      onTheLineMs: this.#onTheLineMs,
      removals,
      record,
      get signal() {
        return present();
      },
    };
    const anonymous = new LiveSession("anonymous", surroundings, undefined);
    const admin = new LiveSession("admin", surroundings, {
      obtain: (isForStream) => this.#token(anonymous, tape, isForStream ? shareForStreams : shareForCalls),
      ended: (token) => {
        record.signInEnded?.();
        // Another case may have signed in since.
        if (this.#adminTokenNow === token) this.#forgetToken();
      },
    });
    const signIn = async (name: string, password: string): Promise<Session> => {
      const token = await signInToken(anonymous, name, password);
      return new LiveSession(name, surroundings, token);
    };
    return {
      kind: this.kind,
      host: this.#host(),
      freePort: () => tape.ask("free port", this.#openPort),
      portInUse: () => this.#portInUse(tape),
      currentBaseUrl: () => this.#baseUrl,
      hasRemoved: (extension, id) => surroundings.removals.has(extension, id),
      admin,
      anonymous,
      withToken: (token, name = "token") => new LiveSession(name, surroundings, token),
      signIn,
      tryWebsocket: (token) => this.#tryWebsocket(token, surroundings),
      watchForRestart: async () => {
        const watch = this.#watch(present(), tape);
        await watch.hasBegun();
        // The command that is timed next finds an open connection: opening one would take a round trip of its time.
        if (this.isLineImpaired)
          await tape.ask("open connection", () => this.transport.openConnection(this.#baseUrl));
        return watch;
      },
      signInsWereLost: () => {
        record.restarted?.();
        this.#forgetToken();
      },
      movedTo: (baseUrl) => {
        this.#baseUrl = new URL(baseUrl).origin;
      },
      keepExchange(operation, made) {
        const exchange = { ...made, number: record.next() };
        record.keep(exchange);
        const { status = 0, headers = {}, body = "" } = exchange.answer ?? {};
        return new Answer(operation, exchange, status, { ...headers }, Buffer.from(body));
      },
      urlFor: (scheme, port) => `${scheme}://${new URL(this.#baseUrl).hostname}:${port}`,
    };
  }

  #isOfThisMachine(): boolean {
    return this.#address.openPort === undefined && new URL(this.#baseUrl).hostname === "127.0.0.1";
  }

  async #portInUse(tape: Tape): Promise<AsyncDisposable & { readonly port: number | undefined }> {
    await using stack = new AsyncDisposableStack();
    const port = await tape.ask("port in use", async () =>
      this.#isOfThisMachine() ? stack.use(await holdPort()).port : undefined,
    );
    const holding = stack.move();
    return { port, [Symbol.asyncDispose]: () => holding.disposeAsync() };
  }

  /** What an exchange may take longer on the line; 0 on a good one. */
  get #onTheLineMs(): number {
    return this.#address.linePace?.exchangeMs ?? 0;
  }

  #host(): HostAddress {
    const { serverAddress } = this.profile.upgrade;
    // The profile does not name the machine on which the suite runs: any of its addresses may be the right one.
    const listen = serverAddress === "127.0.0.1" ? serverAddress : "0.0.0.0";
    return this.#address.host ?? { address: serverAddress, listen };
  }

  #forgetToken(): void {
    this.#adminToken = undefined;
    this.#adminTokenNow = undefined;
  }

  /** A token no older than the share of its declared lifetime. */
  #token(anonymous: Session, tape: Tape, share: number): Promise<string> {
    const { tokenLifetimeSec } = this.profile;
    const ageMs = this.clock.nowMs() - this.#adminTokenSinceMs;
    const isOld = tokenLifetimeSec !== undefined && ageMs > tokenLifetimeSec * 1000 * share;
    // Another case may have signed in, or be about to.
    const known = tape.read("administrator", () =>
      this.#adminToken === undefined || isOld ? { signsIn: true } : { token: this.#adminTokenNow },
    );
    if ("token" in known && known.token !== undefined) return Promise.resolve(known.token);
    if (!("signsIn" in known)) return tape.ask("administrator's sign-in", async () => this.#adminToken ?? "");
    this.#adminTokenSinceMs = this.clock.nowMs();
    const { name, password } = this.profile.credentials;
    const pending = signInToken(anonymous, name, password);
    this.#adminToken = pending;
    this.#adminTokenNow = undefined;
    pending.then(
      (token) => {
        if (this.#adminToken === pending) this.#adminTokenNow = token;
      },
      () => {
        if (this.#adminToken === pending) this.#adminToken = undefined;
      },
    );
    return pending;
  }

  async #tryWebsocket(
    token: string,
    surroundings: SessionSurroundings,
  ): ReturnType<GatewayUnderTest["tryWebsocket"]> {
    const { websocket, patience } = this.profile;
    if (websocket === undefined) throw new Unmet("the profile declares no websocket");
    let attempt: WebsocketAttempt | undefined;
    const open = async (): Promise<WebsocketAttempt & { status: number | undefined }> => {
      const opened = await openWebsocket(this.#baseUrl, websocket, token, patience.answerMs);
      return { ...opened, status: opened.refusedWith };
    };
    const outcome = await surroundings.tape.ask("websocket", async () => {
      attempt = await openWithRoom(surroundings, open);
      const { opened, refusedWith, unreachable } = attempt;
      return { opened, refusedWith, ...(unreachable === undefined ? {} : { unreachable }) };
    });
    if (outcome.unreachable !== undefined)
      throw new Unmet(`the websocket handshake had no answer: ${outcome.unreachable}`);
    // It says nothing about the token.
    if (outcome.refusedWith === 429 || outcome.refusedWith === 503)
      throw new Unmet(`the gateway had no room for a websocket: status ${outcome.refusedWith}`);
    return { ...outcome, [Symbol.asyncDispose]: async () => attempt?.[Symbol.asyncDispose]() };
  }

  #watch(signal: AbortSignal, tape: Tape): ReturnType<typeof watchForRestart> {
    const path = this.profile.binding.get("getReboot")?.path ?? "/";
    const besideProbes = this.transport.pace.besideProbes();
    const watch = watchForRestart({
      clock: this.clock,
      url: () => new URL(this.#baseUrl + path),
      everyMs: Math.max(pauseMs[this.kind], probeGapMs(this.profile.requestsPerSec)),
      probeDeadlineMs: probeDeadlineMs + probeRoundTrips * (this.#address.linePace?.roundTripMs ?? 0),
      onTheLineMs: this.#onTheLineMs,
      sightings: this.#address.sightings ?? [],
      signal,
      observe: (report, live) => tape.feed("restart", report, live),
    });
    return {
      ...watch,
      async [Symbol.asyncDispose]() {
        besideProbes[Symbol.dispose]();
        await watch[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport[Symbol.asyncDispose]();
  }
}

/** Two observers probe; between them they may use half of what the gateway takes. */
function probeGapMs(requestsPerSec: number | undefined): number {
  return requestsPerSec === undefined ? 0 : 4000 / requestsPerSec;
}

async function signInToken(anonymous: Session, name: string, password: string): Promise<string> {
  const answer: Answer<"signIn"> = await anonymous.call("signIn", {
    json: { name, password, acceptEULA: true },
  });
  if (!answer.accepted) throw new Unmet(`sign-in as ${name}: expected 200, observed ${answer.summary()}`);
  const data = answer.json as { data?: { token?: unknown } } | undefined;
  const token = data?.data?.token;
  if (typeof token !== "string" || token === "")
    throw new Unmet(`sign-in as ${name}: expected a token in the answer, found none`);
  return token;
}
