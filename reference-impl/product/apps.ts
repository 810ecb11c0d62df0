// The apps that this gateway is delivered with.
import type { AppState } from "../../interface/states.ts";

export interface InstalledApp {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly category: string;
  readonly attributes: readonly string[];
  readonly paid: boolean;
  readonly imageSize: number;
  /** Apps that the gateway needs: they may be restarted, never removed. */
  readonly isEssential: boolean;
  /** State after delivery. */
  readonly initial: Extract<AppState, "ready" | "stopped">;
  /** Tag providers that live in the app. */
  readonly providers: readonly string[];
}

export const installedApps: readonly InstalledApp[] = [
  {
    id: "device",
    displayName: "Device",
    description: "Field simulator and device access",
    category: "device",
    attributes: ["hide"],
    paid: false,
    imageSize: 12_582_912,
    isEssential: false,
    initial: "ready",
    providers: ["device"],
  },
  {
    id: "aie",
    displayName: "Edge intelligence",
    description: "Runs models at the edge",
    category: "intelligence",
    attributes: ["openInSameTab"],
    paid: true,
    imageSize: 104_857_600,
    isEssential: false,
    initial: "ready",
    providers: [],
  },
  {
    id: "modbusmaster-tcp",
    displayName: "Modbus TCP master",
    description: "Polls Modbus TCP devices",
    category: "protocol",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 20_971_520,
    isEssential: false,
    initial: "ready",
    providers: ["modbus_tcp_master"],
  },
  {
    id: "modbusmaster-serial",
    displayName: "Modbus serial master",
    description: "Polls Modbus devices on serial lines",
    category: "protocol",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 20_971_520,
    isEssential: false,
    initial: "ready",
    providers: ["modbus_serial_master"],
  },
  {
    id: "modbusslave",
    displayName: "Modbus TCP slave",
    description: "Offers tags to Modbus masters",
    category: "protocol",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 20_971_520,
    isEssential: false,
    initial: "ready",
    providers: [],
  },
  {
    id: "opcuaclient",
    displayName: "OPC UA client",
    description: "Reads and writes nodes of OPC UA servers",
    category: "protocol",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 18_874_368,
    isEssential: false,
    initial: "ready",
    providers: ["opcua_client"],
  },
  {
    id: "datalogger",
    displayName: "Data logger",
    description: "Writes tag values to files",
    category: "data",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 9_437_184,
    isEssential: false,
    initial: "ready",
    providers: [],
  },
  {
    id: "edge-web",
    displayName: "Web console",
    description: "The gateway's own pages",
    category: "device",
    attributes: ["hide"],
    paid: false,
    imageSize: 31_457_280,
    isEssential: true,
    initial: "ready",
    providers: [],
  },
  {
    id: "tagservice",
    displayName: "Tag service",
    description: "Reads, writes and streams tags",
    category: "device",
    attributes: ["hide"],
    paid: false,
    imageSize: 15_728_640,
    isEssential: true,
    initial: "ready",
    providers: [],
  },
  {
    id: "opcuaserver",
    displayName: "OPC UA server",
    description: "Offers the tags to OPC UA clients",
    category: "protocol",
    attributes: ["openInSameTab"],
    paid: false,
    imageSize: 18_874_368,
    isEssential: false,
    initial: "stopped",
    providers: [],
  },
];
