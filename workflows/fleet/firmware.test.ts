// Another firmware for one turn: installed by a command, restored at the end, and after a kill by the next turn.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RackGateway } from "../../harness/index.ts";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { TurnFirmware } from "./firmware.ts";

const program = `
  const [file, version] = process.argv.slice(1);
  if (version === "broken") throw new Error("no image of broken");
  require("fs").writeFileSync(file, version);`;

async function lab(stack: AsyncDisposableStack) {
  const out = stack.use(await temporaryFolder()).path;
  const file = join(out, "installed");
  const gateway: RackGateway = {
    kind: "remote",
    name: "left/1",
    url: "http://192.0.2.1",
    profileFile: "p.yaml",
    install: { command: [process.execPath, "-e", program, file, "{firmware}"] },
  };
  const acts: string[] = [];
  const turn = (more: Partial<RackGateway> = {}): TurnFirmware =>
    new TurnFirmware({
      gateway: { ...gateway, ...more } as RackGateway,
      out,
      environment: {},
      lost: new AbortController().signal,
      act: (what) => acts.push(what),
    });
  const installed = (): Promise<string> => readFile(file, "utf8");
  const notes = (): Promise<string[]> => readdir(join(out, "firmware"));
  return { turn, installed, notes, acts };
}

test("the end of a turn restores the firmware, and leaves no note", async () => {
  await using stack = new AsyncDisposableStack();
  const { turn, installed, notes, acts } = await lab(stack);
  {
    await using firmware = turn();
    expect(await firmware.install("1.0", "2.0")).toBeUndefined();
    expect(await installed()).toBe("1.0");
  }
  expect(await installed()).toBe("2.0");
  expect(await notes()).toEqual([]);
  expect(acts).toEqual(["install 1.0", "installed 1.0", "install 2.0", "installed 2.0"]);
});

test("after a kill the next turn restores what was left", async () => {
  await using stack = new AsyncDisposableStack();
  const { turn, installed, notes } = await lab(stack);
  // Nothing is disposed: the process was killed.
  await turn().install("1.0", "2.0");
  expect(await turn().restore()).toBeUndefined();
  expect(await installed()).toBe("2.0");
  expect(await notes()).toEqual([]);
  expect(await turn().restore()).toBeUndefined();
});

test("a firmware that cannot be restored is reported until it can", async () => {
  await using stack = new AsyncDisposableStack();
  const { turn, notes } = await lab(stack);
  await turn().install("1.0", "broken");
  expect(await turn().restore()).toMatch(/^firmware broken was not installed: .*; noted in .*left%2F1/);
  expect(await turn({ install: undefined } as never).restore()).toMatch(/has no install for left\/1/);
  expect(await notes()).toEqual(["left%2F1"]);
});
