// Takes away from a hostile request whatever is not needed to show the same fault again.
import { bytesOf, type HostileRequest } from "./request.ts";
import { freedomOf, type HostileTarget } from "./target.ts";

const maxTries = 120;

/**
 * The smallest request found that `stillFails`. What a target sends as it is for safety's sake is never taken away.
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

function* lessJson(body: string, target: HostileTarget): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch {
    return;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const members = Object.entries(value);
  for (const [index, [name]] of members.entries()) {
    if (freedomOf(target, name) === "fixed") continue;
    const kept: [string, unknown][] = members.toSpliced(index, 1);
    yield bytesOf(JSON.stringify(Object.fromEntries(kept)));
  }
}
