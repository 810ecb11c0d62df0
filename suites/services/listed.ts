// What List services shows of each service.
import type { CaseContext, GatewayUnderTest } from "../../harness/index.ts";
import { allServices } from "../support/serviceList.ts";

export type Switches = Map<string, { available: boolean; enable: boolean }>;

export async function listed(gateway: GatewayUnderTest): Promise<Switches> {
  const groups = (await gateway.admin.call("listServices")).data();
  return new Map(allServices(groups).map(({ id, available, enable }) => [id, { available, enable }]));
}

/**
 * The listed services, read as soon as the one has the wanted state, at the latest after the time: the list may lag behind
 * the answer of the switch while the service starts or stops.
 */
export async function waitListed(
  gateway: GatewayUnderTest,
  waitFor: CaseContext["waitFor"],
  id: string,
  enable: boolean,
  deadlineMs: number,
): Promise<Switches> {
  let now = await listed(gateway);
  const isAsWanted = async (): Promise<true | undefined> => {
    now = await listed(gateway);
    return now.get(id)?.enable === enable || undefined;
  };
  if (now.get(id)?.enable !== enable)
    await waitFor(`${id} to be listed as ${enable}`, isAsWanted, { deadlineMs }).catch(() => undefined);
  return now;
}
