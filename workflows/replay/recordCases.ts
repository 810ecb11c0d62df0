// Records the cases of a campaign in the log of its run.
import type { Taping } from "../../harness/index.ts";
import { encodeValue } from "../../record/index.ts";
import { type CampaignLog, RecordingTape } from "./recordingTape.ts";
import { factsOf } from "./gatewayFacts.ts";
import { tapedGateway } from "./tapedGateway.ts";

export function recordCases(log: CampaignLog): Taping {
  return {
    joined(gateway, number, clock) {
      const nowMs = clock.nowMs();
      log.add(
        { kind: "gateway", number, atMs: nowMs, epochOffsetMs: clock.epochMs() - nowMs },
        { facts: encodeValue(factsOf(gateway)) },
      );
    },
    begin({ id }, { gateway, number, connection }) {
      const { transport, clock, baseUrl } = connection;
      const tape = new RecordingTape(transport, id, log);
      log.add({ kind: "case-start", case: id, atMs: clock.nowMs(), gateway: number, baseUrl });
      return {
        tape,
        equipment: tapedGateway(factsOf(gateway), tape, gateway),
        ended({ verdict, reasonCode }) {
          tape.end();
          log.add({
            kind: "case-end",
            case: id,
            atMs: clock.nowMs(),
            verdict,
            ...(reasonCode === undefined ? {} : { reasonCode }),
          });
        },
      };
    },
  };
}
