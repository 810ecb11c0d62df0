import { type TestCase, testCase } from "../../harness/index.ts";
import { runFacts } from "../support/runFacts.ts";
import {
  download,
  longPassword,
  password,
  upload,
  uploadName,
  verifyEncryptedByDefault,
  verifyResult,
  wrongPassword,
} from "./support.ts";

/** Characters to which forms, addresses, headers and shells give a meaning. */
const oddPasswords = ["p+1 !x%2By&a=b", `1!"q';,\\~^`];

/** One beyond each length at which a buffer for a password often ends. */
const longLengths = [17, 25, 33, 65, 129];

export const uploadCases: readonly TestCase[] = [
  testCase({
    id: "configuration/encryption-and-password",
    title: "Exports are encrypted by default and accepted with the password of the export",
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
    async run(context) {
      const { gateway, verify } = context;
      const plain = await download(gateway, false);
      const byDefault = await download(gateway, undefined, password);
      const explicit = await download(gateway, true, password);
      for (const answer of [plain, byDefault, explicit]) {
        if (!verify("CORE-CONFIG-10").accepted(answer)) return;
        verify("CORE-CONFIG-10").that(answer.bytes.length > 0, {
          what: "size of the downloaded file in bytes",
          expected: "at least 1",
          observed: answer.bytes.length,
          evidence: answer,
        });
      }
      // A file of each kind of export, uploaded with and without the parameters that have a default.
      for (const [file, encryption] of [
        [byDefault, true],
        [byDefault, undefined],
        [explicit, true],
        [explicit, undefined],
      ] as const) {
        const uploaded = await upload(gateway, file.bytes, {
          apply: false,
          password,
          ...(encryption === undefined ? {} : { encryption }),
        });
        const requirement = encryption === undefined ? "CORE-CONFIG-38" : "CORE-CONFIG-21";
        if (verify(requirement).accepted(uploaded)) verifyResult(context, uploaded, file.bytes.length);
      }
      const together = await Promise.all([
        upload(gateway, plain.bytes, { apply: false, encryption: false }, "one.tar.gz"),
        upload(gateway, explicit.bytes, { apply: false, password }, "other.tar.gz"),
      ]);
      // How many uploads a gateway accepts at the same time is not stated, at least one.
      const areAllRejected = together.every((answer) => answer.rejected);
      for (const [index, answer] of together.entries())
        if (
          (areAllRejected || !answer.rejected) &&
          verify(index === 0 ? "CORE-CONFIG-22" : "CORE-CONFIG-21").accepted(answer)
        )
          verifyResult(
            context,
            answer,
            [plain, explicit][index]?.bytes.length ?? 0,
            "a file that was uploaded at the same time as another",
          );
      const ofOneName = await Promise.all([
        upload(gateway, plain.bytes, { apply: false, encryption: false }),
        upload(gateway, explicit.bytes, { apply: false, password }),
      ]);
      // Whether a gateway takes two files of one name at the same time is not stated.
      for (const [index, answer] of ofOneName.entries())
        if (answer.accepted)
          verifyResult(
            context,
            answer,
            [plain, explicit][index]?.bytes.length ?? 0,
            "a file that was uploaded at the same time as another of its name",
          );
      const odds = [...oddPasswords, ...longLengths.map((length) => longPassword(context, length))];
      // At the same time: each export has the password of its own request.
      const files = await Promise.all(
        odds.map(async (odd) => ({ odd, file: await download(gateway, true, odd) })),
      );
      for (const { odd, file } of files) {
        // Neither the greatest length nor which characters besides a digit and a special one are allowed is stated.
        if (file.accepted)
          verify("CORE-CONFIG-21").accepted(
            await upload(gateway, file.bytes, { apply: false, encryption: true, password: odd }),
          );
      }
      await verifyEncryptedByDefault(
        context,
        { plain, explicit, byDefault },
        "file exported without the parameter `encryption`",
      );
      // The order of the parts of a form has no meaning.
      const file = { fileName: uploadName, content: plain.bytes };
      for (const form of [
        { file, apply: false, encryption: false },
        { apply: false, encryption: false, file },
      ]) {
        const uploadedPlain = await gateway.admin.call("uploadConfiguration", { form });
        if (verify("CORE-CONFIG-22").accepted(uploadedPlain))
          verifyResult(context, uploadedPlain, plain.bytes.length);
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
    title: "A wrong password is rejected with error code 10001",
    group: "configuration",
    requirements: ["CORE-CONFIG-35"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration", "published-errors"],
    async run({ gateway, verify, unmet }) {
      const file = await download(gateway, true, password);
      if (!file.accepted) unmet(`the export was rejected: ${file.summary()}`);
      const wrong = await upload(gateway, file.bytes, { encryption: true, password: wrongPassword });
      verify("CORE-CONFIG-35").refused(wrong);
      const error = (wrong.json as { error?: { code?: unknown } } | undefined)?.error;
      verify("CORE-CONFIG-35").equal(
        error?.code,
        10_001,
        "`error.code` of an upload with a wrong password",
        wrong,
      );
    },
  }),
  testCase({
    id: "configuration/default-password-is-the-serial-number",
    title: "The default password of an export is the serial number",
    group: "configuration",
    requirements: ["CORE-CONFIG-20"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run({ gateway, profile, verify, unmet, notApplicable }) {
      const { serialNumber } = profile;
      if (serialNumber === undefined) return notApplicable("the profile names no serialNumber", "not-named");
      const file = await download(gateway, true);
      if (!verify("CORE-CONFIG-20").accepted(file)) return;
      verify("CORE-CONFIG-20").accepted(
        await upload(gateway, file.bytes, { apply: false, encryption: true, password: serialNumber }),
      );
      verify("CORE-CONFIG-20").accepted(
        await upload(gateway, file.bytes, { apply: false, encryption: true }),
      );
      // The default stays what it is, whatever password the last export and the last upload had.
      const other = await download(gateway, true, password);
      if (!other.accepted) return unmet(`the export was rejected: ${other.summary()}`);
      for (const given of [undefined, serialNumber, wrongPassword])
        verify("CORE-CONFIG-20").refused(
          await upload(gateway, other.bytes, {
            apply: false,
            encryption: true,
            ...(given === undefined ? {} : { password: given }),
          }),
        );
      await upload(gateway, other.bytes, { apply: false, encryption: true, password });
      verify("CORE-CONFIG-20").refused(await upload(gateway, other.bytes, { apply: false }));
      verify("CORE-CONFIG-20").accepted(
        await upload(gateway, (await download(gateway, true)).bytes, { apply: false }),
      );
    },
  }),
  testCase({
    id: "configuration/unknown-file-is-not-applied",
    title: "Apply configuration rejects the name of a file that was never uploaded",
    group: "configuration",
    requirements: ["CORE-CONFIG-30"],
    effect: "reversible",
    touches: ["configuration"],
    capabilities: ["configuration"],
    async run(context) {
      const { gateway, verify, random } = context;
      for (const filename of [`${random.word(12)}.tar.gz`, `..${random.word(3)}`]) {
        const answer = await gateway.admin.call("applyConfiguration", { path: { filename } });
        verify("CORE-CONFIG-30").refused(answer);
        const { startedMs, durationMs } = answer.exchange;
        runFacts(context).unknownApplied = { startedMs, durationMs };
      }
    },
  }),
];
