// GitHub, or a server with its REST interface: one issue while failures last, or a check of a commit for each night.
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { parseJson } from "../../record/index.ts";
import {
  type Channel,
  type ChannelSurroundings,
  hostOf,
  type Message,
  request,
  secretOf,
} from "./channel.ts";
import { fenced } from "./chat.ts";
import type { CheckEntry, IssueEntry } from "./notifyFile.ts";

const publicApi = "https://api.github.com";
const label = "rackproof";
const longestTitle = 200;

type Call = (method: "GET" | "POST" | "PATCH", path: string, body?: unknown) => Promise<string>;

function caller(
  { repository, tokenVariable, api = publicApi }: IssueEntry,
  surroundings: ChannelSurroundings,
): Call {
  const token = secretOf(surroundings, tokenVariable, `GitHub ${repository}`);
  return (method, path, body) =>
    request(surroundings, {
      url: `${api.replace(/\/$/, "")}/repos/${repository}${path}`,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

const Issues = Type.Array(
  Type.Object({ number: Type.Integer(), body: Type.Union([Type.String(), Type.Null()]) }),
);

/** Opened at the first alert, commented at each change, closed when no alert is left. */
export function issueChannel(entry: IssueEntry, surroundings: ChannelSurroundings): Channel {
  const call = caller(entry, surroundings);
  return {
    name: `GitHub issue in ${entry.repository} at ${hostOf(entry.api ?? publicApi)}`,
    send: async (message) => {
      const { notice, title } = message;
      if (notice.event === "test") return void (await call("GET", ""));
      const marker = `<!-- rackproof: ${notice.source.replaceAll(/[<>]|--/g, "_")} -->`;
      const open = readIssues(await call("GET", `/issues?state=open&labels=${label}&per_page=100`));
      const known = open.find(({ body }) => body?.includes(marker) === true);
      const body = `${bodyOf(message)}\n${marker}`;
      if (known === undefined) {
        if (notice.alerts.some(({ state }) => state === "alert"))
          await call("POST", "/issues", { title: title.slice(0, longestTitle), body, labels: [label] });
        return;
      }
      await call("POST", `/issues/${known.number}/comments`, { body });
      if (notice.open === 0)
        await call("PATCH", `/issues/${known.number}`, { state: "closed", state_reason: "completed" });
    },
  };
}

const conclusions: Readonly<Record<number, string>> = { 0: "success", 1: "failure" };

/** A check of the commit in the variable, for each night. */
export function checkChannel(entry: CheckEntry, surroundings: ChannelSurroundings): Channel {
  const call = caller(entry, surroundings);
  const name = `GitHub check in ${entry.repository} at ${hostOf(entry.api ?? publicApi)}`;
  const sha = secretOf(surroundings, entry.shaVariable, name);
  return {
    name,
    send: async (message) => {
      const { notice, title } = message;
      if (notice.event === "test") return void (await call("GET", ""));
      await call("POST", "/check-runs", {
        name: "rackproof night",
        head_sha: sha,
        external_id: notice.id,
        status: "completed",
        conclusion: conclusions[notice.exitCode ?? 3] ?? "neutral",
        output: { title: title.slice(0, longestTitle), summary: bodyOf(message) },
        ...(notice.page === undefined ? {} : { details_url: notice.page }),
      });
    },
  };
}

function bodyOf({ lines, notice }: Message): string {
  return [fenced(lines.join("\n")), ...(notice.page === undefined ? [] : [notice.page])].join("\n\n");
}

function readIssues(text: string): Static<typeof Issues> {
  const value: unknown = parseJson(text);
  const [problem] = checker(Issues)(value);
  if (problem !== undefined)
    throw new Error(
      `list of issues: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return value as Static<typeof Issues>;
}
