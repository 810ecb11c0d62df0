// `rackproof doctor`: what this machine has and lacks for each kind of gateway, and the command that mends it.
import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import picocolors from "picocolors";
import { findEngine, isProgram, removeLeftovers } from "../rigs/index.ts";
import { messageOf } from "../harness/index.ts";

interface Finding {
  readonly what: string;
  /** Which parts of the product need it. */
  readonly neededFor: string;
  readonly isThere: boolean;
  readonly found: string;
  readonly mend?: string;
}

/** Prints the findings; answers 0 when the embedded gateway can run, 3 otherwise. */
export async function doctor(): Promise<number> {
  const findings = [
    await node(),
    await loopback(),
    await temporaryFolder(),
    await tool("socat", "serial lines without hardware"),
    await engine(),
    await tool("qemu-system-x86_64", "emulated gateways", "qemu-system-x86"),
    await tool("busybox", "emulated gateways", "busybox-static"),
    await tool("mke2fs", "emulated gateways", "e2fsprogs"),
  ];
  for (const { what, neededFor, isThere, found, mend } of findings) {
    const sign = isThere ? picocolors.green("has  ") : picocolors.yellow("lacks");
    process.stdout.write(`${sign}  ${what.padEnd(18)} ${found} (for ${neededFor})\n`);
    if (!isThere && mend !== undefined) process.stdout.write(`       mend it with: ${mend}\n`);
  }
  const left = await removeLeftovers();
  for (const what of left) process.stdout.write(`removed what an earlier run left: ${what}\n`);
  return findings.every((finding) => finding.isThere || finding.neededFor !== "every campaign") ? 0 : 3;
}

function node(): Promise<Finding> {
  const major = Number(process.versions.node.split(".")[0]);
  const advice = major >= 26 ? "serialport stalls on Node 26; " : "";
  return Promise.resolve({
    what: "Node 24",
    neededFor: "every campaign",
    isThere: major === 24,
    found: process.version,
    mend: `${advice}npm ci (brings Node 24 as the package "node")`,
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
      isThere: true,
      found: "127.0.0.1 takes listeners",
    };
  } catch (thrown) {
    return {
      what: "loopback",
      neededFor: "every campaign",
      isThere: false,
      found: messageOf(thrown),
      mend: "ip link set lo up",
    };
  } finally {
    server.close();
  }
}

async function temporaryFolder(): Promise<Finding> {
  const isThere = await access(tmpdir(), constants.W_OK).then(
    () => true,
    () => false,
  );
  return {
    what: "temporary folder",
    neededFor: "every campaign",
    isThere,
    found: tmpdir(),
    mend: "set TMPDIR to a folder that can be written",
  };
}

async function engine(): Promise<Finding> {
  const facts = { what: "container engine", neededFor: "contained gateways" };
  try {
    const { info } = await findEngine();
    return { ...facts, isThere: true, found: `version ${info.containerRuntime.serverVersion}` };
  } catch {
    const mend = isProgram("dockerd") ? "dockerd" : "apt-get install docker.io, then dockerd";
    return { ...facts, isThere: false, found: "none answers", mend };
  }
}

function tool(name: string, neededFor: string, packageName = name): Promise<Finding> {
  const isThere = isProgram(name);
  return Promise.resolve({
    what: name,
    neededFor,
    isThere,
    found: isThere ? "is there" : "not on the PATH",
    mend: `apt-get install ${packageName}`,
  });
}
