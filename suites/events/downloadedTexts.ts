// Events with odd texts in a download, of which the format is not shown.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { parseJson } from "../../record/index.ts";
import type { EntryMarks } from "../support/entryCategories.ts";
import { oddTexts } from "../support/oddTexts.ts";
import type { ZipEntry } from "../support/zipFile.ts";
import { settledPage } from "./support.ts";

export interface Download {
  readonly answer: Answer;
  readonly entries: readonly ZipEntry[];
}

/**
 * Downloads events with odd texts, in files that show events as text: each is present from its beginning to its end, and
 * unchanged where the file is JSON with a member `message`. Returns false where the download failed.
 */
export async function verifyDownloadedTexts(
  context: CaseContext,
  marks: EntryMarks,
  download: (query: object) => Promise<Download | undefined>,
): Promise<boolean> {
  const { gateway, random, verify } = context;
  const own = `rp${random.word(10)}`;
  const names = { category: marks.category(own), event: own, origin: own };
  const sent: { begin: string; end: string; message: string }[] = [];
  for (const [index, { text, mayBeRejected }] of oddTexts.entries()) {
    const begin = `${own}n${index}b`;
    const end = `${own}n${index}e`;
    const json = { ...names, message: `${begin} ${text} ${end}` };
    const answer = await gateway.admin.call("createEvent", { json });
    if (mayBeRejected && answer.rejected) continue;
    answer.body();
    sent.push({ begin, end, message: json.message });
  }
  await settledPage(context, marks.query(names), sent.length);
  const found = await download(marks.query(names));
  if (found === undefined) return false;
  const { answer, entries } = found;
  verify("CORE-EVENT-29").equal(
    sent.filter(({ begin, end }) => !entries.some(({ content }) => shows(content, begin, end))),
    [],
    `events missing from a download or without the end of their message, out of ${sent.length}`,
    answer,
  );
  const messages = entries.flatMap(({ content }) => messagesIn(content.toString("utf8")));
  const changed = sent.flatMap(({ begin, message }) => {
    const shown = messages.filter((one) => one.startsWith(`${begin} `));
    return shown.length === 0 || shown.includes(message) ? [] : [{ message, shown }];
  });
  verify("CORE-EVENT-29").equal(changed, [], "events with another `message` in a download", answer);
  return true;
}

function shows(content: Buffer, begin: string, end: string): boolean {
  const from = content.indexOf(begin);
  return from !== -1 && content.includes(end, from);
}

/** Values of members `message` in a JSON document, or in lines that are one each. */
function messagesIn(text: string): string[] {
  const whole = jsonOf(text);
  return whole === undefined
    ? text.split("\n").flatMap((line) => messagesOf(jsonOf(line)))
    : messagesOf(whole);
}

function messagesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "message" && typeof inner === "string" ? [inner] : messagesOf(inner),
  );
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
