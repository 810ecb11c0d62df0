// Thirty nights over three gateways, two of which go wrong now and then. Each night tells what changed, and nothing else.
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCampaign } from "../../harness/campaign/campaign.ts";
import { select } from "../../harness/campaign/selection.ts";
import { embeddedProfile } from "../../cli/support/referenceProfile.ts";
import { monotonicClock } from "../../harness/clock.ts";
import { fleetOfTrend } from "../../workflows/history/fleetOfTrend.ts";
import { History } from "../../workflows/history/history.ts";
import { readTrend } from "../../workflows/history/trend.ts";
import type { AttemptWish, RunAttempt } from "../../workflows/nightly/attempt.ts";
import { runNight } from "../../workflows/nightly/night.ts";
import { noticeOf } from "../../workflows/notify/notice.ts";
import { concludedCases } from "../../workflows/history/outcome.ts";
import { planGateway } from "../../workflows/nightly/plan.ts";
import type { Profile } from "../../harness/profile/profile.ts";
import type { RackGateway } from "../../harness/rack/rackFile.ts";
import type { CampaignRecord, CaseRecord } from "../../record/campaign.ts";
import type { Trend } from "../../record/trend.ts";
import { assertWellFormedHtml } from "../../reports/text/markupScanner.ts";
import { trendPage } from "../../reports/trend/trendPage.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { remoteGateway } from "../../rigs/remote/remoteGateway.ts";
import { suite } from "../../suites/index.ts";
import { temporaryFolder } from "../support/commandLine.ts";
import { startProxy } from "../../alterations/proxy/proxy.ts";
import { json } from "../../reference-impl/http/handler.ts";

const switchingIsKept = "services/switching-is-kept";
const selection = [
  "services/listed-once",
  switchingIsKept,
  "services/unknown-ids-are-refused",
  "services/every-allowed-id-is-taken",
  "log/configuration-is-kept",
].join(",");
const refusing = "services/unknown-ids-are-refused";
const adminPassword = "Thirty-nights-1!";
const nightCount = 30;

type Trouble = "takes-unknown-ids" | "takes-unknown-ids-once" | "is-slow" | "is-away" | "kills-its-run";

/** What is wrong in which nights, counted from 1; a gateway that is not here is always well. */
const troubles: Readonly<Record<string, (night: number) => Trouble | undefined>> = {
  failing: (night) => {
    if (night >= 5 && night <= 9) return "takes-unknown-ids";
    return night === 12 ? "is-away" : night === 15 || night === 16 ? "kills-its-run" : undefined;
  },
  wandering: (night) => {
    if (night === 8 || night === 10) return "takes-unknown-ids-once";
    return night > 23 ? "is-slow" : undefined;
  },
};

/** Every change that there is, by night; all other nights have none. */
const expectedChanges: Readonly<Record<number, readonly string[]>> = {
  5: [`newly-failing failing ${refusing}`],
  8: [`newly-flaky wandering ${refusing}`],
  10: [`fixed failing ${refusing}`],
  12: ["set-aside failing"],
  13: ["back failing"],
  15: [
    "not-concluded failing services/every-allowed-id-is-taken,services/switching-is-kept,services/unknown-ids-are-refused",
  ],
  17: [`steady-again wandering ${refusing}`],
};

const switching = ["enableService", "disableService"] as const;

interface Bench extends AsyncDisposable {
  readonly profile: Profile;
  readonly urls: ReadonlyMap<string, string>;
  /** Begins the night with the troubles of each gateway. */
  begin(night: number): void;
  readonly runAttempt: RunAttempt;
}

