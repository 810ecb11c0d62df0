// Removes from a hostile request every part that is not needed to reproduce the fault.
import type { HostileRequest } from "./request.ts";
import { freedomOf, type HostileTarget } from "./target.ts";

const maxTries = 120;

/**
 * The smallest request found that `stillFails`. Parts that a target fixes for safety are never removed.
 */
export async function reduce(
  request: HostileRequest,
  target: HostileTarget,
  stillFails: (candidate: HostileRequest) => Promise<boolean>,
): Promise<HostileRequest> {
  let smallest = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < maxTries;) {
    isSmaller = false;
    for (const candidate of smallerOnes(smallest, target)) {
      tries += 1;
      if (tries > maxTries) break;
      if (!(await stillFails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerOnes(request: HostileRequest, target: HostileTarget): Generator<HostileRequest> {
  if (request.raw !== undefined) {
    const { raw } = request;
    for (let part = raw.length >> 1; part > 0; part >>= 1)
      yield { ...request, raw: raw.slice(0, raw.length - part) };
    return;
  }
  const { body, ...withoutBody } = request;
  const isAllFree = Object.values(target.freedom).every((freedom) => freedom === "free");
  if (body !== undefined && isAllFree) yield withoutBody;
  for (const index of request.headers.keys())
    yield { ...request, headers: request.headers.toSpliced(index, 1) };
  yield* withLessQuery(request, target);
  if (body !== undefined) for (const less of lessJson(body, target)) yield { ...request, body: less };
}

function* withLessQuery(request: HostileRequest, target: HostileTarget): Generator<HostileRequest> {
  const at = request.target.indexOf("?");
  if (at < 0) return;
  const path = request.target.slice(0, at);
  const parts = request.target.slice(at + 1).split("&");
  for (const [index, part] of parts.entries()) {
    if (freedomOf(target, part.split("=")[0] ?? "") === "fixed") continue;
    const kept = parts.toSpliced(index, 1).join("&");
    yield { ...request, target: kept === "" ? path : `${path}?${kept}` };
  }
}

/** The object without one of its members each; as text, because the body may be invalid JSON or lose its notation. */
function* lessJson(body: string, target: HostileTarget): Generator<string> {
  const object = /^\s*\{([\s\S]*)\}\s*$/.exec(body)?.[1];
  if (object === undefined) return;
  const members = splitMembers(object);
  for (const [index, member] of members.entries()) {
    if (freedomOf(target, nameOf(member)) === "fixed") continue;
    yield `{${members.toSpliced(index, 1).join(",")}}`;
  }
}

/** Cuts at the commas between members, not within strings, lists or objects. */
function splitMembers(object: string): string[] {
  const members: string[] = [];
  let start = 0;
  let depth = 0;
  for (const { 0: token, index } of object.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[[\]{},]/g)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (token === "," && depth <= 0) {
      members.push(object.slice(start, index));
      start = index + 1;
    }
  }
  const last = object.slice(start);
  return last.trim() === "" ? members : [...members, last];
}

/** The member's name as the request's own schema has it; its text where that cannot be read. */
function nameOf(member: string): string {
  const text = /^\s*("(?:[^"\\]|\\[\s\S])*")/.exec(member)?.[1] ?? '""';
  try {
    return String(JSON.parse(Buffer.from(text, "latin1").toString("utf8")));
  } catch {
    return text;
  }
}
