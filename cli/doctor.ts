// `rackproof doctor`: checks this machine for everything that each kind of gateway needs, and names the remedy.
import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import picocolors from "picocolors";
import { type ArchitectureName, architectureNames } from "../interface/vocabulary/gatewayKinds.ts";
import { architectureOf, findEngine, findParts, isProgram, removeLeftovers } from "../rigs/index.ts";
import { oneLine } from "../reports/text/visibleText.ts";
import { leftByRuns } from "./support/leftByRuns.ts";
import { messageOf } from "../record/index.ts";

interface Finding {
  readonly what: string;
  /** Which parts of the product need it. */
  readonly neededFor: string;
  readonly isPresent: boolean;
  readonly found: string;
  readonly fix?: string;
}

/**
 * Prints the findings; returns 0 when the embedded gateway can run and the last run over each gateway restored its
 * state, 3 otherwise.
 */
export async function doctor(): Promise<number> {
  const findings = [
    await node(),
    await loopback(),
    await temporaryFolder(),
    await tool("socat", "serial lines without hardware"),
    await engine(),
    await tool("busybox", "emulated gateways", "busybox-static"),
    await tool("mke2fs", "emulated gateways", "e2fsprogs"),
    ...(await Promise.all(architectureNames.map(emulated))).flat(),
  ];
  for (const { what, neededFor, isPresent, found, fix } of findings) {
    const sign = isPresent ? picocolors.green("found:  ") : picocolors.yellow("missing:");
    const remedy = isPresent || fix === undefined ? "" : `. Fix: ${fix}`;
    process.stdout.write(`${sign} ${what}${found === "" ? "" : ` ${found}`} (${neededFor})${remedy}\n`);
  }
  const left = await removeLeftovers();
  for (const what of left) process.stdout.write(`removed leftover of an earlier run: ${what}\n`);
  const changed = await leftByRuns(".");
  for (const { folder, gateway, left: changes } of changed) {
    process.stdout.write(`${picocolors.yellow("changed:")} ${oneLine(gateway)} (by ${folder})\n`);
    for (const { what, from, to, case: caseId } of changes)
      process.stdout.write(`  ${oneLine(`${what}: before ${from}, now ${to} (${caseId})`)}\n`);
    process.stdout.write(
      `  Fix: set it back, then run one case over the gateway, such as --select declaration\n`,
    );
  }
  const canRun = findings.every((finding) => finding.isPresent || finding.neededFor !== "every campaign");
  return canRun && changed.length === 0 ? 0 : 3;
}

function node(): Promise<Finding> {
  const major = Number(process.versions.node.split(".")[0]);
  const advice = major >= 26 ? "serialport hangs on Node 26; " : "";
  return Promise.resolve({
    what: "Node 24",
    neededFor: "every campaign",
    isPresent: major === 24,
    found: process.version,
    fix: `${advice}npm ci, which installs Node 24 as the package "node"`,
  });
}

async function loopback(): Promise<Finding> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) =>
      server.once("error", reject).listen(0, "127.0.0.1", resolve),
    );
    return {
      what: "loopback",
      neededFor: "every campaign",
      isPresent: true,
      found: "127.0.0.1",
    };
  } catch (thrown) {
    return {
      what: "loopback",
      neededFor: "every campaign",
      isPresent: false,
      found: messageOf(thrown),
      fix: "ip link set lo up",
    };
  } finally {
    server.close();
  }
}

async function temporaryFolder(): Promise<Finding> {
  const isPresent = await access(tmpdir(), constants.W_OK).then(
    () => true,
    () => false,
  );
  return {
    what: "temporary folder",
    neededFor: "every campaign",
    isPresent,
    found: tmpdir(),
    fix: "set TMPDIR to a writable folder",
  };
}

async function engine(): Promise<Finding> {
  const facts = { what: "container engine", neededFor: "gateways in containers" };
  try {
    const { info } = await findEngine();
    return { ...facts, isPresent: true, found: `version ${info.containerRuntime.serverVersion}` };
  } catch {
    const fix = isProgram("dockerd") ? "dockerd" : "apt-get install docker.io, then dockerd";
    return { ...facts, isPresent: false, found: "", fix };
  }
}

/** What emulated gateways with this processor need. */
async function emulated(name: ArchitectureName): Promise<Finding[]> {
  const architecture = architectureOf(name);
  const neededFor = `emulated gateways, ${name}`;
  const emulator = await tool(architecture.emulator, neededFor, architecture.emulatorPackage);
  if (name === process.arch) return [emulator];
  const parts = { what: `parts of ${name} machines`, neededFor };
  try {
    const { kernel } = await findParts(architecture);
    return [emulator, { ...parts, isPresent: true, found: kernel.name }];
  } catch (thrown) {
    const [, fix = ""] = messageOf(thrown).split("Fix: ");
    return [emulator, { ...parts, isPresent: false, found: "", fix }];
  }
}

function tool(name: string, neededFor: string, packageName = name): Promise<Finding> {
  const isPresent = isProgram(name);
  return Promise.resolve({
    what: name,
    neededFor,
    isPresent,
    found: "",
    fix: `apt-get install ${packageName}`,
  });
}
