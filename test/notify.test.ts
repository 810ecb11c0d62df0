// People are notified through real servers of this machine: webhook, chats, GitHub's REST interface and SMTP.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import type { Notice } from "../record/index.ts";
import { noticeLines, noticeTitle } from "../reports/fleet/noticeText.ts";
import { openNotifier } from "../workflows/notify/notify.ts";
import { type NotifyFile, readNotifyFile } from "../workflows/notify/notifyFile.ts";
import { temporaryFolder } from "./support/commandLine.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Answers as the list says, `METHOD /path` first, else 200. */
async function receiver(answers: Readonly<Record<string, readonly (readonly [number, unknown])[]>> = {}) {
  const received: Received[] = [];
  const left = new Map(Object.entries(answers).map(([key, all]) => [key, [...all]]));
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(parts).toString("utf8") });
      const [status, body] = left.get(`${method} ${url.replace(/\?.*/, "")}`)?.shift() ?? [200, {}];
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const alert: Notice["alerts"][number] = {
  state: "alert",
  requirements: ["CORE-REBOOT-03"],
  gateways: ["berlin/left", "paris/right"].map((name) => ({
    name,
    lab: "x",
    labels: { model: "X" },
    firmware: "2.0",
  })),
  since: "2027-01-02T02:00:00.000Z",
  lastGood: "2027-01-01T02:00:00.000Z",
  reason: "expected <b>5 s</b>, found 9 s; @channel <!here> ``` [x](http://evil)",
};
const night: Notice = {
  format: "rackproof/notice@1",
  id: "0123456789abcdef",
  event: "night",
  source: "fleet",
  night: 12,
  startedAt: "2027-01-03T02:00:00.000Z",
  exitCode: 1,
  alerts: [alert],
  open: 1,
  page: "https://fleet.example/",
};
const cleared: Notice = { ...night, alerts: [{ ...alert, state: "clear" }], open: 0, exitCode: 0 };
const quiet: Notice = { ...night, alerts: [] };
const message = (notice: Notice) => ({ notice, title: noticeTitle(notice), lines: noticeLines(notice) });

/** The time of 1 January 2027; waiting is noted and takes no time. */
function surroundings(environment: Readonly<Record<string, string>>) {
  const waitedMs: number[] = [];
  const epochMs = Date.parse("2027-01-01T00:00:00.000Z");
  const clock = {
    nowMs: () => 0,
    epochMs: () => epochMs,
    delay: (ms: number) => Promise.resolve(void waitedMs.push(ms)),
  };
  return { environment, clock, waitedMs };
}

const secret = Buffer.from("0123456789abcdef0123456789abcdef").toString("base64");

test("the webhook is signed, and asked again while its server is busy", async () => {
  await using server = await receiver({
    "POST /hook": [
      [503, {}],
      [200, {}],
    ],
  });
  const { waitedMs, ...rest } = surroundings({ SECRET: `whsec_${secret}` });
  const notifier = openNotifier({ webhook: [{ url: `${server.url}/hook`, secretVariable: "SECRET" }] }, rest);
  expect(await notifier.tell(message(quiet))).toEqual([]);
  const [first] = await notifier.tell(message(night));
  expect(first).toEqual({ channel: `webhook ${new URL(server.url).host}` });
  expect(waitedMs).toHaveLength(1);
  expect(server.received).toHaveLength(2);
  for (const { body, headers } of server.received) {
    expect(JSON.parse(body)).toEqual({ ...night, title: noticeTitle(night) });
    expect(headers).toMatchObject({ "webhook-id": night.id, "webhook-timestamp": "1798761600" });
    const signed = createHmac("sha256", Buffer.from(secret, "base64"))
      .update(`${night.id}.1798761600.${body}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signed}`);
  }
});

test("a channel that rejects or does not answer is reported without its secrets, and the others are used", async () => {
  await using server = await receiver({ "POST /secret-path": [[403, {}]] });
  const away = await receiver();
  await away[Symbol.asyncDispose]();
  const file: NotifyFile = {
    chat: ["ONE", "TWO", "THREE"].map((urlVariable) => ({ kind: "slack" as const, urlVariable })),
  };
  const { waitedMs, ...rest } = surroundings({
    ONE: `${server.url}/secret-path`,
    TWO: `${away.url}/secret-path`,
    THREE: `${server.url}/good`,
  });
  const results = await openNotifier(file, rest).tell(message(night));
  expect(results.map(({ failure }) => failure === undefined)).toEqual([false, false, true]);
  expect(results[0]?.failure).toBe("expected 2xx, found 403");
  expect(waitedMs).toHaveLength(2);
  expect(JSON.stringify(results)).not.toContain("secret-path");
  expect(() => openNotifier(file, surroundings({}))).toThrow(
    expect.objectContaining({ code: "NOTIFY_VARIABLE" }),
  );
});

