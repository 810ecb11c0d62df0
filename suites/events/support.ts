import type { GatewayUnderTest, Inputs } from "../../harness/index.ts";
import type { EventPage, Severity } from "../../interface/resources/events.ts";

export interface PostedEvent {
  readonly category: string;
  readonly event: string;
  readonly origin: string;
  readonly message: string;
  readonly severity: Severity;
  readonly user: string;
  readonly userOrigin: string;
  readonly createdAt: string;
}

type Query = NonNullable<Inputs<"getEvents">["query"]>;
const atOnce = 8;

/** Posts the events, a few at a time; throws Unmet when one is rejected. */
export async function post(gateway: GatewayUnderTest, events: readonly PostedEvent[]): Promise<void> {
  const left = [...events];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let event = left.shift(); event !== undefined; event = left.shift()) {
        (await gateway.admin.call("createEvent", { json: event })).body();
      }
    }),
  );
}

export async function page(gateway: GatewayUnderTest, query: Query): Promise<EventPage> {
  return (await gateway.admin.call("getEvents", { query })).body();
}
