// A small recorded run: one case over a server of two operations, written as a run writes it.
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Instance } from "../../harness/campaign/instance.ts";
import {
  rollUpRequirements,
  summarise,
  type LogKey,
  LogWriter,
  SecretMasks,
  digestsOf,
  writeCampaign,
} from "../../record/index.ts";
import { monotonicClock } from "../../harness/clock.ts";
import { parseProfile } from "../../harness/profile/load.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { recordCases } from "../../workflows/replay/recordCases.ts";
import { recordedProfile } from "../../workflows/replay/recordedProfile.ts";
import { campaignWith } from "../../record/testing/campaigns.ts";

const requirement = "CORE-SERVICE-01";

/** Reads the services until one is enabled, with a token of its own, and reads this machine. */
export function smallCase(
  check: (enabled: number, context: CaseContext) => boolean = (n) => n > 0,
): TestCase {
  return testCase({
    id: "services/small",
    title: "A service becomes enabled",
    group: "services",
    requirements: [requirement],
    effect: "read-only",
    touches: [],
    async run(context) {
      const { gateway, verify, waitFor, clock, outside, random } = context;
      const session = await gateway.signIn("someone", `Pw-${random.word(8)}`);
      const startedMs = clock.nowMs();
      const enabled = await waitFor("an enabled service", async () => {
        const { data } = (await session.call("listServices")).json as { data: { enable: boolean }[] };
        return data.filter(({ enable }) => enable).length || undefined;
      });
      const weather = await outside.ask("weather", () => Promise.resolve("fine"));
      verify(requirement).that(check(enabled, context), {
        what: "number of enabled services",
        expected: "at least 1",
        observed: `${enabled}, weather ${weather}`,
      });
      verify(requirement).that(clock.nowMs() - startedMs >= 40, {
        what: "time until a service was enabled",
        expected: "at least 40 ms",
        observed: `${Math.round(clock.nowMs() - startedMs)} ms`,
      });
    },
  });
}

/** Runs the case over the server and writes log and record into a new folder below `root`. */
export async function recordedRun(root: string, key: LogKey): Promise<string> {
  const folder = await mkdtemp(join(root === "" ? tmpdir() : root, "run-"));
  let asked = 0;
  const server = createServer((request, response) => {
    // Without a JSON type its answers have no shape to judge.
    response.setHeader("content-type", "text/plain");
    if (request.method === "POST") response.end('{"data":{"token":"made-for-someone"}}');
    else response.end(`{"count":1,"data":[{"id":"ssh","enable":${(asked += 1) > 3}}]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = parseProfile("name: small\ncredentials: { name: admin, password: secret-word }\n", "test", {
    environment: {},
  });
  const masks = new SecretMasks([profile.token.header]);
  const clock = monotonicClock;
  using log = new LogWriter(folder, key, {
    run: "ab".repeat(16),
    epochMs: () => clock.epochMs(),
    contents: { profile: masks.text(JSON.stringify(recordedProfile(profile))) },
    header: {
      suite: { version: "1.0.0", interface: "Core 2.3.0", sourcesSha256: "0".repeat(64) },
      requirementSet: { name: "1.1", sha256: "0".repeat(64) },
      profile: { name: profile.name, sha256: profile.sha256 },
      level: "nightly",
      selection: "",
      seed: 3,
      startedAt: new Date(clock.epochMs()).toISOString(),
    },
  });
  const taping = recordCases({
    add: log.add.bind(log),
    maskText: (text: string) => masks.text(text),
    maskHeaders: (headers: Readonly<Record<string, string>>) => masks.headers(headers),
  });
  await using instance = new Instance(
    {
      kind: "remote",
      name: "small",
      version: "1",
      baseUrl,
      console: [],
      [Symbol.asyncDispose]: async () => {},
    },
    profile,
    clock,
    { number: 0, taping },
  );
  const { record } = await instance.run(smallCase(), {
    seed: 3,
    level: "nightly",
    signal: new AbortController().signal,
    reproduce: (id) => id,
  });
  server.close();
  const requirements = rollUpRequirements([record], () => false);
  await writeCampaign(
    folder,
    campaignWith({
      level: "nightly",
      seed: 3,
      selection: "",
      requirements,
      cases: [record],
      summary: summarise([record], requirements, true),
    }),
  );
  log.end({ complete: true, files: await digestsOf(folder) });
  return folder;
}
