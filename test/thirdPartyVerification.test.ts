// Certificates are verified by a program in another language, the one that the guide shows.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { buildRegistry } from "../workflows/registry/build.ts";
import { appendEntry } from "../workflows/registry/registryLog.ts";
import { certificateFiles } from "../workflows/release/certificateFiles.ts";
import { newKeyPair } from "../workflows/release/signature.ts";
import { flawlessCertificate } from "../workflows/release/testing/certificates.ts";
import { temporaryFolder } from "./support/commandLine.ts";
import { lacksPython } from "./support/equipment.ts";

test.skipIf(lacksPython("hashlib"))(
  "the Python program of the guide computes the root of a registry, and rejects a changed line",
  async () => {
    await using folder = await temporaryFolder();
    const guide = await readFile("docs/registry.md", "utf8");
    const program = /```python\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
    const certificateSha256 = "ab".repeat(32);
    const at = "2027-01-01T00:00:00.000Z";
    for (let number = 0; number < 11; number++)
      await appendEntry(folder.path, { kind: "revocation", at, certificateSha256, reason: `${number}` });
    await buildRegistry(folder.path, { ...(await newKeyPair()), nowMs: 0 });
    const python = () => execa("python3", ["-c", program], { cwd: folder.path, reject: false });
    expect(await python()).toMatchObject({ exitCode: 0, stdout: "rackproof-registry: 11 entries" });
    const log = join(folder.path, "log.jsonl");
    await writeFile(log, (await readFile(log, "utf8")).replace('"5"', '"6"'));
    expect((await python()).exitCode).toBe(1);
  },
);

const files = ["certificate.json", "certificate.dsse.json", "certificate.oscal.json"];

test.skipIf(lacksPython("cryptography"))(
  "the Python program of the guide accepts the files of a certificate, and none with a changed byte",
  async () => {
    await using folder = await temporaryFolder();
    const guide = await readFile("docs/certify.md", "utf8");
    const program = /```python\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
    const { privatePem, publicPem } = await newKeyPair();
    const { texts } = await certificateFiles(flawlessCertificate(), privatePem, "certificate");
    const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);
    await write("certifier.key.pub", publicPem);
    for (const { name, text } of Object.values(texts)) await write(name, text);
    const python = () => execa("python3", ["-c", program], { cwd: folder.path, reject: false });

    const { exitCode, stdout, stderr } = await python();
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "PASSED record of gw 4.1.0",
      stderr: "",
    });
    expect(Object.values(texts).map(({ name }) => name)).toEqual(expect.arrayContaining(files));
    const exitCodes: (number | undefined)[] = [];
    for (const { name, text } of Object.values(texts)) {
      const place = Math.floor(text.length / 2);
      await write(name, `${text.slice(0, place)}${text[place] === "A" ? "B" : "A"}${text.slice(place + 1)}`);
      exitCodes.push((await python()).exitCode);
      await write(name, text);
    }
    expect(exitCodes).toEqual([1, 1, 1]);
  },
);
