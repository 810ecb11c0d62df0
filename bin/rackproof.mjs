#!/usr/bin/env node
// Starts the program under Node 24, whichever Node this file was started with.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { Socket } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const NODE_MAJOR = "24";
const RELAUNCHED = "RACKPROOF_RELAUNCHED";
const EXIT_UNUSABLE = 2;
const LIFELINE = 3;
const FORCED_END_MS = 10_000;

if (process.versions.node.split(".")[0] === NODE_MAJOR) {
  await startProgram();
} else {
  relaunch();
}

async function startProgram() {
  if (process.env[RELAUNCHED] !== undefined) endWithLauncher();
  delete process.env[RELAUNCHED];
  silenceTypeStrippingWarning();
  // Where Node keeps it by default; it spares this program and those it starts the stripping of types.
  process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache");
  module.enableCompileCache(process.env["NODE_COMPILE_CACHE"]);
  // The published package contains JavaScript only, because Node strips no types below node_modules.
  const packed = new URL("../dist/cli/main.js", import.meta.url);
  const source = new URL("../cli/main.ts", import.meta.url);
  await import((existsSync(source) ? source : packed).href);
}

// A launcher that is killed cannot pass anything on: its end of the pipe closes, and the program interrupts itself.
function endWithLauncher() {
  let lifeline;
  try {
    lifeline = new Socket({ fd: LIFELINE, readable: true, writable: false });
  } catch {
    return; // The variable came from elsewhere: no launcher, no pipe.
  }
  lifeline.once("close", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.kill(process.pid, "SIGTERM"), FORCED_END_MS).unref();
  });
  lifeline.on("error", () => lifeline.destroy());
  lifeline.resume();
  lifeline.unref();
}

// Early releases of Node 24 warn about type stripping, which this project relies on; other warnings stay.
function silenceTypeStrippingWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("Type Stripping is an experimental feature")) {
      emitWarning.call(process, warning, ...rest);
    }
  };
}

function relaunch() {
  const binary = findNode();
  if (binary === undefined || process.env[RELAUNCHED] !== undefined) {
    console.error(
      `rackproof: expected Node ${NODE_MAJOR}, found ${process.version} and no usable npm package "node". ` +
        `Fix: npm ci in the folder of rackproof, or start it with Node ${NODE_MAJOR}`,
    );
    process.exitCode = EXIT_UNUSABLE;
    return;
  }
  const child = spawn(binary, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, [RELAUNCHED]: "1" },
  });
  // A signal to the whole group reaches the program twice; the program counts signals within a second once.
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.stdio[LIFELINE]?.on("error", () => undefined);
  child.on("error", (error) => {
    console.error(`rackproof: cannot start ${binary}: ${error.message}`);
    process.exit(EXIT_UNUSABLE);
  });
  child.on("exit", (code, signal) => {
    // A child that a signal ended gets the exit code that a shell would give it.
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

function findNode() {
  const name = process.platform === "win32" ? "node/bin/node.exe" : "node/bin/node";
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}
