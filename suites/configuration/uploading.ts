import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { download, upload } from "./support.ts";

const password = "Rack-proof#42";

export const uploadCases: readonly TestCase[] = [
  testCase({
    id: "configuration/encryption-and-password",
    title: "An export is encrypted unless told otherwise, and is taken back with its password alone",
    group: "configuration",
    requirements: [
      "CORE-CONFIG-10",
      "CORE-CONFIG-19",
      "CORE-CONFIG-21",
      "CORE-CONFIG-22",
      "CORE-CONFIG-23",
      "CORE-CONFIG-24",
      "CORE-CONFIG-25",
      "CORE-CONFIG-28",
      "CORE-CONFIG-35",
    ],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, verify }) {
      const plain = await download(gateway, false);
      const byDefault = await download(gateway, undefined, password);
      const explicit = await download(gateway, true, password);
      for (const answer of [plain, byDefault, explicit]) {
        if (!verify("CORE-CONFIG-10").accepted(answer)) return;
        verify("CORE-CONFIG-10").that(answer.bytes.length > 0, {
          what: "the downloaded file",
          expected: "some bytes",
          observed: answer.bytes.length,
          evidence: answer,
        });
      }
      for (const file of [byDefault, explicit]) {
        const taken = await upload(gateway, file.bytes, { encryption: true, password });
        if (verify("CORE-CONFIG-21").accepted(taken)) {
          const { diff, fileSize } = taken.data();
          verify("CORE-CONFIG-25").equal(diff, null, "diff of an upload without conflict", taken);
          verify("CORE-CONFIG-24").equal(fileSize, file.bytes.length, "fileSize of the uploaded file", taken);
        }
        // Neither a wrong password nor none at all opens an encrypted file: that it is encrypted shows in this.
        const wrong = await upload(gateway, file.bytes, { encryption: true, password: "Wrong-pass#43" });
        verify("CORE-CONFIG-23").refused(wrong);
        verify("CORE-CONFIG-35").equal(
          (wrong.json as { error?: { code?: unknown } } | undefined)?.error?.code,
          10_001,
          "error code of a wrong password",
          wrong,
        );
        verify("CORE-CONFIG-19").refused(await upload(gateway, file.bytes, { encryption: false }));
      }
      const takenPlain = await upload(gateway, plain.bytes, { encryption: false });
      if (verify("CORE-CONFIG-22").accepted(takenPlain)) {
        verify("CORE-CONFIG-24").equal(
          takenPlain.data().fileSize,
          plain.bytes.length,
          "fileSize of the uploaded file",
          takenPlain,
        );
      }
      verify("CORE-CONFIG-28").refused(
        await upload(gateway, Buffer.from("this is no configuration"), { encryption: false }),
      );
      verify("CORE-CONFIG-28").refused(
        await upload(gateway, plain.bytes.subarray(0, plain.bytes.length / 2), { encryption: false }),
      );
    },
  }),
  testCase({
    id: "configuration/default-password-is-the-serial-number",
    title: "Without a password an export is encrypted with the serial number",
    group: "configuration",
    requirements: ["CORE-CONFIG-20"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, profile, verify, unmet }) {
      const { serialNumber } = profile;
      if (serialNumber === undefined) return unmet("the profile does not declare the serial number");
      const file = await download(gateway, true);
      if (!verify("CORE-CONFIG-20").accepted(file)) return;
      verify("CORE-CONFIG-20").accepted(
        await upload(gateway, file.bytes, { encryption: true, password: serialNumber }),
      );
      verify("CORE-CONFIG-20").accepted(await upload(gateway, file.bytes, { encryption: true }));
      verify("CORE-CONFIG-20").refused(
        await upload(gateway, file.bytes, { encryption: true, password: "Wrong-pass#43" }),
      );
    },
  }),
  testCase({
    id: "configuration/upload-alone-changes-nothing",
    title: "An upload without apply changes no setting and causes no reboot",
    group: "configuration",
    requirements: ["CORE-CONFIG-26"],
    effect: "reversible",
    touches: ["configuration", "ssh", "services"],
    capabilities: ["configuration", "ssh"],
    async run({ gateway, verify, scratch, random }) {
      const before = (await gateway.admin.call("getSsh")).data();
      scratch.undo("SSH configuration", () => gateway.admin.call("setSsh", { json: before }));
      const file = await download(gateway, false);
      const changed = { ...before, port: random.integer(20_000, 60_000) };
      await gateway.admin.call("setSsh", { json: changed });
      await using watch = await gateway.watchForRestart();
      const taken = await upload(gateway, file.bytes, { encryption: false });
      taken.data();
      const wentDown = await watch.wentDown(5800);
      verify("CORE-CONFIG-26").equal(
        wentDown,
        undefined,
        "a reboot within 5.8 s after an upload without apply",
      );
      verify("CORE-CONFIG-26").equal(
        (await gateway.admin.call("getSsh")).data(),
        changed,
        "the SSH configuration after the upload",
      );
    },
  }),
  testCase({
    id: "configuration/unknown-file-is-not-applied",
    title: "Apply of a name that was never uploaded is refused",
    group: "configuration",
    requirements: ["CORE-CONFIG-30"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, verify, random }) {
      for (const filename of [`${random.word(12)}.tar.gz`, "..", "../gateway.db"]) {
        verify("CORE-CONFIG-30").refused(
          await gateway.admin.call("applyConfiguration", { path: { filename } }),
        );
      }
    },
  }),
];
