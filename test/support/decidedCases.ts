// What a run says of a gateway when tests of other kinds keep the machine busy.
import { type CampaignRecord, readCampaign } from "../../record/index.ts";

type CaseRecord = CampaignRecord["cases"][number];

/** More cases that only failed while the machine stood still would say that it cannot judge gateways at all. */
const mostNotConfirmed = 2;

export interface DecidedCases {
  readonly decided: readonly CaseRecord[];
  /** Ids of the others: they failed once, and passed when they were repeated. */
  readonly notConfirmed: readonly string[];
  /** The exit code of the run when all decided cases passed: inconclusive as soon as one was not confirmed. */
  readonly exitCodeOfPass: 0 | 3;
}

export async function decidedCases(folder: string): Promise<DecidedCases> {
  const { cases } = await readCampaign(folder);
  const isConfirmed = ({ reasonCode }: CaseRecord): boolean => reasonCode !== "not-confirmed";
  const notConfirmed = cases.filter((one) => !isConfirmed(one)).map(({ id }) => id);
  if (notConfirmed.length > mostNotConfirmed)
    throw new Error(
      `cases not confirmed: expected at most ${mostNotConfirmed}, found ${notConfirmed.join(", ")}`,
    );
  return {
    decided: cases.filter(isConfirmed),
    notConfirmed,
    exitCodeOfPass: notConfirmed.length === 0 ? 0 : 3,
  };
}
