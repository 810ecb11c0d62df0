import { expect, test } from "vitest";
import { cellById } from "../interface/coverage/index.ts";
import type { OperationId } from "../interface/operations/index.ts";
import { publishedBinding } from "../interface/binding.ts";
import type { CallName, Exchange, Verdict } from "../record/index.ts";
import type { Profile } from "../harness/profile/profile.ts";
import { Answer } from "../harness/transport/answer.ts";
import { observeCase, observeShapes } from "./observe.ts";
import { CaseTrace } from "./trace.ts";

const binding: Profile["binding"] = new Map(
  Object.entries(publishedBinding).map(([id, one]) => [
    id as OperationId,
    { ...one, served: true, permission: "none", media: "json" },
  ]),
);

interface Traffic {
  readonly method?: string;
  readonly path: string;
  readonly json?: unknown;
  readonly status?: number;
  readonly body?: unknown;
  readonly session?: string;
}

class Case {
  readonly trace = new CaseTrace();
  readonly answers: Answer<OperationId>[] = [];
  #number = 0;

  call(
    operation: OperationId,
    { method = "GET", path, json, status = 200, body = {}, session = "admin" }: Traffic,
  ): Answer {
    this.#number += 1;
    const text = JSON.stringify(body);
    const exchange: Exchange = {
      number: this.#number,
      operation: operation satisfies CallName,
      session,
      startedMs: 0,
      durationMs: 1,
      request: {
        method,
        url: `http://gateway${path}`,
        headers: {},
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      },
      answer: { status, headers: {}, body: text, bodyBytes: text.length },
    };
    const answer = new Answer(operation, exchange, status, {}, Buffer.from(text));
    this.trace.exchanged(exchange, answer);
    this.answers.push(answer);
    return answer;
  }

  check(
    requirement: string,
    observed: unknown,
    what = "value",
    verdict: Verdict = "pass",
    evidence?: Answer,
  ): void {
    this.trace.checked({ requirement, verdict, what, observed, evidence: evidence?.exchange.number });
  }

  async cells(...declared: string[]): Promise<string[]> {
    return [...(await observeCase(this.trace, { binding }, declared))]
      .filter((id) => cellById.has(id))
      .toSorted();
  }
}

const ssh = (port: number, enable = true): { data: unknown } => ({ data: { enable, port } });

function portCase(verdict: Verdict, isRead = true): Case {
  const made = new Case();
  void made.call("getSsh", { path: "/system/ssh", body: ssh(22) }).json;
  made.call("setSsh", {
    method: "PUT",
    path: "/system/ssh",
    json: { enable: true, port: 30_444 },
    body: ssh(30_444),
  });
  const after = made.call("getSsh", { path: "/system/ssh", body: ssh(30_444) });
  const observed: unknown = isRead ? after.json : { data: { port: 30_444 } };
  made.check("CORE-SERVICE-27", observed, "SSH configuration", verdict);
  return made;
}

test("a value that is written, read back and compared is observed after its write, and its sibling as unchanged", async () => {
  const cells = await portCase("pass").cells();
  expect(cells.filter((id) => id.startsWith("member/"))).toEqual([
    "member/getSsh.enable/unchanged-by:setSsh",
    "member/getSsh.port/after-write:setSsh",
  ]);
  expect(cells.filter((id) => id.startsWith("param/"))).toEqual([
    "param/setSsh.enable/value:true",
    "param/setSsh.port/value",
  ]);
});

test("a failed check observes what a passed one does", async () => {
  expect(await portCase("fail").cells()).toEqual(await portCase("pass").cells());
});

test.each<Verdict>(["not-applicable", "inconclusive"])(
  "a check that is %s observes no cell",
  async (verdict) => {
    expect(await portCase(verdict).cells("member/getSsh.port/after-reboot")).toEqual([]);
  },
);

test("an answer that the case did not read is not observed", async () => {
  expect(await portCase("pass", false).cells()).not.toContain("member/getSsh.port/after-write:setSsh");
});

test("a value that was there before is not observed as written", async () => {
  const made = new Case();
  void made.call("getSsh", { path: "/system/ssh", body: ssh(22) }).json;
  made.call("setSsh", {
    method: "PUT",
    path: "/system/ssh",
    json: { enable: true, port: 22 },
    body: ssh(22),
  });
  const after = made.call("getSsh", { path: "/system/ssh", body: ssh(22) });
  made.check("CORE-SERVICE-27", after.json);
  expect(await made.cells()).not.toContain("member/getSsh.port/after-write:setSsh");
});

