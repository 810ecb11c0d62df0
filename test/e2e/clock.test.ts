// Cases that set the gateway's clock, through the command line.
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

const select = "clock/log-after-a-step-back";

async function adviceOf(...more: readonly string[]): Promise<unknown> {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "run");
  const words = ["run", "process", "--parallel", "1", "--seed", "1", "--select", select, "--out", out];
  const { exitCode } = await rackproof([...words, ...more]);
  const { cases } = await readCampaign(out);
  const [one] = cases.filter(({ id }) => id === select);
  const advice = one?.checks
    .filter(({ verdict }) => verdict === "advice")
    .map(({ requirement }) => requirement);
  return { exitCode, verdict: one?.verdict, advice };
}

test("a gateway that keeps its log while the clock is set gets no advice, one that loses entries does", async () => {
  expect(await adviceOf("--time-server")).toEqual({ exitCode: 0, verdict: "pass", advice: [] });
  const fault = ["--time-server", "--fault", "entries-of-later-times-are-removed"];
  expect(await adviceOf(...fault)).toEqual({ exitCode: 0, verdict: "pass", advice: ["CORE-CLOCK-07"] });
  // Without a time server nothing is decided.
  expect(await adviceOf()).toEqual({ exitCode: 3, verdict: "not-applicable", advice: [] });
});

test("only the gateway process follows a time server of the run", async () => {
  const { exitCode, stderr } = await rackproof(["run", "container", "--time-server"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("--time-server: expected the gateway process, found container") as string,
  });
});
