// `rackproof certify`: issues a signed certificate of a certification run, or lists every reason against it.
import { basename, dirname, join } from "node:path";
import { certificatePage } from "../reports/certificate/certificatePage.ts";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { monotonicClock } from "../harness/index.ts";
import { certificateFiles } from "../workflows/release/certificateFiles.ts";
import { suite } from "../suites/index.ts";
import { type Replayed, replayRun } from "../workflows/replay/replayRun.ts";
import { certifyRun } from "../workflows/release/certify.ts";
import {
  type FrozenSet,
  frozenSets,
  newestFrozenSet,
  readFrozenSet,
} from "../workflows/release/requirementSet.ts";
import { readTrust } from "../workflows/release/trust.ts";
import { readWaivers, waiverDraft } from "../workflows/release/waivers.ts";
import {
  UsageError,
  type CampaignRecord,
  type CertificateClass,
  type VerifiedLog,
  sha256,
  writeWhole,
} from "../record/index.ts";
import { readKeyPair, readText } from "./support/files.ts";
import { refusalText } from "./support/refusalText.ts";
import { readStoredRun } from "./support/storedRun.ts";
import { suiteVersion } from "./support/version.ts";

export interface CertifyOptions {
  readonly key: string;
  readonly waivers?: string;
  /** File into which the waivers that would be needed are drafted. */
  readonly draftWaivers?: string;
  readonly profile?: string;
  readonly out?: string;
  readonly issuer?: string;
  readonly validDays: number;
  readonly class: CertificateClass;
  /** File of the labs whose records bear the class lab. */
  readonly trust?: string;
  /** Name of the frozen requirement set; the newest when absent. */
  readonly set?: string;
}

/** How a run is judged again, and against which requirement set. */
export interface Judgement {
  readonly replay: (log: VerifiedLog, record: CampaignRecord) => Promise<Replayed>;
  readonly frozen: FrozenSet;
}

/** Returns the exit code: 0 certified, 1 refused. Without a `judgement` by the present suite and the set of the options. */
export async function certify(
  folder: string,
  options: CertifyOptions,
  {
    replay = (log, record) => replayRun(log, record, suite, suiteVersion),
    frozen = setOf(options),
  }: Partial<Judgement> = {},
): Promise<number> {
  if (options.validDays < 1) {
    throw new UsageError("VALID_DAYS", `--valid-days ${options.validDays}: expected at least 1`);
  }
  const record = await readStoredRun(folder);
  const { privatePem, publicPem } = await readKeyPair(options.key);
  const result = await certifyRun(record, {
    folder,
    frozen,
    waivers: options.waivers === undefined ? [] : await readWaivers(options.waivers),
    ...(options.profile === undefined
      ? {}
      : {
          profileSha256: sha256(
            await readText(options.profile, "--profile", "give the profile that the run used"),
          ),
        }),
    ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
    nowMs: monotonicClock.epochMs(),
    validDays: options.validDays,
    replay: (log) => replay(log, record),
    voucher: {
      class: options.class,
      labs: options.trust === undefined ? [] : await readTrust(options.trust),
      publicPem,
    },
  });
  if ("refusals" in result) {
    process.stderr.write(`rackproof: not certified: ${counted(result.refusals.length, "reason")}\n`);
    for (const refusal of result.refusals) process.stderr.write(refusalText(refusal));
    if (options.draftWaivers !== undefined) {
      await writeWhole(options.draftWaivers, waiverDraft(result.refusals));
    }
    return 1;
  }
  const file = options.out ?? join(folder, "certificate.json");
  const stem = basename(file).replace(/\.json$/, "");
  const made = await certificateFiles(result.certificate, privatePem, stem);
  const facts = { fileSha256: made.sha256, keyId: made.keyId, fileName: made.texts.certificate.name };
  const page = { name: `${stem}.html`, text: certificatePage(result.certificate, facts) };
  const files = { ...made.texts, page };
  const place = (name: string): string => join(dirname(file), name);
  for (const { name, text } of Object.values(files)) await writeWhole(place(name), text);
  const { gateway, requirementSet, validTo } = result.certificate;
  process.stdout.write(
    `certified: ${oneLine(`${gateway.name} ${gateway.firmware}`)}, requirement set ${requirementSet.name}, ${options.class}, until ${validTo}\n` +
      `certificate  ${place(files.certificate.name)}\nprintable    ${place(page.name)}\n` +
      `in-toto      ${place(files.envelope.name)}\nOSCAL        ${place(files.oscal.name)}\n` +
      `SHA-256      ${made.sha256}\nsigned by    ${made.keyId}\n`,
  );
  return 0;
}

function setOf({ set }: CertifyOptions): FrozenSet {
  const found = set === undefined ? newestFrozenSet() : readFrozenSet(set);
  if (found !== undefined) return found;
  throw new UsageError(
    "SET_UNKNOWN",
    `--set ${set ?? ""}: expected one of ${[...frozenSets().keys()].join(", ")}`,
  );
}
