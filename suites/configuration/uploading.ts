import { type TestCase, testCase } from "../../harness/index.ts";
import { readTarGz } from "../support/tarGz.ts";
import { download, password, upload, wrongPassword } from "./support.ts";

/** Whether the bytes can be read without any password. */
async function isReadable(bytes: Buffer): Promise<boolean> {
  return (await readTarGz(bytes)) !== undefined;
}

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
      "CORE-CONFIG-24",
      "CORE-CONFIG-25",
      "CORE-CONFIG-28",
      "CORE-CONFIG-38",
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
      // One file of each kind of export, taken with and without the parameters that have a default.
      for (const [file, encryption] of [
        [byDefault, true],
        [byDefault, undefined],
        [explicit, true],
        [explicit, undefined],
      ] as const) {
        const taken = await upload(gateway, file.bytes, {
          apply: false,
          password,
          ...(encryption === undefined ? {} : { encryption }),
        });
        const requirement = encryption === undefined ? "CORE-CONFIG-38" : "CORE-CONFIG-21";
        if (verify(requirement).accepted(taken)) {
          const { diff, fileSize } = taken.data();
          verify("CORE-CONFIG-25").equal(diff, null, "diff of an upload without conflict", taken);
          verify("CORE-CONFIG-24").equal(fileSize, file.bytes.length, "fileSize of the uploaded file", taken);
        }
      }
      // The layout is not shown. Where only the unencrypted file can be read, the default must be like the encrypted.
      if ((await isReadable(plain.bytes)) && !(await isReadable(explicit.bytes))) {
        verify("CORE-CONFIG-19").equal(
          await isReadable(byDefault.bytes),
          false,
          "whether the file exported by default can be read without a password",
          byDefault,
        );
      } else {
        verify("CORE-CONFIG-19").refused(await upload(gateway, byDefault.bytes, { encryption: false }));
      }
      const takenPlain = await upload(gateway, plain.bytes, { apply: false, encryption: false });
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
    id: "configuration/code-of-a-wrong-password",
    title: "A wrong password is refused with the published error code",
    group: "configuration",
    requirements: ["CORE-CONFIG-35"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration", "published-errors"],
    async run({ gateway, verify, unmet }) {
      const file = await download(gateway, true, password);
      if (!file.accepted) unmet(`the export was refused: ${file.summary()}`);
      const wrong = await upload(gateway, file.bytes, { encryption: true, password: wrongPassword });
      verify("CORE-CONFIG-35").refused(wrong);
      const error = (wrong.json as { error?: { code?: unknown } } | undefined)?.error;
      verify("CORE-CONFIG-35").equal(error?.code, 10_001, "error code of a wrong password", wrong);
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
        await upload(gateway, file.bytes, { apply: false, encryption: true, password: serialNumber }),
      );
      verify("CORE-CONFIG-20").accepted(
        await upload(gateway, file.bytes, { apply: false, encryption: true }),
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
      for (const filename of [`${random.word(12)}.tar.gz`, `..${random.word(3)}`]) {
        verify("CORE-CONFIG-30").refused(
          await gateway.admin.call("applyConfiguration", { path: { filename } }),
        );
      }
    },
  }),
];
