// A gateway on which states are set up and taken down again, one interaction at a time.
import {
  CaseScratch,
  type Clock,
  GatewayConnection,
  type GatewayUnderTest,
  type Profile,
  Recorder,
  seededRandom,
} from "../../harness/index.ts";
import { setUp, type StateName, type StateValues } from "./states.ts";

export class Stage implements AsyncDisposable {
  readonly gateway: GatewayUnderTest;
  readonly #connection: GatewayConnection;
  readonly #profile: Profile;
  readonly #note: (text: string) => void;
  #scratch: CaseScratch;

  /** `note` receives what could not be taken down. */
  constructor(url: string, profile: Profile, clock: Clock, note: (text: string) => void) {
    this.#connection = new GatewayConnection({ kind: "remote", baseUrl: url }, profile, clock);
    this.gateway = this.#connection.view(new Recorder(), new AbortController().signal);
    this.#profile = profile;
    this.#note = note;
    this.#scratch = this.#newScratch();
  }

  /** Sets the gateway up in a state; answers the values that requests need. Throws Unmet when the gateway rejects a call. */
  async setUp(name: StateName): Promise<StateValues> {
    return await setUp(name, { gateway: this.gateway, profile: this.#profile, scratch: this.#scratch });
  }

  /** Removes what was set up since the last call. */
  async takeDown(): Promise<void> {
    const scratch = this.#scratch;
    this.#scratch = this.#newScratch();
    await scratch.clean(this.#note);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.takeDown();
    await this.#connection[Symbol.asyncDispose]();
  }

  #newScratch(): CaseScratch {
    return new CaseScratch(this.gateway, this.#profile, seededRandom(1, "contract"));
  }
}
