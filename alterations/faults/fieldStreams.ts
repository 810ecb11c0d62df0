// Faults of the streams that show values of field devices.
import { text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { isField } from "./habits.ts";

const isValue = (frame: string): boolean => frame.startsWith("data:");

/** Values of field tags that were written directly are sent so many times on streams of changes. */
const writtenValuesCome =
  (times: number): Fault["install"] =>
  (at) => {
    const written = new Set<string>();
    at.around("writeTag", (call, proceed) => {
      const { provider = "", source, tag } = call.path;
      if (isField(provider)) written.add(`${source}/${tag}`);
      return proceed(call);
    });
    at.frames("monitorTags", (frame, call) => {
      if (call.query["onChanged"] === undefined || !isValue(frame)) return [frame];
      const tag = `${text(call.path["source"])}/${/"tagName":"([^"]*)"/.exec(frame)?.[1] ?? ""}`;
      return written.has(tag) ? Array.from({ length: times }, () => frame) : [frame];
    });
  };

export const fieldStreamFaults = faults([
  [
    "write-reaches-the-register-behind",
    "CORE-FIELD-06",
    "subtle",
    "A direct write of a text to a field device clears the point behind it.",
    (at) =>
      at.around("writeTag", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (isField(text(call.path["provider"])) && call.body["dataType"] === "string")
          await ask("writeTag", {
            path: { ...call.path, tag: text(call.path["tag"]).replace("string", "boolean") },
            body: { dataType: "boolean", dataValue: false },
          }).catch(() => undefined);
        return answer;
      }),
  ],
  [
    "units-of-devices-are-monitored-as-none",
    "CORE-TAG-13",
    "subtle",
    "Monitoring shows the unit of every tag of a field device as `none`.",
    (at) =>
      at.data("monitorTags", (value) =>
        isField(text(value["prvdName"])) ? { ...value, dataUnit: "none" } : value,
      ),
  ],
  [
    "written-values-of-devices-are-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A value of a field device that was written directly is not sent on streams of changes.",
    writtenValuesCome(0),
  ],
  [
    "written-values-of-devices-come-twice",
    "CORE-TAG-52",
    "subtle",
    "A value that was written directly to a field device is sent twice on streams of changes.",
    writtenValuesCome(2),
  ],
  [
    "second-client-loses-changes",
    "CORE-FIELD-20",
    "subtle",
    "Every second client of a stream loses one change in 50.",
    (at) => {
      const clients = new Map<object, { readonly isSecond: boolean; count: number }>();
      at.frames("monitorTags", (frame, call) => {
        const client = clients.get(call) ?? { isSecond: clients.size % 2 === 1, count: 0 };
        clients.set(call, client);
        return isValue(frame) && client.isSecond && ++client.count % 50 === 0 ? [] : [frame];
      });
    },
  ],
  [
    "client-that-leaves-costs-the-others",
    "CORE-FIELD-21",
    "subtle",
    "When a client leaves a stream, the other clients lose the changes of a moment.",
    (at) => {
      const known = new WeakSet();
      let lost = 0;
      at.frames("monitorTags", (frame, call) => {
        if (!known.has(call)) {
          known.add(call);
          call.signal.addEventListener("abort", () => (lost = 5));
        }
        if (lost === 0 || !isValue(frame)) return [frame];
        lost -= 1;
        return [];
      });
    },
  ],
  [
    "stream-of-a-tag-list-loses-changes",
    "CORE-FIELD-22",
    "subtle",
    "A stream of several named tags loses one change in 20.",
    (at) => {
      let count = 0;
      at.frames("monitorTags", (frame, call) =>
        text(call.query["tags"]).includes(",") && isValue(frame) && ++count % 20 === 0 ? [] : [frame],
      );
    },
  ],
  [
    "differences-do-not-add-up",
    "CORE-FIELD-23",
    "subtle",
    "One difference in 25 is one too high.",
    (at) => {
      let count = 0;
      at.frames("monitorTags", (frame, call) =>
        call.query["compute"] === "diff" && isValue(frame) && ++count % 25 === 0
          ? [frame.replace(/"dataValue":(-?\d+)/, (_, value: string) => `"dataValue":${Number(value) + 1}`)]
          : [frame],
      );
    },
  ],
  [
    "changes-are-lost-at-the-highest-rate",
    "CORE-FIELD-24",
    "subtle",
    "One change in 5,000 is lost on a stream.",
    (at) => {
      const begun = new WeakMap<object, Set<string>>();
      let count = 0;
      at.frames("monitorTags", (frame, call) => {
        const tag = /"tagName":"([^"]*)"/.exec(frame)?.[1];
        if (tag === undefined) return [frame];
        const seen = begun.get(call) ?? new Set();
        begun.set(call, seen);
        // The first value of a tag is not a change.
        if (!seen.has(tag)) seen.add(tag);
        else if (++count % 5000 === 0) return [];
        return [frame];
      });
    },
  ],
  [
    "changes-come-late",
    "CORE-FIELD-25",
    "subtle",
    "Values of field devices are shown 1.5 s after they were read.",
    (at) =>
      at.tagValue((tag, value, ts, set) => {
        if (isField(tag.prvdName)) setTimeout(() => set(tag, value, ts), 1500);
        else set(tag, value, ts);
      }),
  ],
]);