test("a check that was made before the answer does not see it", async () => {
  const made = portCase("not-applicable");
  const early = new Case();
  early.check("CORE-SERVICE-27", ssh(30_444));
  early.trace.exchanges.push(...made.trace.exchanges);
  expect(await early.cells()).toEqual([]);
});

test("reboot, reset and applied configuration each lend their own cell to a written value", async () => {
  const after = async (happens: (made: Case) => void): Promise<string[]> => {
    const made = portCase("pass");
    happens(made);
    const later = made.call("getSsh", { path: "/system/ssh", body: ssh(30_444) });
    made.check("CORE-SERVICE-31", later.json, "SSH configuration");
    const cells = await made.cells();
    return cells.filter((id) => id.startsWith("member/getSsh.port/after-") && !id.includes("after-write"));
  };
  const reset = (scopes: string) => (made: Case) =>
    void made.call("resetToDefault", { method: "PUT", path: `/system/default?${scopes}` });
  expect(await after((made) => made.trace.restarted())).toEqual(["member/getSsh.port/after-reboot"]);
  expect(await after(reset("scopes=sshserver"))).toEqual(["member/getSsh.port/after-reset:sshserver"]);
  expect(await after(reset("scopes=log&scopes=upgrade"))).toEqual(["member/getSsh.port/after-reset:other"]);
  expect(await after(reset("scopes=all"))).toEqual(["member/getSsh.port/after-reset:all"]);
  expect(await after(() => undefined)).toEqual([]);
});

test("filters, pairs and pages of a list are observed by the request and a check of its answer", async () => {
  const made = new Case();
  const page = made.call("getEvents", {
    path: "/events?severities=alert,info&categories=rp&offset=300&sort=asc",
    body: {
      count: 2,
      data: [{ message: "number 1" }, { message: "number 2" }],
      limit: 100,
      offset: 300,
      total: 420,
    },
  });
  void page.json;
  made.check("CORE-EVENT-25", ["number 1", "number 2"]);
  made.check("CORE-EVENT-15", 420, "`total`", "pass", page);
  expect((await made.cells()).filter((id) => id.startsWith("list/"))).toEqual([
    "list/getEvents/far-offset",
    "list/getEvents/filter:categories",
    "list/getEvents/filter:severities",
    "list/getEvents/order:time/asc",
    "list/getEvents/pairs:categories+severities",
    "list/getEvents/several:severities",
    "list/getEvents/total",
    "list/getEvents/total:categories",
    "list/getEvents/total:severities",
  ]);
});

test("a rejected value is observed as wrong only by a requirement of rejection", async () => {
  const rejected = async (requirement: string): Promise<string[]> => {
    const made = new Case();
    const answer = made.call("getEvents", { path: "/events?order=size", status: 400 });
    made.check(requirement, undefined, "answer of getEvents", "pass", answer);
    return made.cells();
  };
  expect(await rejected("CORE-EVENT-30")).toEqual(["param/getEvents.order/wrong-type"]);
  expect(await rejected("CORE-EVENT-16")).toEqual([]);
  // The caller was rejected, whatever the value was.
  expect(await rejected("CORE-AUTH-18")).toEqual(["call/getEvents/caller:anonymous"]);
});

test("callers are distinguished by the requirement of the check", async () => {
  const made = new Case();
  const answer = made.call("listUsers", { path: "/users", status: 403, session: "someone" });
  made.check("CORE-AUTH-23", undefined, "answer of listUsers", "pass", answer);
  expect(await made.cells()).toEqual(["call/listUsers/caller:without-permission"]);
});

test("the judged shapes of answers observe the types of their members", async () => {
  const made = new Case();
  made.call("getSsh", { path: "/system/ssh", body: ssh(22) });
  made.call("getUser", {
    path: "/users/1",
    body: { data: { email: null, expiredAfter: "2030-01-01T00:00:00Z" } },
  });
  const found = [...(await observeShapes(made.answers))].filter((id) => cellById.has(id));
  expect(found.toSorted()).toEqual([
    "member/getSsh.enable/type",
    "member/getSsh.port/type",
    "member/getUser.email/type",
    "member/getUser.expiredAfter/type",
    "member/getUser.expiredAfter/type:not-null",
  ]);
});

test("cells that a case declares count with a decided check only", async () => {
  const made = portCase("pass");
  expect(await made.cells("stream/getEvents.event/end")).toContain("stream/getEvents.event/end");
});
