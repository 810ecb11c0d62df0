import { expect, test } from "vitest";
import { monotonicClock } from "../../harness/index.ts";
import { EventWatch, type FollowedEvents } from "./eventWatch.ts";

/** A watch, a stream that the test fills, and a gateway that accepts every event. */
function stage() {
  let nowMs = 0;
  const told: string[] = [];
  const watch = new EventWatch({ ...monotonicClock, nowMs: () => nowMs }, "soak test", (text) =>
    told.push(text),
  );
  const received: FollowedEvents["received"][number][] = [];
  const stream = { received, ended: false };
  watch.follow(stream);
  const sent: string[] = [];
  const accept = (message: string): Promise<boolean> => {
    sent.push(message);
    return Promise.resolve(true);
  };
  return {
    watch,
    stream,
    told,
    create: () => watch.create(accept),
    deliver: (index: number): void => {
      received.push({ record: { message: sent[index] ?? "" }, receivedMs: nowMs });
      watch.look();
    },
    wait: (ms: number): void => {
      nowMs += ms;
      watch.look();
    },
  };
}

test("an event that the stream does not deliver in time is lost, and one that it delivers twice is repeated", async () => {
  const { watch, told, create, deliver, wait } = stage();
  await create();
  await create();
  wait(40);
  deliver(0);
  deliver(0);
  wait(29_000);
  expect(watch.counts).toEqual({ created: 2, received: 1, lost: 0, repeated: 1 });
  wait(2000);
  expect(watch.counts.lost).toBe(1);
  expect(told[0]).toContain('"soak test 2"');
  expect(watch.takeLatencies()).toEqual([40]);
});

test("events are not expected on a stream that ended, nor on the next one", async () => {
  const { watch, stream, create, wait } = stage();
  await create();
  stream.ended = true;
  wait(60_000);
  await create();
  expect(watch.counts).toEqual({ created: 1, received: 0, lost: 0, repeated: 0 });
});