/** Three gateways, each behind a proxy that can spoil what it says. */
async function startBench(): Promise<Bench> {
  await using stack = new AsyncDisposableStack();
  const profile = await embeddedProfile(adminPassword, undefined, []);
  const urls = new Map<string, string>();
  const now = new Map<string, Trouble | undefined>();
  for (const name of ["steady", "failing", "wandering"]) {
    const gateway = stack.use(await startProcessGateway({ adminPassword }));
    const proxy = stack.use(
      await startProxy(gateway.baseUrl, (at) => {
        at.around(switching, (call, proceed) => {
          const is = now.get(name);
          const isUnknown = /nosuch|no-such|no such/.test(call.path["id"] ?? "");
          return isUnknown && (is === "takes-unknown-ids" || is === "takes-unknown-ids-once")
            ? json({ data: { enable: true } })
            : proceed(call);
        });
      }),
    );
    urls.set(name, proxy.url);
  }
  const whole = stack.move();
  let present = 0;
  return {
    profile,
    urls,
    begin(night) {
      present = night;
      for (const name of urls.keys()) now.set(name, troubles[name]?.(night));
    },
    async runAttempt(wish) {
      const is = now.get(wish.gateway);
      const most = is === "kills-its-run" ? 1 : undefined;
      const measured = await campaign(wish, profile, urls.get(wish.gateway) ?? "", most);
      const record = { ...measured, cases: measured.cases.map((one) => paced(one, present, is)) };
      if (is === "takes-unknown-ids-once") now.set(wish.gateway, undefined);
      const concluded = concludedCases(record);
      return is === "kills-its-run"
        ? { ending: "ended by SIGKILL", concluded, trouble: "Segmentation fault" }
        : { ending: "exit code 0", record, concluded };
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** The case with times that vary from night to night by little; measured ones also vary with the machine of this test. */
function paced(one: CaseRecord, night: number, is: Trouble | undefined): CaseRecord {
  const usualMs = 40 + ((night * 7 + one.id.length) % 11);
  const low = is === "is-slow" && one.id === switchingIsKept ? usualMs + 140 : usualMs;
  return { ...one, measurements: one.measurements?.map((each) => ({ ...each, low, high: low + 1 })) };
}

/** A real campaign in this process; `most` leaves it off after so many cases. */
async function campaign(
  { words, signal }: AttemptWish,
  profile: Profile,
  url: string,
  most?: number,
): Promise<CampaignRecord> {
  const chosen = words[words.indexOf("--select") + 1] ?? "";
  const { record } = await runCampaign({
    cases: select(suite, chosen).slice(0, most),
    selection: chosen,
    profile,
    level: "smoke",
    seed: 1,
    clock: monotonicClock,
    suiteVersion: "0.0.0",
    instances: 1,
    startGateway: () => Promise.resolve(remoteGateway(url, { model: "", version: "1.0" })),
    reproduce: (caseId) => caseId,
    progress: {
      gatewayReady: () => undefined,
      planned: () => undefined,
      started: () => undefined,
      finished: () => undefined,
      remark: () => undefined,
      streamed: () => undefined,
    },
    keepExchanges: () => Promise.resolve(),
    signal,
  });
  return record;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const trends: Trend[] = [];
const exitCodes: number[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await using bench = await startBench();
  using history = new History(`${folder.path}/history.db`);
  const gateways = [...bench.urls].map(([name, url]) => {
    const gateway: RackGateway = { kind: "remote", name, url, profileFile: "p.yaml" };
    return { name, wires: [`gateway ${url}`], plan: planGateway(suite, selection, gateway, bench.profile) };
  });
  for (let night = 1; night <= nightCount; night++) {
    bench.begin(night);
    const isAway = (name: string): boolean => troubles[name]?.(night) === "is-away";
    const { id, exitCode } = await runNight({
      gateways,
      rackWords: [],
      rack: "rack.yaml",
      level: "smoke",
      selection,
      seed: 1,
      retries: 1,
      parallel: 3,
      limitMs: 60_000,
      waitMs: 0,
      leaseFile: `${folder.path}/leases.db`,
      history,
      folder: `${folder.path}/night-${night}`,
      folderName: `night-${night}`,
      suiteVersion: "0.0.0",
      clock: monotonicClock,
      signal: new AbortController().signal,
      checkWires: ({ gateway: { name } }) =>
        Promise.resolve([
          { part: "gateway", wire: `gateway ${name}`, ok: !isAway(name), detail: "takes no connection" },
        ]),
      runAttempt: bench.runAttempt,
      isStated: (requirement) => requirement.startsWith("CORE-SERVICE"),
      tell: () => undefined,
      finished: () => undefined,
    });
    exitCodes.push(exitCode);
    trends.push(readTrend(history, id));
  }
}, 900_000);

afterAll(() => folder[Symbol.asyncDispose]());

function changesOf(night: number): string[] {
  return (trends[night - 1]?.changes ?? [])
    .filter(({ kind }) => kind !== "slower")
    .map(({ kind, gateway, subjects }) => [kind, gateway, subjects.toSorted().join(",")].join(" ").trim())
    .toSorted();
}

test("each of thirty nights tells what changed in it, and nothing of what did not", () => {
  const nights = Array.from({ length: nightCount }, (_, index) => index + 1);
  const told = Object.fromEntries(nights.map((night) => [night, changesOf(night)]));
  expect(told).toEqual(
    Object.fromEntries(nights.map((night) => [night, expectedChanges[night]?.toSorted() ?? []])),
  );
});

test("a failure alerts people after two nights, and ends after two nights that passed", () => {
  const rule = { alertAfter: 2, clearAfter: 2 };
  const told = trends.flatMap((trend, index) => {
    const notice = noticeOf({ history: fleetOfTrend(trend), rule, source: trend.rack });
    return (notice?.alerts ?? []).map(({ state, gateways, requirements }) => {
      const names = gateways.map(({ name }) => name);
      return `${index + 1} ${state} ${names.join()} ${requirements.length > 0 ? "requirements" : "gateway"}`;
    });
  });
  expect(told).toEqual(["6 alert failing requirements", "11 clear failing requirements"]);
});

test("a slower gateway is reported once the difference is certain", () => {
  const told = trends.flatMap(({ changes }, index) =>
    changes
      .filter(({ kind }) => kind === "slower")
      .map(({ gateway, subjects }) => ({ night: index + 1, gateway, of: subjects[0]?.split(":")[0] })),
  );
  expect(told.length).toBeGreaterThan(0);
  expect([...new Set(told.map(({ gateway, of }) => `${gateway} ${of}`))]).toEqual([
    "wandering services/switching-is-kept",
  ]);
  // Slow from night 24 on: from 29 on all of the last six nights are slow.
  expect(Math.min(...told.map(({ night }) => night))).toBe(29);
});

test("the exit code is that of the worst gateway, and a pass at the second try is not green", () => {
  const worst = Object.fromEntries([4, 5, 8, 12, 13, 15, 30].map((night) => [night, exitCodes[night - 1]]));
  expect(worst).toEqual({ 4: 0, 5: 1, 8: 1, 12: 3, 13: 0, 15: 3, 30: 0 });
  const [, , wandering] = trends[7]?.gateways ?? [];
  expect(wandering?.cases.get(refusing)?.at(-1)).toMatchObject({
    outcome: "flaky",
    reason: expect.stringContaining("fail at attempt 1: "),
  });
});

test("a run that dies makes no list shorter", () => {
  const failing = trends[14]?.gateways.find(({ name }) => name === "failing");
  const outcomes = [...(failing?.cases ?? [])].map(([id, row]) => [id, row.at(-1)?.outcome]);
  expect(Object.fromEntries(outcomes)).toMatchObject({
    "services/listed-once": "pass",
    "services/switching-is-kept": "not-concluded",
    [refusing]: "not-concluded",
  });
  expect(failing?.turns.at(-1)).toMatchObject({
    outcome: "incomplete",
    reason: "its run did not reach its end (ended by SIGKILL): Segmentation fault",
  });
});

test("the page of the last night is well-formed, runs nothing, and says since when a requirement fails", () => {
  const ninth = trends[8];
  if (ninth === undefined) throw new Error("the ninth night is missing");
  const page = trendPage(ninth);
  const elements = assertWellFormedHtml(page);
  expect(elements.filter(({ name }) => name === "script")).toEqual([]);
  const links = elements.flatMap(({ attributes }) => attributes["href"] ?? []);
  expect(links.filter((link) => /^(https?:)?\/\//.test(link))).toEqual([]);
  expect(page).toContain("failed in 5, flaky in 0 of 9 nights");
});
