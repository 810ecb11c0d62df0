import { type TestCase, testCase } from "../../harness/index.ts";
import { bodyOf } from "./body.ts";
import { endsOf, holdsAnEnd } from "./ends.ts";
import { readZip } from "../support/zipFile.ts";

/** A gateway that counts a value without a limit as a short time removes lines within this time. */
const keptForMs = 2500;

export const unlimitedCases: readonly TestCase[] = [
  testCase({
    id: "log/no-limit-keeps-lines",
    title: "With a time to live that means unlimited the log keeps its lines",
    group: "log",
    requirements: ["CORE-LOG-25"],
    effect: "reversible",
    touches: ["log"],
    capabilities: ["log"],
    async run({ gateway: { admin }, verify, scratch, clock, signal, notApplicable }) {
      const { disks: _disks, ...before } = (await admin.call("getLog")).data();
      scratch.undo("log configuration", () => admin.call("setLog", { json: bodyOf(before) }));
      const set = (part: object) =>
        admin.call("setLog", { json: bodyOf({ ...before, enable: true, ...part }) });
      const load = () => admin.call("getLog", { query: { download: true } });
      await set({ enableTimeToLiveSec: false });
      const first = await load();
      const ends = first.accepted ? endsOf(await readZip(first.bytes)) : [];
      if (ends.length === 0) return notApplicable("the downloaded log has no file with lines");
      for (const timeToLiveSec of [-1, 0]) {
        if (!verify("CORE-LOG-25").accepted(await set({ enableTimeToLiveSec: true, timeToLiveSec })))
          continue;
        await clock.delay(keptForMs, signal);
        const answer = await load();
        const files = answer.accepted ? ((await readZip(answer.bytes)) ?? []) : [];
        const isKept = holdsAnEnd(files, ends);
        verify("CORE-LOG-25").that(isKept, {
          what: `lines of the log ${keptForMs / 1000} s after \`timeToLiveSec\` ${timeToLiveSec} was set and enabled`,
          expected: "the last lines before it in one of the downloaded files",
          observed: isKept ? "in one of them" : `in none of ${files.length}`,
          evidence: answer,
        });
      }
    },
  }),
];
