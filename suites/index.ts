import type { TestCase } from "../harness/index.ts";
import { appsSuite } from "./apps/index.ts";
import { authSuite } from "./auth/index.ts";
import { authorisationSuite } from "./authorisation/index.ts";
import { configurationSuite } from "./configuration/index.ts";
import { clockSuite } from "./clock/index.ts";
import { declarationSuite } from "./declaration/index.ts";
import { eventsSuite } from "./events/index.ts";
import { generalSuite } from "./general/index.ts";
import { httpserverSuite } from "./httpserver/index.ts";
import { logSuite } from "./log/index.ts";
import { provisionSuite } from "./provision/index.ts";
import { resilienceSuite } from "./resilience/index.ts";
import { rebootSuite } from "./reboot/index.ts";
import { rolesSuite } from "./roles/index.ts";
import { servicesSuite } from "./services/index.ts";
import { tagsSuite } from "./tags/index.ts";
import { textsSuite } from "./texts/index.ts";
import { upgradeSuite } from "./upgrade/index.ts";
import { fieldSuite } from "./field/index.ts";
import { streamSuite } from "./streams/index.ts";
import { throughputSuite } from "./throughput/index.ts";
import { concurrencySuite } from "./concurrency/index.ts";
import { hostileSuite } from "./hostile/index.ts";
import { settingsSuite } from "./settings/index.ts";
import { usersSuite } from "./users/index.ts";

/** Every case of the suite; the review of the declaration comes first. */
export const suite: readonly TestCase[] = [
  ...declarationSuite,
  ...generalSuite,
  ...configurationSuite,
  ...httpserverSuite,
  ...provisionSuite,
  ...logSuite,
  ...rebootSuite,
  ...servicesSuite,
  ...rolesSuite,
  ...usersSuite,
  ...authSuite,
  ...authorisationSuite,
  ...eventsSuite,
  ...appsSuite,
  ...upgradeSuite,
  ...tagsSuite,
  ...textsSuite,
  ...fieldSuite,
  ...streamSuite,
  ...throughputSuite,
  ...settingsSuite,
  ...resilienceSuite,
  ...clockSuite,
  ...concurrencySuite,
  ...hostileSuite,
];
