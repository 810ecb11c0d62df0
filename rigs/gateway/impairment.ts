// How bad a line is: what happens to the packets on it, in either direction.

export interface Impairment {
  /** Added to the way of every packet, in each direction. */
  readonly delayMs?: number;
  /** The delay varies by so much in both directions of time; packets keep their order. */
  readonly jitterMs?: number;
  readonly lossPercent?: number;
  /** Share of packets that overtake the delayed ones before them. */
  readonly reorderPercent?: number;
  readonly duplicatePercent?: number;
  /** Kilobits a second that the line carries in both directions together. */
  readonly rateKbit?: number;
  /** Longer packets vanish without a message to their sender. */
  readonly largestBytes?: number;
}

/** What a line that is impaired from the start adds to the time of all that crosses it. */
export interface LinePace {
  /** How many times longer cases may take: most of their time is spent on requests. */
  readonly slowness: number;
  /** There and back for one packet that is not lost. */
  readonly roundTripMs: number;
  /** Longest time for an exchange on a new connection, with lost packets that are sent again. */
  readonly exchangeMs: number;
}

const slownessOfImpaired = 10;
/** Of the connection, the request and the answer, and of the answer's second flight. */
const roundTripsOfExchange = 4;
/** A lost connection request is sent again after this time, and after twice the time before when that is lost too (RFC 6298). */
const firstRepeatMs = 1000;
const mostRepeats = 5;
/** Share of exchanges that may take longer. */
const rarely = 0.001;
/** What waits before a slow line. */
const fullQueueMs = 1000;

/** Undefined for a line that is not impaired. */
export function paceOf(impairment: Impairment): LinePace | undefined {
  if (Object.keys(impairment).length === 0) return undefined;
  const { delayMs = 0, jitterMs = 0, lossPercent = 0, rateKbit } = impairment;
  const roundTripMs = 2 * (delayMs + jitterMs) + (rateKbit === undefined ? 0 : fullQueueMs);
  const lost = 1 - (1 - lossPercent / 100) ** 2;
  const repeats = lost === 0 ? 0 : Math.min(mostRepeats, Math.ceil(Math.log(rarely) / Math.log(lost)));
  return {
    slowness: slownessOfImpaired,
    roundTripMs,
    exchangeMs: roundTripsOfExchange * roundTripMs + firstRepeatMs * (2 ** repeats - 1),
  };
}

/** The parts by the words of `--line`. */
const impairmentParts = {
  delay: "delayMs",
  jitter: "jitterMs",
  loss: "lossPercent",
  reorder: "reorderPercent",
  duplicate: "duplicatePercent",
  rate: "rateKbit",
  mtu: "largestBytes",
} as const satisfies Readonly<Record<string, keyof Impairment>>;

const units: Readonly<Record<keyof Impairment, string>> = {
  delayMs: "ms",
  jitterMs: "ms",
  lossPercent: "%",
  reorderPercent: "%",
  duplicatePercent: "%",
  rateKbit: "kbit/s",
  largestBytes: "bytes",
};
const shortestIpPacket = 576;

const isPart = (word: string): word is keyof typeof impairmentParts => Object.hasOwn(impairmentParts, word);

/** Reads `delay=100,loss=2`, or `clean`; throws an Error that says what was expected. */
export function readImpairment(text: string): Impairment {
  if (text === "clean") return {};
  const parts = text.split(",").map((part) => {
    const [word = "", number = "", ...more] = part.trim().split("=");
    if (!isPart(word) || more.length > 0)
      throw new Error(
        `${part}: expected clean, or PART=NUMBER with ${Object.keys(impairmentParts).join(", ")}`,
      );
    return [impairmentParts[word], numberOf(word, number)] as const;
  });
  return Object.fromEntries(parts);
}

function numberOf(word: keyof typeof impairmentParts, text: string): number {
  const unit = units[impairmentParts[word]];
  const number = text === "" ? Number.NaN : Number(text);
  const least = word === "mtu" ? shortestIpPacket : word === "rate" ? 1 : 0;
  const most = unit === "%" ? 100 : Number.MAX_SAFE_INTEGER;
  if (!(number >= least && number <= most))
    throw new Error(
      `${word}=${text}: expected a number of ${unit} from ${least}${unit === "%" ? " to 100" : ""}`,
    );
  return number;
}
