// A fleet with years of nights, made from a seed: a firmware with a defect, a broken gateway, flaky requirements, a lab
// that was silent, and a little noise. Both as the reader of the history answers it and as rows of the database.
import { requirements as known } from "../../interface/requirements/index.ts";
import { codeOf, type FleetHistory, type FleetTurn, type FleetUnit, notTested } from "../../record/index.ts";
import type { FleetDatabase } from "../../workflows/fleet/database.ts";
import { encodeVerdicts } from "../../workflows/fleet/verdicts.ts";

export interface FleetSize {
  readonly gateways: number;
  readonly nights: number;
  readonly requirements: number;
  /** When it is read, two hours after the last night has ended. */
  readonly atMs?: number;
}

const [pass, flaky, fail, notApplicable] = (["pass", "flaky", "fail", "not-applicable"] as const).map(
  codeOf,
) as [number, number, number, number];
const labs = ["berlin", "paris", "tokyo", "austin", "lagos", "quito"];
const models = ["X", "Y", "Z"];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const pad = (value: number): string => String(value).padStart(3, "0");

/** mulberry32: the same numbers for the same seed on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where its planted causes are. */
export const planted = {
  /** Fails on model X since firmware 2, which came in the last quarter of the nights. */
  defect: 5,
  /** The gateway that fails a third of all requirements in the last two nights. */
  brokenUnit: 0,
  /** Flaky everywhere. */
  flaky: 7,
  /** Not applicable to model Y. */
  notOfY: 9,
  silentLab: "quito",
} as const;

export function syntheticFleet(size: FleetSize, seed = 1): FleetHistory {
  const { gateways, nights, requirements, atMs = Date.parse("2027-12-31T05:00:00.000Z") } = size;
  const firstMs = atMs - 3 * hourMs - (nights - 1) * dayMs;
  const endOf = (night: number): string => new Date(firstMs + night * dayMs + hourMs).toISOString();
  const random = randomOf(seed);
  const ids = Array.from(
    { length: requirements },
    (_, index) => known[index]?.id ?? `CORE-MORE-${index}`,
  ).toSorted();
  const nightRows = Array.from({ length: nights }, (_, index) => ({
    id: index + 1,
    startedAt: new Date(firstMs + index * dayMs).toISOString(),
    level: "nightly",
    selection: "",
    suiteVersion: "1",
    state: "finished" as const,
    exitCode: 1,
  }));
  const units = Array.from({ length: gateways }, (_, unit): FleetUnit => {
    const lab = labs[unit % labs.length] ?? "";
    const model = models[unit % models.length] ?? "";
    const turns: (FleetTurn | undefined)[] = [];
    const results = nightRows.map((_, night) => {
      if (lab === planted.silentLab && night >= nights - 2) {
        turns.push({ outcome: "set-aside", reason: `lab ${lab}: no sign of life for 180 s` });
        return undefined;
      }
      const firmware = night >= nights * 0.75 ? "2.0" : "1.0";
      const codes = new Uint8Array(requirements).fill(pass);
      if (model === "Y") codes[planted.notOfY] = notApplicable;
      if (model === "X" && firmware === "2.0") codes[planted.defect] = fail;
      if (unit === planted.brokenUnit && night >= nights - 2)
        codes.fill(fail, requirements - requirements / 3);
      if (random() < 0.3) codes[planted.flaky] = flaky;
      for (let times = 0; times < requirements / 600; times++)
        if (random() < 0.1) codes[Math.floor(random() * requirements)] = random() < 0.5 ? flaky : notTested;
      turns.push({ outcome: codes.includes(fail) ? "non-conformant" : "conformant", firmware });
      return codes;
    });
    const last = results.findLastIndex((codes) => codes !== undefined);
    const reasons = ids.flatMap((id, place) => {
      const code = results[last]?.[place];
      return code === fail || code === flaky
        ? [[id, `suite/case-${place}: expected 200, found 500`] as const]
        : [];
    });
    return {
      name: `${lab}/g${pad(unit)}`,
      lab,
      labels: { model, serial: `SN-${pad(unit)}` },
      turns,
      results,
      last: {
        night: last,
        reasons: new Map(reasons),
        evidence: `${lab}-host:/var/runs/night-${last + 1}/g${pad(unit)}`,
      },
      lastResultAt: endOf(last),
      ...(lab === planted.silentLab ? { staleHours: 50 } : {}),
    };
  }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    madeAt: new Date(atMs).toISOString(),
    requirements: ids,
    nights: nightRows,
    labs: labs.toSorted().map((name) => ({ name, host: `${name}-host`, state: "running", silentMs: 1000 })),
    units,
    staleAfterHours: 26,
  };
}

