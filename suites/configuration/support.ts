import { type MarkedSetting, tellingTexts } from "../support/markedSettings.ts";
import { readTarGz } from "../support/tarGz.ts";
import type { Answer, GatewayUnderTest } from "../../harness/index.ts";

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

/** Uploads a file; undefined fields are left out. */
export function upload(
  gateway: GatewayUnderTest,
  content: Uint8Array,
  fields: { apply?: boolean; encryption?: boolean; password?: string } = {},
): Promise<Answer<"uploadConfiguration">> {
  return gateway.admin.call("uploadConfiguration", {
    form: { file: { fileName: "configuration.tar.gz", content }, ...fields },
  });
}

/** The marked settings of which a value is visible in the unencrypted file; its layout is not stated. */
export async function shownIn(file: Buffer, marked: readonly MarkedSetting[]): Promise<MarkedSetting[]> {
  const texts = ((await readTarGz(file)) ?? []).map((entry) => entry.content.toString("utf8"));
  return marked.filter((one) => tellingTexts(one).some((own) => texts.some((text) => text.includes(own))));
}
