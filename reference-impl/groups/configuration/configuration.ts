// Group 1: export, upload and apply of configurations.
import { readFile } from "node:fs/promises";
import type { CarriedSetting, ConfigurationSection, Foundation, Group } from "../../foundation/gateway.ts";
import { type Answer, type Call, data, list } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { type Archive, cannotExtract, packArchive, unpackArchive } from "./archive.ts";
import { decrypt, encrypt, isEncrypted } from "./encryption.ts";
import { createPlainSections } from "./plainSections.ts";
import { chooseSections } from "./selection.ts";
import { openUploads } from "./uploads.ts";

export interface ConfigurationSurroundings {
  readonly sections: () => readonly ConfigurationSection[];
  readonly settings: () => readonly CarriedSetting[];
  readonly rebootAfter: (delayMs: number, reason: string) => void;
  /** How long after a configuration was applied the gateway reboots. */
  readonly rebootDelayMs: number;
}

/** "Limits": the system reboots this long after a configuration was applied. */
const updateFailed = 1;
const updateSuccess = 2;

export function createConfiguration(foundation: Foundation, surroundings: ConfigurationSurroundings): Group {
  const { identity, events } = foundation;
  const uploads = openUploads(foundation);
  const plain = createPlainSections(foundation, surroundings.sections, surroundings.settings);
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
    const manifest = { ...foundation.product.parts, format: "core-configuration@1" as const, ...own };
    const packed = await packArchive(
      { manifest, documents },
      { isNumbered: foundation.product.areEntriesNumbered },
    );
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
    let count = 0;
    try {
      const wanted = [...archive.documents].map(([name, document]) => {
        const section = known.get(name);
        if (section === undefined) throw badInput(`file: unknown section ${name}`);
        return { section, document };
      });
      count = wanted.length;
      for (const { section, document } of wanted) section.check(document);
      foundation.store.transaction(() => {
        for (const { section, document } of wanted) section.write(document);
      });
    } catch (thrown) {
      events.raise(updateFailed, { message: "an uploaded configuration could not be applied" });
      throw thrown;
    }
    events.raise(updateSuccess, { message: `${count} sections were applied` });
    surroundings.rebootAfter(surroundings.rebootDelayMs, "a configuration was applied");
  };

  const upload = async (call: Call): Promise<Answer> => {
    const file = call.files.find((one) => one.fieldName === "file");
    if (file === undefined) throw badInput("file: expected a file, found nothing");
    const isToApply = flag(call.body, "apply", false);
    const encryption = flag(call.body, "encryption", true);
    const { password } = call.body;
    const bytes = await readFile(file.path);
    if (!encryption && isEncrypted(bytes))
      throw badInput("encryption: the file is encrypted", { code: cannotExtract });
    const packed = encryption ? await decrypt(bytes, passwordOf(password, identity.serialNumber)) : bytes;
    const archive = await unpackArchive(packed);
    const fileName = uploads.newName();
    const { model, tpeversion } = archive.manifest;
    if (isToApply && (model !== own.model || tpeversion !== own.tpeversion)) {
      const diff = { current: own, imported: { model, tpeversion } };
      throw badInput("file: it comes from another model or version", {
        data: { diff, fileName, fileSize: file.size },
      });
    }
    // The stored archive is decrypted and checked: applying it later needs no password.
    await uploads.keep(fileName, packed, file.size);
    if (isToApply) apply(archive);
    return data({ diff: null, fileName, fileSize: file.size });
  };

  const applyUploaded = async (call: Call): Promise<Answer> => {
    const fileName = String(call.path["filename"]);
    const { packed, fileSize } = await uploads.take(fileName);
    apply(await unpackArchive(packed));
    return data({ diff: null, fileName, fileSize });
  };

  return {
    handlers: { exportConfiguration, uploadConfiguration: upload, applyConfiguration: applyUploaded },
    resetParts: [...plain.resetParts, { scopes: ["all"], reset: () => uploads.clear() }],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A form's flag. Its text was converted to a boolean; anything else is rejected. */
function flag(fields: Call["body"], name: string, byDefault: boolean): boolean {
  const value = fields[name] ?? byDefault;
  if (typeof value !== "boolean")
    throw badInput(`${name}: expected true or false, found ${JSON.stringify(value)}`);
  return value;
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
