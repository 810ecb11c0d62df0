import { type MarkedSetting, tellingTexts } from "../support/markedSettings.ts";
import { readTarGz } from "../support/tarGz.ts";
import type { Answer, CaseContext, GatewayUnderTest } from "../../harness/index.ts";

/** A password with a digit and a special character, as stated. */
export const password = "Rack-proof#42";
export const wrongPassword = "Wrong-pass#43";

/** Downloads the configuration; without a password the gateway uses its default. */
export function download(
  gateway: GatewayUnderTest,
  encryption: boolean | undefined,
  exportPassword?: string,
): Promise<Answer<"exportConfiguration">> {
  return gateway.admin.call("exportConfiguration", {
    query: { action: "download", ...(encryption === undefined ? {} : { encryption }) },
    ...(exportPassword === undefined ? {} : { headers: { password: exportPassword } }),
  });
}

/** The file name under which files are uploaded. */
export const uploadName = "configuration.tar.gz";

/** Uploads a file; undefined fields are left out. */
export function upload(
  gateway: GatewayUnderTest,
  content: Uint8Array,
  fields: { apply?: boolean; encryption?: boolean; password?: string } = {},
  fileName = uploadName,
): Promise<Answer<"uploadConfiguration">> {
  return gateway.admin.call("uploadConfiguration", {
    form: { file: { fileName, content }, ...fields },
  });
}

/** Checks `diff` and `fileSize` of an accepted upload. */
export function verifyResult(
  { verify }: CaseContext,
  uploaded: Answer<"uploadConfiguration">,
  size: number,
  what = "the uploaded file",
): void {
  const { diff, fileSize } = uploaded.data();
  verify("CORE-CONFIG-25").equal(diff, null, "`diff` of an upload without conflict", uploaded);
  verify("CORE-CONFIG-24").equal(fileSize, size, `\`fileSize\` of ${what}`, uploaded);
}

/** The marked settings of which a value is visible in the unencrypted file; its layout is not stated. */
export async function shownIn(file: Buffer, marked: readonly MarkedSetting[]): Promise<MarkedSetting[]> {
  const texts = ((await readTarGz(file)) ?? []).map((entry) => entry.content.toString("utf8"));
  return marked.filter((one) => tellingTexts(one).some((own) => texts.some((text) => text.includes(own))));
}

/**
 * Checks that the file exported without `encryption` is encrypted. The layout is not shown: where only the unencrypted file
 * is a readable tar.gz, the default one must not be; elsewhere it must be rejected as an unencrypted one.
 */
export async function verifyEncryptedByDefault(
  { gateway, verify }: CaseContext,
  files: { readonly plain: Answer; readonly explicit: Answer; readonly byDefault: Answer },
  what: string,
): Promise<void> {
  const { plain, explicit, byDefault } = files;
  if ((await isReadable(plain.bytes)) && !(await isReadable(explicit.bytes)))
    verify("CORE-CONFIG-19").equal(
      (await isReadable(byDefault.bytes)) ? "readable without a password" : "encrypted",
      "encrypted",
      what,
      byDefault,
    );
  else verify("CORE-CONFIG-19").refused(await upload(gateway, byDefault.bytes, { encryption: false }));
}

/** Whether the bytes are a tar.gz that can be read without a password. */
async function isReadable(bytes: Buffer): Promise<boolean> {
  return (await readTarGz(bytes)) !== undefined;
}

/** A password of the length, with characters of every kind. */
export function longPassword({ random }: CaseContext, length: number): string {
  return `Rp7!${random.word(length - 8)}Q#9z`;
}

/** Passwords that differ from the given one in one character, in case or in length only. */
export function nearPasswords(right: string): string[] {
  const other = (position: number): string =>
    `${right.slice(0, position)}${right[position] === "5" ? "6" : "5"}${right.slice(position + 1)}`;
  const near = [
    other(right.length - 1),
    other(0),
    other(Math.floor(right.length / 2)),
    `${right}5`,
    right.slice(0, -1),
    right.slice(1),
    right.toLowerCase(),
    right.toUpperCase(),
    right.replaceAll("!", "-"),
  ];
  return [...new Set(near)].filter((one) => one !== right && one !== "");
}
