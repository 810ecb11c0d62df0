// Recording what the cases of a campaign observe: harness and recorder meet here.
import type { RunningGateway } from "../../rigs/index.ts";
import type { CaseRecord } from "../../record/index.ts";
import type { GatewayConnection } from "../client/connection.ts";
import type { Clock } from "../clock.ts";
import type { TestCase } from "../suite/case.ts";
import type { Tape } from "../transport/tape.ts";

interface TapedCase {
  readonly tape: Tape;
  /** The gateway with its rig, as the case reaches them through the tape. */
  readonly equipment: RunningGateway;
  /** Called with the record when the case has ended. */
  ended(record: CaseRecord): void;
}

export interface Taping {
  /** A gateway takes part in the campaign from now on. */
  joined(gateway: RunningGateway, number: number, clock: Clock): void;
  begin(
    testCase: TestCase,
    place: {
      readonly gateway: RunningGateway;
      readonly number: number;
      readonly connection: GatewayConnection;
    },
  ): TapedCase;
}
