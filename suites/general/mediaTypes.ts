import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { downloadMediaTypes, eventStreamMediaType, mediaTypeOf } from "../../interface/mediaTypes.ts";

const requirement = "CORE-GENERAL-12";

interface Source {
  readonly what: string;
  readonly mediaType: string;
  readonly contentType: (context: CaseContext) => Promise<string | undefined>;
}

/** What is downloaded or streamed, by the capability of the profile. */
const sources = {
  configuration: {
    what: "a downloaded configuration",
    mediaType: downloadMediaTypes.exportConfiguration,
    contentType: async ({ gateway: { admin } }) => {
      const query = { action: "download", encryption: false } as const;
      return (await admin.call("exportConfiguration", { query })).headers["content-type"];
    },
  },
  log: {
    what: "the downloaded log",
    mediaType: downloadMediaTypes.getLog,
    contentType: async ({ gateway: { admin } }) =>
      (await admin.call("getLog", { query: { download: true } })).headers["content-type"],
  },
  events: {
    what: "the downloaded events",
    mediaType: downloadMediaTypes.getEvents,
    contentType: async ({ gateway: { admin } }) =>
      (await admin.call("getEvents", { query: { download: true } })).headers["content-type"],
  },
  "event-stream": {
    what: "the stream of events",
    mediaType: eventStreamMediaType,
    contentType: async ({ gateway: { admin } }) => {
      await using stream = await admin.openEventStream();
      return stream.contentType;
    },
  },
} as const satisfies Readonly<Record<string, Source>>;

export const mediaTypeCases: readonly TestCase[] = [
  testCase({
    id: "general/media-types",
    title: "Downloads and the stream of events have their published media types",
    group: "general",
    requirements: [requirement],
    effect: "read-only",
    // A gateway may make one export at a time.
    touches: ["configuration"],
    capabilities: ["published-media-types"],
    async run(context) {
      const { declares, verify, notApplicable } = context;
      const declared = (Object.keys(sources) as (keyof typeof sources)[]).filter(declares);
      if (declared.length === 0) notApplicable("the profile declares no download");
      for (const capability of declared) {
        const { what, mediaType, contentType } = sources[capability];
        const shown = mediaTypeOf(await contentType(context));
        verify(requirement).equal(shown, mediaType, `media type of ${what}`);
      }
    },
  }),
];
