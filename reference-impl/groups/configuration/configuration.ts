// Group 1: export, upload and apply of configurations.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigurationSection, Foundation, Group } from "../../gateway.ts";
import { type Answer, type Call, data, list } from "../../http/handler.ts";
import { badInput, notFound } from "../../http/refusal.ts";
import { type Archive, cannotExtract, packArchive, unpackArchive } from "./archive.ts";
import { decrypt, encrypt, isEncrypted } from "./encryption.ts";
import { createPlainSections } from "./plainSections.ts";
import { chooseSections } from "./selection.ts";

export interface ConfigurationSurroundings {
  readonly sections: () => readonly ConfigurationSection[];
  readonly rebootAfter: (delayMs: number, reason: string) => void;
}

/** "Limits": the system reboots this long after a configuration was applied. */
const rebootDelayMs = 5000;
const uploadName = /^configuration-[0-9a-f-]{36}\.tar\.gz$/;
const updateFailed = 1;
const updateSuccess = 2;

export function createConfiguration(foundation: Foundation, surroundings: ConfigurationSurroundings): Group {
  const { identity, events } = foundation;
  const uploads = join(foundation.stateFolder, "uploads");
  const plain = createPlainSections(foundation, surroundings.sections);
  const sections = (): ConfigurationSection[] =>
    [...plain.sections(), ...surroundings.sections()].toSorted((a, b) =>
      `${a.app}/${a.section}`.localeCompare(`${b.app}/${b.section}`),
    );
  const own = { model: identity.model, tpeversion: identity.tpeversion };

  const exportConfiguration = async (call: Call): Promise<Answer> => {
    const {
      action,
      encryption = true,
      select,
      filter,
    } = call.query as { action: string; encryption?: boolean; select?: string; filter?: string };
    const chosen = chooseSections(sections(), select, filter);
    if (action === "get-profile")
      return list(chosen.map(({ app, section, labels }) => ({ app, section, labels: [...labels] })));
    const password = encryption ? passwordOf(call.headers["password"], identity.serialNumber) : undefined;
    const documents = new Map(chosen.map((section) => [`${section.app}/${section.section}`, section.read()]));
    const packed = await packArchive({ manifest: { format: "core-configuration@1", ...own }, documents });
    const content = password === undefined ? packed : await encrypt(packed, password);
    return {
      kind: "file",
      contentType: "application/tar+gz",
      fileName: `${identity.model}-configuration.tar.gz`,
      content,
    };
  };

  const apply = (archive: Archive): void => {
    const known = new Map(sections().map((section) => [`${section.app}/${section.section}`, section]));
    const wanted = [...archive.documents].map(([name, document]) => {
      const section = known.get(name);
      if (section === undefined) throw badInput(`file: the section ${name} is not one of this gateway's`);
      return { section, document };
    });
    try {
      for (const { section, document } of wanted) section.check(document);
      foundation.store.transaction(() => {
        for (const { section, document } of wanted) section.write(document);
      });
    } catch (thrown) {
      events.raise(updateFailed, { message: "an uploaded configuration could not be applied" });
      throw thrown;
    }
    events.raise(updateSuccess, { message: `${wanted.length} sections were applied` });
    surroundings.rebootAfter(rebootDelayMs, "a configuration was applied");
  };

  const upload = async (call: Call): Promise<Answer> => {
    const file = call.files.find((one) => one.fieldName === "file");
    if (file === undefined) throw badInput("file: expected a file, found nothing");
    const {
      apply: isToApply = false,
      encryption = true,
      password,
    } = call.body as { apply?: boolean; encryption?: boolean; password?: string };
    const bytes = await readFile(file.path);
    if (!encryption && isEncrypted(bytes))
      throw badInput("encryption: the file is encrypted", { code: cannotExtract });
    const packed = encryption ? await decrypt(bytes, passwordOf(password, identity.serialNumber)) : bytes;
    const archive = await unpackArchive(packed);
    const fileName = `configuration-${randomUUID()}.tar.gz`;
    const { model, tpeversion } = archive.manifest;
    if (isToApply && (model !== own.model || tpeversion !== own.tpeversion)) {
      const diff = { current: own, imported: { model, tpeversion } };
      throw badInput("file: it comes from another model or version", {
        data: { diff, fileName, fileSize: file.size },
      });
    }
    await mkdir(uploads, { recursive: true });
    // What is kept is decrypted and checked, so that applying it later needs no password.
    await writeFile(join(uploads, fileName), packed, { mode: 0o600 });
    if (isToApply) apply(archive);
    return data({ diff: null, fileName, fileSize: file.size });
  };

  const applyUploaded = async (call: Call): Promise<Answer> => {
    const fileName = String(call.path["filename"]);
    if (!uploadName.test(fileName)) throw notFound(`the uploaded file ${JSON.stringify(fileName)}`);
    const packed = await readFile(join(uploads, fileName)).catch(() => {
      throw notFound(`the uploaded file ${fileName}`);
    });
    apply(await unpackArchive(packed));
    return data({ diff: null, fileName, fileSize: packed.length });
  };

  return {
    handlers: { exportConfiguration, uploadConfiguration: upload, applyConfiguration: applyUploaded },
    resetParts: plain.resetParts,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A password that was given must hold a digit and a special character; the serial number is the default. */
function passwordOf(given: unknown, serialNumber: string): string {
  if (given === undefined || given === "") return serialNumber;
  const password = typeof given === "string" ? given : "";
  if (password.length > 256 || !/\d/.test(password) || !/[^A-Za-z0-9]/.test(password)) {
    throw badInput("password: expected at most 256 characters with a digit and a special character");
  }
  return password;
}
