// The rig's Modbus server in a separate process, for the bench: node modbusRigServer.ts tcp | rtu PATH
import { sequencePoints } from "../rigs/process/embeddedPoints.ts";
import { startModbusRtuLine } from "../rigs/modbus/rtuServer.ts";
import { startModbusTcpServer } from "../rigs/modbus/tcpServer.ts";

const [kind = "tcp", path = ""] = process.argv.slice(2);
const points = sequencePoints("bench", 1, 64);
const device =
  kind === "tcp"
    ? await startModbusTcpServer({ name: "bench", points })
    : await startModbusRtuLine({ name: "bench", port: path, points });
process.stdout.write(`${device.address}\n`);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
