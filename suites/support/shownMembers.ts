// Members of a shown field value beside the value itself: its names, its data type and its time.
import type { CaseContext, Evidence } from "../../harness/index.ts";
import type { DirectRead, MonitoredValue } from "../../interface/resources/tags.ts";
import { verifyRecent } from "./recentTimes.ts";
import { inWords, pathOf, type PlacedPoint } from "./fieldPoints.ts";

interface Shown {
  readonly view: string;
  readonly members: Partial<Record<"prvdName" | "srcName" | "dataType", unknown>>;
  readonly requirements: readonly [provider: string, source: string, type: string, time: string];
  /** Milliseconds since the epoch as shown, and the name of the member. */
  readonly time: readonly [member: string, shown: unknown];
  readonly evidence: Evidence;
}

/** The members of a value in monitoring or on a stream, soon after the device took it. */
export function verifyMonitoredMembers(
  context: CaseContext,
  placed: PlacedPoint,
  value: MonitoredValue,
  shown: Pick<Shown, "view" | "evidence">,
): void {
  verifyMembers(context, placed, {
    ...shown,
    members: value,
    requirements: ["CORE-TAG-08", "CORE-TAG-09", "CORE-TAG-11", "CORE-TAG-14"],
    time: ["ts", value.ts],
  });
}

/** The members of a direct read, soon after the device took the value. */
export function verifyReadMembers(
  context: CaseContext,
  placed: PlacedPoint,
  value: DirectRead,
  shown: Pick<Shown, "view" | "evidence">,
): void {
  verifyMembers(context, placed, {
    ...shown,
    members: value,
    requirements: ["CORE-TAG-15", "CORE-TAG-16", "CORE-TAG-19", "CORE-TAG-18"],
    time: ["timestamp", value.timestamp],
  });
}

function verifyMembers(context: CaseContext, { device, point }: PlacedPoint, shown: Shown): void {
  const { verify } = context;
  const { view, members, requirements, time, evidence } = shown;
  const [ofProvider, ofSource, ofType, ofTime] = requirements;
  const { provider, source } = pathOf(point);
  const what = (member: string): string => `\`${member}\` of ${inWords(point)} ${view}`;
  verify(ofProvider).equal(members.prvdName, provider, what("prvdName"), evidence);
  verify(ofSource).equal(members.srcName, source, what("srcName"), evidence);
  verify(ofType).equal(members.dataType, point.dataType, what("dataType"), evidence);
  const [member, instant] = time;
  // The time may be that of the device, and a real one may have a clock of its own.
  if (!device.isSimulated)
    return verify(ofTime).notApplicable(what(member), "the clock of a real device may differ");
  verifyRecent(context, ofTime, { what: `${what(member)} soon after a change`, shown: instant, evidence });
}
