// Faults that show only over time: `rackproof soak` detects them, and a campaign is too short for them.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import type { Store } from "../../reference-impl/store/store.ts";
import { everywhere } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const minuteMs = 60_000;
/** Large enough for pages of its own: smaller pieces first fill what the allocator has free. */
const leakBytes = 512 * 1024;
const leakEveryMs = minuteMs / 2;
const firstAnswerMs = 20;
const driftEachMinute = 0.01;
const firstRestartMs = 6 * minuteMs;
const restartEveryMs = 60 * minuteMs;
const million = 1_000_000;

const restarted = "endurance-restart";

/** A timer counts whole milliseconds: with it alone a drift would be a step every five minutes. */
async function exactDelay(durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs;
  await delay(Math.floor(durationMs) - 1);
  while (performance.now() < endMs) await setImmediate();
}

/** Ends the gateway like a crash: some minutes after the first boot, then once an hour. */
function endsOnceAnHour(): Fault["install"] {
  return (at) => {
    let store: Store | undefined;
    let dueMs = 0;
    at.boot((opened) => {
      store = opened;
      const row = opened.get("SELECT value FROM setting WHERE name = ?", restarted);
      dueMs = row === undefined ? Date.now() + firstRestartMs : Number(row["value"]);
      if (row === undefined)
        opened.run("INSERT INTO setting (name, value) VALUES (?, ?)", restarted, String(dueMs));
    });
    at.background(() => {
      const timer = setTimeout(
        () => {
          store?.run(
            "UPDATE setting SET value = ? WHERE name = ?",
            String(Date.now() + restartEveryMs),
            restarted,
          );
          process.exit(1);
        },
        Math.max(0, dueMs - Date.now()),
      );
      return { [Symbol.dispose]: () => clearTimeout(timer) };
    });
  };
}

export const enduranceFaults: readonly Fault[] = faults([
  [
    "leak-memory",
    "CORE-ROBUST-02",
    "subtle",
    "The gateway loses 1 MiB of memory a minute.",
    (at) =>
      at.background(() => {
        // A statement retains a copy of its parameter, outside of the heap: a collector that makes room elsewhere would
        // hide the loss for a while.
        const database = new DatabaseSync(":memory:");
        const piece = Buffer.alloc(leakBytes, 1);
        const leaked: StatementSync[] = [];
        const timer = setInterval(() => {
          const statement = database.prepare("SELECT length(?)");
          statement.get(piece);
          leaked.push(statement);
        }, leakEveryMs);
        return { [Symbol.dispose]: () => clearInterval(timer) };
      }),
  ],
  [
    "answers-slow-down",
    "CORE-ROBUST-02",
    "subtle",
    "Answers take 20 ms at first, and 1 % longer each minute.",
    (at) => {
      const bootedMs = performance.now();
      at.around(everywhere, async (call, proceed) => {
        const minutes = (performance.now() - bootedMs) / minuteMs;
        await exactDelay(firstAnswerMs * (1 + driftEachMinute * minutes));
        return proceed(call);
      });
    },
  ],
  [
    "one-change-in-a-million-is-lost",
    "CORE-TAG-52",
    "subtle",
    "The streams of changes together lose one change in a million.",
    (at) => {
      let count = 0;
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || !frame.startsWith("data:")) return [frame];
        count += 1;
        return count % million === 0 ? [] : [frame];
      });
    },
  ],
  [
    "restarts-once-an-hour",
    "CORE-ROBUST-02",
    "subtle",
    "The gateway restarts without a request 6 minutes after its first boot, and then once an hour.",
    endsOnceAnHour(),
  ],
]);
