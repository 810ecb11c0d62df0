// An event stream that is open while something happens on the gateway, and sends a new entry afterwards.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { settledPage } from "./support.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { ifMet } from "../support/ifMet.ts";

const notProved = "no entry arrived on a stream before it, or the stream ended";

/** A stream on which an entry arrived, unless it is not proved. */
export interface ThroughStream extends AsyncDisposable {
  /** Checks that it sends a further entry, created after what `how` names, unless the gateway has closed it. */
  readonly verifySends: (how: string, answer: Answer) => Promise<void>;
}

/** Opens a stream of entries of the case, and proves it with one; the profile declares event streams. */
export async function throughStream(context: CaseContext): Promise<ThroughStream> {
  const { gateway, profile, random, verify } = context;
  const { admin } = gateway;
  const marks = await entryMarks(context);
  const own = `rp${random.word(10)}`;
  const names = { category: marks.category(own), event: own, origin: own };
  const query = marks.query(names);
  /** Answers whether the entry is listed: a log that is opened again may drop it. */
  const create = async (message: string): Promise<boolean> => {
    const { total } = await settledPage(context, query, 0);
    if (!(await admin.call("createEvent", { json: { ...names, message } })).accepted) return false;
    return (await settledPage(context, query, total + 1)).total > total;
  };
  const stream = await admin.openEventStream(query);
  const arrives = async (message: string): Promise<boolean> =>
    (await ifMet(
      stream.next("the entry", ({ record }) => record.message === message, profile.patience.settleMs),
    )) !== undefined;
  const isProved =
    (await create(`${own} before`)) && stream.status === 200 && (await arrives(`${own} before`));
  const verifySends = async (how: string, answer: Answer): Promise<void> => {
    const decided = verify("CORE-EVENT-28");
    let message = `${own} after`;
    let isListed = isProved && (await create(message));
    if (isProved && !isListed) {
      message = `${own} later`;
      isListed = await create(message);
    }
    const isReceived = isListed && (await arrives(message));
    const what = `entry created after ${how}, on a stream that was open before`;
    // Whether a stream outlives the operation, and whether an entry is listed then, is not stated.
    if (!isListed || (!isReceived && stream.ended)) return decided.notApplicable(what, notProved);
    decided.that(isReceived, {
      what,
      expected: `received within ${profile.patience.settleMs / 1000} s`,
      observed: isReceived ? "received" : "not received, and the stream is open",
      evidence: answer.accepted ? stream : answer,
    });
  };
  return { verifySends, [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose]() };
}
