#!/usr/bin/env node
// Starts the program under Node 24, whichever Node this file was started with.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";

const NODE_MAJOR = "24";
const RELAUNCHED = "RACKPROOF_RELAUNCHED";
const EXIT_UNUSABLE = 2;

if (process.versions.node.split(".")[0] === NODE_MAJOR) {
  await startProgram();
} else {
  relaunch();
}

async function startProgram() {
  delete process.env[RELAUNCHED];
  silenceTypeStrippingWarning();
  // The published package carries JavaScript alone, because Node strips no types below node_modules.
  const packed = new URL("../dist/cli/main.js", import.meta.url);
  const source = new URL("../cli/main.ts", import.meta.url);
  await import((existsSync(source) ? source : packed).href);
}

// Early releases of Node 24 warn about a feature that this project relies on; other warnings stay.
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
      `rackproof runs on Node ${NODE_MAJOR}, this is ${process.version}, and the npm package "node" ` +
        "that brings the right one is not usable. Run npm ci in the folder of rackproof, " +
        `or start it with Node ${NODE_MAJOR}.`,
    );
    process.exitCode = EXIT_UNUSABLE;
    return;
  }
  const child = spawn(binary, process.argv.slice(1), {
    stdio: "inherit",
    env: { ...process.env, [RELAUNCHED]: "1" },
  });
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) {
    // A key such as Ctrl-C reaches the whole group already; passing it on would make it two.
    const fromKeyboard = atTerminal && (signal === "SIGINT" || signal === "SIGQUIT");
    process.on(signal, () => {
      if (!fromKeyboard) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(`rackproof could not start ${binary}: ${error.message}`);
    process.exit(EXIT_UNUSABLE);
  });
  child.on("exit", (code, signal) => {
    // A child that a signal ended is reported the way a shell reports it.
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
