// The state that a case touches: read before the case, compared and restored after it.
import type { Profile } from "../profile/profile.ts";
import type { Members } from "../settings/setting.ts";
import { readableState, stateDomains } from "../settings/state.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";
import { isDisruptive } from "./plan.ts";
import { sameValue } from "./sameValue.ts";

/** Readings of the domains of a case before it ran. */
export interface Snapshot {
  readonly readings: ReadonlyMap<StateDomain, Members>;
  /** Where the gateway was reached. */
  readonly baseUrl: string;
}

/** Reads the parts that the case touches; a reboot, reset or change of firmware may touch every part. */
export async function takeSnapshot(gateway: GatewayUnderTest, testCase: TestCase): Promise<Snapshot> {
  const readings = new Map<StateDomain, Members>();
  for (const domain of isDisruptive(testCase) ? stateDomains : testCase.touches) {
    const reading = await readableState(domain)
      ?.read(gateway)
      .catch(() => undefined);
    if (reading !== undefined) readings.set(domain, reading);
  }
  return { readings, baseUrl: gateway.currentBaseUrl() };
}

/** Compares with the snapshot and restores what differs. Answers one remark for each domain that differed. */
export async function restore(
  gateway: GatewayUnderTest,
  profile: Profile,
  { readings, baseUrl }: Snapshot,
  differs: (domain: StateDomain, now: Members | undefined) => void = () => undefined,
): Promise<string[]> {
  const remarks: string[] = [];
  for (const [domain, before] of readings) {
    const state = readableState(domain);
    if (state === undefined) continue;
    const read = (): Promise<Members | undefined> => state.read(gateway).catch(() => undefined);
    const after = await read();
    if (after === undefined || sameValue(after, before)) continue;
    const reasons =
      typeof state.restore === "function"
        ? await state.restore({ gateway, profile, baseUrl }, before)
        : [state.restore.none];
    const now = await read();
    if (!sameValue(now, before)) differs(domain, now);
    remarks.push(
      sameValue(now, before)
        ? `${domain} differed after the case: restored`
        : `${domain} differs after the case: ${JSON.stringify(before)} before, ${JSON.stringify(now)} now${reasons.map((reason) => `; ${reason}`).join("")}`,
    );
  }
  return remarks;
}
