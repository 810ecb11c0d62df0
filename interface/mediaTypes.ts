// Media types of answers that are not JSON, as the published binding has them.

/** Of downloaded files, by operation. */
export const downloadMediaTypes = {
  exportConfiguration: "application/tar+gz",
  getLog: "application/zip",
  getEvents: "application/zip",
} as const;

export const eventStreamMediaType = "text/event-stream";

/** The media type of a Content-Type header without its parameters, in small letters. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}