test("chats receive their own shapes, in which text of a gateway mentions nobody", async () => {
  await using server = await receiver();
  const kinds = ["slack", "mattermost", "teams"] as const;
  const file: NotifyFile = { chat: kinds.map((kind) => ({ kind, urlVariable: "URL" })) };
  await openNotifier(file, surroundings({ URL: `${server.url}/hook` })).tell(message(night));
  const bodies = server.received.map(({ body }) => JSON.parse(body) as { text?: string; type?: string });
  const slack = bodies.find(({ text }) => text?.includes("&lt;!here&gt;"))?.text;
  expect(slack).toContain("CORE-REBOOT-03 failed on 2 gateways (berlin/left and others)");
  expect(slack).toContain("(type X, firmware 2.0), since 2027-01-02, last good 2027-01-01");
  const mattermost = bodies.find(({ text }) => text?.startsWith("````"))?.text;
  expect(mattermost).not.toContain("@channel");
  const teams = JSON.stringify(bodies.find(({ type }) => type === "message"));
  expect(teams).toContain('"type":"RichTextBlock"');
  expect(teams).toContain("https://fleet.example/");
});

test("one issue is opened, commented and closed; a check is written for each night", async () => {
  const marker = "<!-- rackproof: fleet -->";
  await using server = await receiver({
    "GET /repos/me/firmware/issues": [
      [200, []],
      [200, [{ number: 7, body: `text ${marker}` }]],
    ],
    "POST /repos/me/firmware/issues": [[201, { number: 7 }]],
  });
  const entry = { repository: "me/firmware", tokenVariable: "TOKEN", api: server.url };
  const file: NotifyFile = { githubIssue: [entry], githubCheck: [{ ...entry, shaVariable: "SHA" }] };
  const notifier = openNotifier(file, surroundings({ TOKEN: "token-1", SHA: "a".repeat(40) }));
  for (const notice of [night, quiet, cleared])
    expect((await notifier.tell(message(notice))).every(({ failure }) => failure === undefined)).toBe(true);
  const issue = server.received.filter(({ path, method }) => path.includes("/issues") && method !== "GET");
  expect(issue.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /repos/me/firmware/issues",
    "POST /repos/me/firmware/issues/7/comments",
    "PATCH /repos/me/firmware/issues/7",
  ]);
  expect(JSON.parse(issue[0]?.body ?? "")).toMatchObject({
    labels: ["rackproof"],
    body: expect.stringMatching(/^````\nfailed: CORE-REBOOT-03[^]*````[^]*<!-- rackproof: fleet -->$/),
  });
  expect(JSON.parse(issue[2]?.body ?? "")).toMatchObject({ state: "closed" });
  const checks = server.received.filter(({ path }) => path.endsWith("/check-runs"));
  expect(checks.map(({ body }) => (JSON.parse(body) as { conclusion: string }).conclusion)).toEqual([
    "failure",
    "failure",
    "success",
  ]);
  expect(server.received.every(({ headers }) => headers.authorization === "Bearer token-1")).toBe(true);
});

test("an e-mail reaches its readers through a server with a password, and none without TLS where it is demanded", async () => {
  const mails: { readonly to: readonly string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      done(username === "me" && password === "word" ? null : new Error("wrong password"), { user: "me" }),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString("utf8"),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const entry = {
    host: "127.0.0.1",
    port,
    user: "me",
    passwordVariable: "PASSWORD",
    from: "rack@example.org",
    to: ["one@example.org", "two@example.org"],
  };
  try {
    const told = async (tls: "none" | "starttls", password: string) =>
      (
        await openNotifier({ email: [{ ...entry, tls }] }, surroundings({ PASSWORD: password })).tell(
          message(night),
        )
      )[0]?.failure;
    expect(await told("none", "word")).toBeUndefined();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(entry.to);
    expect(mails[0]?.text).toMatch(/^Subject: rackproof: CORE-REBOOT-03 failed on 2 gateways/m);
    expect(mails[0]?.text).toContain("Auto-Submitted: auto-generated");
    expect(await told("none", "wrong")).toMatch(/535/);
    expect(await told("starttls", "word")).toMatch(/STARTTLS/i);
    expect(mails).toHaveLength(1);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

test("a mistake in the file is named with line and field", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "notify.yaml");
  await writeFile(file, "alertAfter: 2\nchat:\n  - { kind: irc, urlVariable: URL }\n");
  await expect(readNotifyFile(file)).rejects.toMatchObject({
    code: "NOTIFY_FIELD",
    message: expect.stringMatching(/:3: .*kind/),
  });
});
