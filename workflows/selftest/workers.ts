// Worker processes, each with one task at a time: timing in one is not delayed by the work of another.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const endWithinMs = 2000;

export interface WorkerOptions {
  /** The program, which answers every message with one message. */
  readonly program: URL;
  readonly count: number;
  readonly deadlineMs: number;
}

/** Runs tasks on processes that are started on demand and end with it. */
export class Workers<Task, Result> implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #processes = new Set<ChildProcess>();
  #isOver = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Runs the tasks in their order; an Error stands for one whose worker ended or did not answer in time. */
  async run(tasks: readonly Task[], done: (task: Task, result: Result | Error) => void): Promise<void> {
    const queue = [...tasks];
    const work = async (): Promise<void> => {
      let worker: ChildProcess | undefined;
      for (let task = queue.shift(); task !== undefined && !this.#isOver; task = queue.shift()) {
        worker ??= this.#start();
        const result = await this.#ask(worker, task);
        if (result instanceof Error) {
          await this.#end(worker);
          worker = undefined;
        }
        done(task, result);
      }
      if (worker !== undefined) await this.#end(worker);
    };
    await Promise.all(Array.from({ length: Math.min(this.#options.count, tasks.length) }, work));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#processes].map((worker) => this.#end(worker)));
  }

  #start(): ChildProcess {
    const worker = fork(this.#options.program, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#processes.add(worker);
    worker.once("exit", () => this.#processes.delete(worker));
    return worker;
  }

  async #ask(worker: ChildProcess, task: Task): Promise<Result | Error> {
    const { deadlineMs } = this.#options;
    const { promise, resolve } = Promise.withResolvers<Result | Error>();
    const timer = setTimeout(() => resolve(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
    const onExit = (code: number | null): void =>
      resolve(new Error(`the worker ended with ${code ?? "a signal"}`));
    const onMessage = (message: unknown): void => resolve(message as Result);
    worker.once("exit", onExit).once("message", onMessage);
    worker.send(task as object);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      worker.off("exit", onExit).off("message", onMessage);
    }
  }

  async #end(worker: ChildProcess): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, "exit");
    // It removes what it started; the gateways of one that is killed end too, because their standard input closes.
    if (worker.connected) worker.disconnect();
    const late = setTimeout(() => worker.kill("SIGKILL"), endWithinMs);
    await ended;
    clearTimeout(late);
  }
}