/** Stores the fleet in tables that are empty. */
export async function storeFleet(
  database: FleetDatabase,
  { requirements, nights, labs: all, units }: FleetHistory,
): Promise<void> {
  await database.run(
    `INSERT INTO rackproof.lab SELECT name, '11111111-1111-4111-8111-111111111111', host || '/boot', '1', 1, now(), now(),
       now() + interval '1 day', 0, 'running' FROM unnest($1::text[], $2::text[]) AS given (name, host)`,
    [all.map(({ name }) => name), all.map(({ host }) => host)],
  );
  await database.run(
    `INSERT INTO rackproof.gateway SELECT id, lab, split_part(id, '/', 2), labels::jsonb, '[]', NULL, 'listed', NULL, now()
     FROM unnest($1::text[], $2::text[], $3::text[]) AS given (id, lab, labels)`,
    [
      units.map(({ name }) => name),
      units.map(({ lab }) => lab),
      units.map(({ labels }) => JSON.stringify(labels)),
    ],
  );
  await database.run("INSERT INTO rackproof.requirement (id) SELECT unnest($1::text[])", [requirements]);
  for (const [night, { startedAt, level, suiteVersion }] of nights.entries()) {
    await database.run(
      `INSERT INTO rackproof.night
         (started_at, ended_at, started_by, level, selection, seed, retries, limit_ms, suite_version, state, exit_code, expires_at)
       VALUES ($1, $1, 'a test', $2, '', 1, 0, 1, $3, 'finished', 1, $1)`,
      [startedAt, level, suiteVersion],
    );
    await storeNight(database, night, units, new Date(Date.parse(startedAt) + hourMs).toISOString());
  }
}

async function storeNight(
  database: FleetDatabase,
  night: number,
  units: readonly FleetUnit[],
  endedAt: string,
): Promise<void> {
  const done = units.map(({ name, lab, turns, results, last }) => ({
    name,
    lab,
    turn: turns[night],
    line: results[night] === undefined ? "" : encodeVerdicts(results[night]),
    reasons: last?.night === night ? last.reasons : new Map<string, string>(),
    // The agent adds the identifier of the machine's last start.
    evidence: last?.night === night ? (last.evidence ?? "").replace(":/", "/boot-1:/") : "",
  }));
  const names = done.map(({ name }) => name);
  const id = night + 1;
  await database.run(
    `INSERT INTO rackproof.turn (night, gateway, lab, expected, left_out, state, ended_at, outcome, reason, exit_code)
     SELECT $1, gateway, lab, '[]', '{}', CASE outcome WHEN 'set-aside' THEN 'set-aside' ELSE 'done' END, $6, outcome,
       nullif(reason, ''), 1 FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS given (gateway, lab, outcome, reason)`,
    [
      id,
      names,
      done.map(({ lab }) => lab),
      done.map(({ turn }) => turn?.outcome ?? "waiting"),
      done.map(({ turn }) => turn?.reason ?? ""),
      endedAt,
    ],
  );
  await database.run(
    `INSERT INTO rackproof.verdicts SELECT $1, gateway, line, firmware
     FROM unnest($2::text[], $3::text[], $4::text[]) AS given (gateway, line, firmware) WHERE line <> ''`,
    [id, names, done.map(({ line }) => line), done.map(({ turn }) => turn?.firmware ?? "")],
  );
  await database.run(
    `INSERT INTO rackproof.verdict_reasons SELECT $1, gateway, reasons::jsonb
     FROM unnest($2::text[], $3::text[]) AS given (gateway, reasons) WHERE reasons <> '{}'`,
    [id, names, done.map(({ reasons }) => JSON.stringify(Object.fromEntries(reasons)))],
  );
  await database.run(
    `INSERT INTO rackproof.result SELECT $1, lab, gateway, 1, 1, $5, $5, 'exit code 1', '', '[]', evidence, NULL, $5
     FROM unnest($2::text[], $3::text[], $4::text[]) AS given (gateway, lab, evidence) WHERE evidence <> ''`,
    [id, names, done.map(({ lab }) => lab), done.map(({ evidence }) => evidence), endedAt],
  );
}
