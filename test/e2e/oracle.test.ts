import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedProfile } from "../../cli/support/referenceProfile.ts";
import { readVariations } from "../../alterations/variations/index.ts";
import { parseProfile } from "../../harness/profile/load.ts";
import type { Profile } from "../../harness/profile/profile.ts";
import { GatewayConnection } from "../../harness/client/connection.ts";
import { monotonicClock } from "../../harness/clock.ts";
import { compareGateways, type Comparison } from "../../workflows/compare/comparison.ts";
import {
  type ConnectedGateway,
  connectedGateway,
  type FreshGateway,
} from "../../workflows/compare/connectedGateway.ts";
import { describe as inWords } from "../../workflows/compare/script.ts";
import type { RunningGateway } from "../../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { type ProxyAlterations, startProxy } from "../../alterations/proxy/proxy.ts";
import { statefulFaults } from "../support/statefulFaults.ts";

const adminPassword = "Oracle-test-1!";
const profileText = `
name: reference
tokenLifetimeSec: 3600
credentials: { name: admin, password: "${adminPassword}" }
binding: { extensions: [deleteRole, deleteUser, deleteUpgradeJob] }
switchableServices: [ntp, syslog, internetcheckalive, localconsole]
`;

const gateways: RunningGateway[] = [];
let profile: Profile;

beforeAll(async () => {
  profile = parseProfile(profileText, "the test", { environment: {} });
  gateways.push(await startProcessGateway({ adminPassword }), await startProcessGateway({ adminPassword }));
}, 60_000);
afterAll(async () => {
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
});

function connect(
  title: string,
  baseUrl: string,
  declared: Profile,
  owner: AsyncDisposableStack,
): ConnectedGateway {
  const connection = owner.use(new GatewayConnection({ kind: "process", baseUrl }, declared, monotonicClock));
  return connectedGateway(title, connection);
}

/** Compares the first reference gateway with the second one, which misbehaves. */
async function compareWithFault(install: (at: ProxyAlterations) => void, seed: number): Promise<Comparison> {
  await using stack = new AsyncDisposableStack();
  const faulty = async (owner: AsyncDisposableStack): Promise<ConnectedGateway> => {
    const proxy = owner.use(await startProxy(gateways[1]?.baseUrl ?? "", install));
    return connect("faulty", proxy.url, profile, owner);
  };
  const fresh = async (): Promise<FreshGateway> => {
    const owner = new AsyncDisposableStack();
    return { gateway: await faulty(owner), [Symbol.asyncDispose]: () => owner.disposeAsync() };
  };
  return await compareGateways({
    a: connect("reference", gateways[0]?.baseUrl ?? "", profile, stack),
    b: { ...(await faulty(stack)), fresh },
    seed,
    steps: 8000,
    stopAfter: 1,
    token: randomBytes(3).toString("hex"),
    signal: new AbortController().signal,
    progress: () => undefined,
  });
}

describe("a gateway that misbehaves by what happened before is found out in at most 8 steps", () => {
  test.each(statefulFaults)(
    "$id",
    async ({ install, breaks, seed }) => {
      const { findings, stepsTaken } = await compareWithFault(install, seed);
      const stated = findings.filter(({ kind, isRepeatable }) => kind === "stated" && isRepeatable);
      if (process.env["ORACLE_SHOW"] !== undefined)
        process.stderr.write(`\n${stepsTaken} steps\n${findings.flatMap(inWords).join("\n")}\n`);
      expect(stated.length).toBeGreaterThan(0);
      const [first] = stated;
      expect(first?.difference.breaks.map(({ side }) => side)).toEqual(["B"]);
      expect(breaks).toContain(first?.difference.breaks[0]?.requirement);
      expect(first?.steps.length).toBeLessThanOrEqual(8);
    },
    300_000,
  );
});

test("a gateway with legitimate variations shows no difference", async () => {
  await using stack = new AsyncDisposableStack();
  const variations = readVariations(
    "path-prefix,post-for-changes,token-header,more-members,changing-members,strict-inputs,lists-reversed,refusals-problem,refusals-uncommon,times-with-offset,number-forms,large-ids",
  );
  const gatewayOptions = ["--variation", variations.join(",")];
  const other = stack.use(await startProcessGateway({ adminPassword, gatewayOptions }));
  const varied = await embeddedProfile(adminPassword, undefined, variations);
  const comparison = await compareGateways({
    a: connect("reference", gateways[0]?.baseUrl ?? "", profile, stack),
    b: connect("variation", other.baseUrl, varied, stack),
    seed: 500,
    steps: 400,
    token: randomBytes(3).toString("hex"),
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  expect(comparison.findings.flatMap(inWords)).toEqual([]);
  expect(comparison.stepsTaken).toBeGreaterThanOrEqual(400);
  expect(comparison.brokenByBoth).toEqual([]);
}, 60_000);
