// What the harness's recording client costs beside a bare undici request to the same server, in turn.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { GatewayConnection } from "../harness/client/connection.ts";
import { monotonicClock } from "../harness/clock.ts";
import { Recorder } from "../harness/campaign/recorder.ts";
import { parseProfile } from "../harness/profile/load.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

// Short rounds in turn: both sides meet the same load of the machine, and the same state of the compiler.
const rounds = 100;
const warmUpRounds = 10;
const roundsPerRecorder = 10;
const requestsPerRound = 150;
const body = JSON.stringify({ data: { enable: true, port: 22 } });

export async function benchHarnessOverhead(): Promise<BenchRow[]> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = parseProfile("name: bench", "bench", { environment: { RACKPROOF_PASSWORD: "x" } });
  await using connection = new GatewayConnection(
    { kind: "remote", baseUrl: origin },
    profile,
    monotonicClock,
  );
  const agent = new Agent({ connections: 1 });

  const bare = async (): Promise<void> => {
    const answer = await agent.request({
      origin,
      path: "/api/v1/system/sshserver",
      method: "GET",
      headers: { authorization: "Bearer x" },
    });
    JSON.parse(Buffer.from(await answer.body.arrayBuffer()).toString());
  };
  const timed = async (one: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now();
    for (let i = 0; i < requestsPerRound; i++) await one();
    return ((performance.now() - startedMs) * 1000) / requestsPerRound;
  };

  const harnessUs: number[] = [];
  const bareUs: number[] = [];
  // A recorder of its own from time to time, as each case has one.
  const newSession = () => connection.view(new Recorder(), new AbortController().signal).withToken("x");
  let session = newSession();
  for (let round = 0; round < rounds; round++) {
    if (round % roundsPerRecorder === 0) session = newSession();
    const a = await timed(async () => (await session.call("getSsh")).data());
    const b = await timed(bare);
    if (round >= warmUpRounds) {
      harnessUs.push(a);
      bareUs.push(b);
    }
  }
  await agent.close();
  server.close();
  const ratio = median(harnessUs.map((value, index) => value / (bareUs[index] ?? Number.NaN)));
  return [
    {
      what: "harness request, recorded and parsed by schema",
      measured: `${median(harnessUs).toFixed(0)} us`,
      peer: `bare undici ${median(bareUs).toFixed(0)} us`,
      ratio: ratio.toFixed(2),
      limit: "at most 1.2",
      outcome: outcomeOf(ratio <= 1.2),
    },
  ];
}
