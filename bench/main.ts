// `npm run bench`: every figure beside its peer and its limit, in the same run, with the machine named.
import { cpus, totalmem } from "node:os";
import { messageOf } from "../record/index.ts";
import { benchEvents } from "./events.ts";
import { benchFleetCauses } from "./fleetCauses.ts";
import { benchFleetHistory } from "./fleetHistory.ts";
import { benchFleetHolds } from "./fleetHolds.ts";
import { benchGatewayRequests } from "./gatewayRequests.ts";
import { benchHarnessOverhead } from "./harnessOverhead.ts";
import { benchHostile } from "./hostile.ts";
import { benchMeasurement } from "./measurement.ts";
import { benchModbusRig } from "./modbusRig.ts";
import { benchOpcua } from "./opcua.ts";
import { benchStreamClient } from "./streamClient.ts";
import { benchPages } from "./pages.ts";
import { benchTagPath } from "./tagPath.ts";
import { benchTags } from "./tags.ts";
import { benchQemuReset } from "./qemuReset.ts";
import { benchRegistry } from "./registry.ts";
import { type BenchRow, notMeasured, tableOf, totalsOf } from "./table.ts";

console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
);
const benches = {
  harness: benchHarnessOverhead,
  gateway: benchGatewayRequests,
  events: benchEvents,
  tags: benchTags,
  "stream-client": benchStreamClient,
  modbus: benchModbusRig,
  "tag-path": benchTagPath,
  opcua: benchOpcua,
  measurement: benchMeasurement,
  hostile: benchHostile,
  registry: benchRegistry,
  fleet: async () => [
    ...(await benchFleetHolds()),
    ...(await benchFleetHistory()),
    ...(await benchFleetCauses()),
  ],
  pages: benchPages,
  qemu: benchQemuReset,
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`bench ${unknown.join(", ")}: expected ${Object.keys(benches).join(", ")}`);

const all: BenchRow[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // A bench that fails leaves the others their figures.
  const rows = await bench().catch((thrown: unknown) => {
    process.exitCode = 1;
    return [notMeasured(name, messageOf(thrown))];
  });
  for (const line of tableOf(rows)) console.log(line);
  all.push(...rows);
}
console.log(totalsOf(all));
if (all.some(({ outcome }) => outcome === "MISSED")) process.exitCode = 1;
