// Multipart forms: files go to temporary files in the state folder, fields stay text.
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { FastifyRequest } from "fastify";
import type { UploadedFile } from "./handler.ts";
import { badInput, Refusal } from "../base/refusal.ts";

export interface Form extends AsyncDisposable {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly UploadedFile[];
}

const maxFiles = 8;
const maxFields = 64;
const maxFieldBytes = 256 * 1024;

/** Reads the form of a request. Disposing the form removes the files unless they were moved. */
export async function readForm(request: FastifyRequest, folder: string, maxFileBytes: number): Promise<Form> {
  await mkdir(folder, { recursive: true });
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const files: UploadedFile[] = [];
  const remove = async (): Promise<void> => {
    await Promise.all(files.map((file) => rm(file.path, { force: true })));
  };
  try {
    const limits = {
      fileSize: maxFileBytes,
      files: maxFiles,
      fields: maxFields,
      fieldSize: maxFieldBytes,
      parts: maxFiles + maxFields,
    };
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        if (part.valueTruncated) throw badInput(`${part.fieldname}: expected at most ${maxFieldBytes} bytes`);
        fields[part.fieldname] = part.value;
        continue;
      }
      const path = join(folder, randomUUID());
      const file = { fieldName: part.fieldname, fileName: basename(part.filename), path, size: 0 };
      files.push(file);
      await pipeline(part.file, createWriteStream(path, { mode: 0o600 }));
      if (part.file.truncated) {
        throw new Refusal(400, `${part.fieldname}: expected a file of at most ${maxFileBytes} bytes`, {
          code: 10_000,
        });
      }
      file.size = part.file.bytesRead;
    }
    return { fields, files, [Symbol.asyncDispose]: remove };
  } catch (thrown) {
    await remove();
    if (thrown instanceof Refusal) throw thrown;
    const message = thrown instanceof Error ? thrown.message : "unreadable";
    throw new Refusal(400, `the multipart form cannot be read: ${message}`);
  }
}
