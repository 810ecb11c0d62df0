// A challenge from the certifier to the run and back.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

test("a run takes its seed from a challenge, writes it into its log, and bears the class witnessed", async () => {
  await using folder = await temporaryFolder();
  const place = (name: string): string => join(folder.path, name);
  for (const name of ["certifier.key", "lab.key"]) await rackproof(["key", "new", place(name)]);
  const issue = ["challenge", "--key", place("certifier.key"), "--out", place("challenge.json")];
  const issued = JSON.parse((await rackproof([...issue, "--json"])).stdout) as {
    seed: number;
    nonce: string;
  };
  // A challenge under way is not overwritten.
  expect(await rackproof(issue)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("[CHALLENGE_NOT_WRITTEN]") as unknown,
  });

  const answer = ["--challenge", place("challenge.json")];
  const run = [
    "run",
    "process",
    "--select",
    "services/listed-once",
    "--level",
    "smoke",
    "--key",
    place("lab.key"),
  ];
  expect(await rackproof([...run, ...answer, "--seed", "7", "--out", place("other")])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`expected --seed ${issued.seed}, found 7. `) as unknown,
  });
  const { exitCode } = await rackproof([...run, ...answer, "--out", place("run")]);
  expect([exitCode, (await readCampaign(place("run"))).seed]).toEqual([0, issued.seed]);
  const [header = ""] = (await readFile(join(place("run"), "evidence.log"), "utf8")).split("\n");
  const envelope = JSON.parse(await readFile(place("challenge.json"), "utf8")) as { payload: string };
  expect(header).toContain(envelope.payload);

  const classReason = async (...words: string[]): Promise<string | undefined> => {
    const { stderr } = await rackproof(["certify", place("run"), ...words]);
    expect(stderr).toContain("[LEVEL]");
    return stderr.split("\n").find((line) => line.includes("[CLASS]"));
  };
  const own = ["--key", place("certifier.key")];
  expect(await classReason(...own, "--class", "witnessed")).toBeUndefined();
  expect(await classReason(...own, "--class", "lab")).toContain("is not in the trust file");
  expect(await classReason("--key", place("lab.key"), "--class", "witnessed")).toContain(
    "the challenge was not issued by the certifying key",
  );
});
