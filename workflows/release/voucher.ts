// Who vouches for a record: the class that its signed log bears.
import {
  type CampaignRecord,
  type Certificate,
  type CertificateClass,
  verifyLog,
  type Voucher,
} from "../../record/index.ts";
import { openChallenge } from "./challenge.ts";
import type { Refusal } from "./completeness.ts";
import { type TrustedLab, trustedLab } from "./trust.ts";

export interface VoucherWish {
  readonly class: CertificateClass;
  readonly labs: readonly TrustedLab[];
  /** Public key in PEM of the certifier, who issues the challenges. */
  readonly publicPem: string;
  readonly nowMs: number;
}

type Header = Extract<Awaited<ReturnType<typeof verifyLog>>, { log: unknown }>["log"]["header"];

export interface Vouched {
  /** Absent without a log that verifies. */
  readonly voucher?: Voucher;
  readonly refusals: readonly Refusal[];
}

/** The voucher of a run's record, and the reasons why its log does not bear the wanted class. */
export async function vouch(
  folder: string,
  record: Pick<CampaignRecord, "seed">,
  wish: VoucherWish,
): Promise<Vouched> {
  const result = await verifyLog(folder);
  if ("breach" in result)
    return { refusals: refusalsOf(wish.class, `the log does not verify: ${result.breach.problem}`) };
  return voucherOf(result.log.header, record, wish);
}

/** The same for the header of a verified log. */
function voucherOf(header: Header, record: Pick<CampaignRecord, "seed">, wish: VoucherWish): Vouched {
  const { id, isOneTime } = header.key;
  const lab = trustedLab(wish.labs, id, header.startedAt);
  const answered = answeredChallenge(header, record, wish);
  const voucher: Voucher = {
    keyId: id,
    ...(lab === undefined ? {} : { lab: lab.name }),
    ...(typeof answered === "string" ? {} : { challenge: answered }),
  };
  const discarded = isOneTime ? "a key that was made for the run signed its log" : undefined;
  const lacks: Readonly<Record<CertificateClass, string | undefined>> = {
    "self-declared": undefined,
    lab:
      discarded ?? (lab === undefined ? `the key ${id} of the record is not in the trust file` : undefined),
    witnessed: discarded ?? (typeof answered === "string" ? answered : undefined),
  };
  return { voucher, refusals: refusalsOf(wish.class, lacks[wish.class]) };
}

function refusalsOf(wanted: CertificateClass, lacks: string | undefined): Refusal[] {
  return lacks === undefined || wanted === "self-declared"
    ? []
    : [{ code: "CLASS", reason: `not ${wanted}: ${lacks}` }];
}

/** The answered challenge, or why there is none. */
function answeredChallenge(
  { challenge: envelope, seed, startedAt }: Header,
  record: Pick<CampaignRecord, "seed">,
  { publicPem, nowMs }: VoucherWish,
): NonNullable<Voucher["challenge"]> | string {
  if (envelope === undefined) return "the run answered no challenge";
  const challenge = openChallenge(envelope, publicPem);
  if (challenge === undefined) return "the challenge was not issued by the certifying key";
  const { nonce, issuedAt, answerBy } = challenge;
  if (challenge.seed !== seed || challenge.seed !== record.seed)
    return `the challenge has seed ${challenge.seed}, the run ${record.seed}`;
  if (Date.parse(startedAt) < Date.parse(issuedAt)) return `the run started before ${issuedAt}`;
  if (nowMs > Date.parse(answerBy)) return `the challenge had to be answered by ${answerBy}`;
  return { nonce, issuedAt, answerBy };
}

/** Whether the evidence of a certificate bears the class. */
export function bears(
  { class: own = "self-declared", voucher }: Certificate,
  wanted: CertificateClass,
): boolean {
  if (own === wanted || wanted === "self-declared") return true;
  return wanted === "lab" ? voucher?.lab !== undefined : voucher?.challenge !== undefined;
}
