// One request to an outlet, signed as its challenge demands: Basic, or Digest of RFC 7616 with MD5 or SHA-256.
import { createHash, randomBytes } from "node:crypto";
import { Agent } from "undici";
import { answerWithinMs } from "./driver.ts";

export interface OutletRequest {
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
}

export interface SignIn {
  readonly user: string;
  readonly password: string;
}

interface Answer {
  readonly statusCode: number;
  readonly text: string;
  readonly challenges: readonly string[];
}

/** The text of the answer. Throws an Error without the query of the URL, which may hold a password. */
export async function askOutlet(request: OutletRequest, signIn?: SignIn): Promise<string> {
  const first = await send(request);
  const signed = first.statusCode === 401 && signIn !== undefined;
  const answer = signed ? await send(request, authorization(first.challenges, request, signIn)) : first;
  if (answer.statusCode < 400) return answer.text;
  const { origin, pathname } = new URL(request.url);
  const why = answer.statusCode === 401 ? whyRejected(signIn) : "";
  throw new Error(`${origin}${pathname} answered ${answer.statusCode}${why}`);
}

function whyRejected(signIn: SignIn | undefined): string {
  return signIn === undefined
    ? ": it needs a password. Fix: set passwordEnvironment in the rack file"
    : `: it rejected user ${signIn.user} or the password`;
}

async function send(
  { url, method = "GET", body }: OutletRequest,
  authorizationHeader?: string,
): Promise<Answer> {
  await using stack = new AsyncDisposableStack();
  const agent = new Agent({ connect: { timeout: answerWithinMs } });
  stack.defer(() => agent.destroy());
  const { origin, pathname, search } = new URL(url);
  const answer = await agent.request({
    origin,
    path: pathname + search,
    method,
    body: body ?? null,
    // The whole answer, not only its beginning.
    signal: AbortSignal.timeout(answerWithinMs),
    ...(authorizationHeader === undefined ? {} : { headers: { authorization: authorizationHeader } }),
  });
  const challenge = answer.headers["www-authenticate"] ?? [];
  return {
    statusCode: answer.statusCode,
    text: await answer.body.text(),
    challenges: Array.isArray(challenge) ? challenge : [challenge],
  };
}

function authorization(challenges: readonly string[], request: OutletRequest, signIn: SignIn): string {
  const digests = challenges.filter((one) => /^digest /i.test(one)).map(membersOf);
  const digest = digests.find(({ algorithm }) => algorithm === "SHA-256") ?? digests[0];
  if (digest !== undefined) return digestAuthorization(digest, request, signIn);
  return `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString("base64")}`;
}

function membersOf(challenge: string): Record<string, string> {
  const members = challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g);
  return Object.fromEntries([...members].map(([, name = "", quoted, plain = ""]) => [name, quoted ?? plain]));
}

function digestAuthorization(
  { realm = "", nonce = "", qop, opaque, algorithm = "MD5" }: Record<string, string>,
  { url, method = "GET" }: OutletRequest,
  { user, password }: SignIn,
): string {
  const hash = (text: string): string =>
    createHash(algorithm.startsWith("SHA-256") ? "sha256" : "md5")
      .update(text)
      .digest("hex");
  const { pathname, search } = new URL(url);
  const uri = pathname + search;
  const cnonce = randomBytes(8).toString("hex");
  const count = "00000001";
  const secret = hash(`${user}:${realm}:${password}`);
  const asked = hash(`${method}:${uri}`);
  const response = hash(
    qop === undefined ? `${secret}:${nonce}:${asked}` : `${secret}:${nonce}:${count}:${cnonce}:auth:${asked}`,
  );
  const members = [
    `username="${user}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(qop === undefined ? [] : [`qop=auth, nc=${count}, cnonce="${cnonce}"`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ];
  return `Digest ${members.join(", ")}`;
}
