// The rig's slave in a process of its own, for the bench: node modbusRigServer.ts tcp | rtu PATH
import { sequencePoints } from "../rigs/process/embeddedPoints.ts";
import { startModbusRtuLine } from "../rigs/modbus/rtuSlave.ts";
import { startModbusTcpSlave } from "../rigs/modbus/tcpSlave.ts";

const [kind = "tcp", path = ""] = process.argv.slice(2);
const points = sequencePoints("bench", 1, 64);
const device =
  kind === "tcp"
    ? await startModbusTcpSlave({ name: "bench", points })
    : await startModbusRtuLine({ name: "bench", port: path, points });
process.stdout.write(`${device.address}\n`);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
