import { UsageError } from "../../record/index.ts";

/** The URL without a trailing slash; throws a UsageError for anything else. */
export function requireUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError("URL", `${url}: expected http:// or https://, a host and a port up to 65535`);
  }
  return url.replace(/\/$/, "");
}
