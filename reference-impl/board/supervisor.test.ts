// The board with a real gateway on it: reboots, crashes, and an end that nobody can miss.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import request from "supertest";
import { expect, test } from "vitest";

const supervisorFile = fileURLToPath(new URL("supervisor.ts", import.meta.url));

async function startBoard(...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const board = spawn(process.execPath, [supervisorFile, "--state", folder, ...options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(board, "exit");
  const lines = createInterface({ input: board.stdout })[Symbol.asyncIterator]();
  /** Lines up to the first that begins so. */
  const linesUntil = async (start: string): Promise<string[]> => {
    const seen: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`no line ${start} came, only ${seen.join(" | ")}`);
      seen.push(value);
      if (value.startsWith(start)) return seen;
    }
  };
  return {
    board,
    exited,
    linesUntil,
    /** The HTTP port of the gateway that comes up next. */
    async ready(): Promise<number> {
      const line = (await linesUntil('{"ready":true')).at(-1) ?? "";
      return (JSON.parse(line) as { httpPort: number }).httpPort;
    },
    async [Symbol.asyncDispose]() {
      board.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Process id of the gateway on the board. */
function gatewayPid({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

/** Resolves when nothing listens on the port any more. */
async function portClosed(port: number): Promise<void> {
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    // The open connection ends with the process; only then is it worth trying again.
    socket.once("close", () => resolve(true));
    socket.resume();
  });
  if (isOpen) await portClosed(port);
}

test("a gateway that reboots or crashes is booted again on its port, and ends with the board", async () => {
  await using bench = await startBoard();
  const port = await bench.ready();
  const api = request(`http://127.0.0.1:${port}/api/v1`);
  const { body } = await api.post("/auth").send({ name: "admin", password: "admin@123" }).expect(200);
  const { token } = (body as { data: { token: string } }).data;
  const reboot = await api
    .put("/system/reboot")
    .set("Authorization", `Bearer ${token}`)
    .send({ now: true })
    .expect(200);
  const before = (reboot.body as { data: { lastBootAt: string } }).data.lastBootAt;

  expect(await bench.linesUntil("board: ")).toEqual([
    "gateway: rebooting: a user asked for a reboot",
    expect.stringMatching(/^board: reset, the gateway ended at \d+\.\d{3} ms$/),
  ]);
  expect(await bench.ready()).toBe(port);
  const after = await api.get("/system/reboot").set("Authorization", `Bearer ${token}`).expect(200);
  const { lastBootAt } = (after.body as { data: { lastBootAt: string } }).data;
  expect(Date.parse(lastBootAt)).toBeGreaterThan(Date.parse(before));

  process.kill(gatewayPid(bench.board), "SIGKILL");
  expect((await bench.linesUntil("board: ")).at(-1)).toMatch(
    /^board: the gateway ended by itself \(SIGKILL\) at \d+\.\d{3} ms; booting it again$/,
  );
  expect(await bench.ready()).toBe(port);

  bench.board.kill("SIGKILL");
  await portClosed(port);
}, 60_000);

test("wrong options end the board", async () => {
  await using bench = await startBoard("--http-port", "70000");
  expect(await bench.exited).toEqual([2, null]);
}, 20_000);
