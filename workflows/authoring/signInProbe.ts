// Finds how a gateway accepts a sign-in and its token: path prefix, headers, lifetime.
import {
  type Clock,
  GatewayConnection,
  type GatewayUnderTest,
  type Profile,
  Recorder,
  parseProfile,
} from "../../harness/index.ts";
import { publishedPathPrefix } from "../../interface/binding.ts";
import type { TokenPlace } from "./findings.ts";
import { UsageError } from "../../record/index.ts";

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

export interface SignInFound {
  readonly pathPrefix: string;
  readonly tagPathPrefix: string;
  readonly token: TokenPlace;
  readonly tagToken: TokenPlace;
  readonly tokenLifetimeSec: number | undefined;
}

const prefixes = ["/api/v1", "", "/api", "/v1"];
const places: readonly TokenPlace[] = [
  { header: "authorization", prefix: "Bearer " },
  { header: "mx-api-token", prefix: "" },
  { header: "authorization", prefix: "" },
];

/** A profile with the defaults except for the given values; sufficient for calls. */
export function provisionalProfile(credentials: Credentials, binding: object): Profile {
  const document = { name: "provisional", credentials, binding };
  return parseProfile(JSON.stringify(document), "provisional", { environment: {} });
}

/** The gateway as for a case, without a record. */
export function viewOf(connection: GatewayConnection): GatewayUnderTest {
  return connection.view(new Recorder(), new AbortController().signal);
}

/** Signs in and finds the header of the token. Throws a UsageError that names the attempts. */
export async function probeSignIn(url: string, credentials: Credentials, clock: Clock): Promise<SignInFound> {
  const tried: string[] = [];
  for (const pathPrefix of prefixes) {
    await using connection = new GatewayConnection(
      { kind: "remote", baseUrl: url },
      provisionalProfile(credentials, { pathPrefix }),
      clock,
    );
    const { anonymous } = viewOf(connection);
    const answer = await anonymous.call("signIn", { json: { ...credentials, acceptEULA: true } });
    if (answer.status === 404) {
      tried.push(`${pathPrefix}/auth`);
      continue;
    }
    if (!answer.accepted) {
      throw new UsageError(
        answer.status === 0 ? "GATEWAY_SILENT" : "SIGN_IN_REFUSED",
        `gateway ${url}: sign-in as ${credentials.name} failed: ${answer.summary()}`,
      );
    }
    const token = tokenIn(answer.json);
    if (token === undefined) {
      throw new UsageError(
        "SIGN_IN_UNREADABLE",
        `gateway ${url}: sign-in succeeded; expected data.token in the answer, found none`,
      );
    }
    const carries = async ({ header, prefix }: TokenPlace): Promise<boolean> =>
      (await anonymous.callInvalid("getCurrentUser", { headers: { [header]: prefix + token } })).accepted;
    return {
      pathPrefix,
      token: await firstThat(places, carries),
      ...(await probeTags(url, { credentials, clock, pathPrefix, token })),
      tokenLifetimeSec: lifetimeOf(token),
    };
  }
  throw new UsageError(
    "SIGN_IN_NOT_FOUND",
    `gateway ${url}: expected sign-in at one of ${tried.join(", ")}, found none`,
  );
}

/** The stated prefix of the tag service and the header for tags come first; then what the other groups have. */
async function probeTags(
  url: string,
  {
    credentials,
    clock,
    pathPrefix,
    token,
  }: {
    readonly credentials: Credentials;
    readonly clock: Clock;
    readonly pathPrefix: string;
    readonly token: string;
  },
): Promise<Pick<SignInFound, "tagPathPrefix" | "tagToken">> {
  const tagPlaces = [...places.slice(1, 2), ...places];
  for (const tagPathPrefix of new Set([publishedPathPrefix, pathPrefix])) {
    const profile = provisionalProfile(credentials, { pathPrefix, tagPathPrefix });
    await using connection = new GatewayConnection({ kind: "remote", baseUrl: url }, profile, clock);
    const { anonymous } = viewOf(connection);
    for (const tagToken of tagPlaces) {
      const headers = { [tagToken.header]: tagToken.prefix + token };
      if ((await anonymous.callInvalid("listTags", { headers })).accepted) return { tagPathPrefix, tagToken };
    }
  }
  return { tagPathPrefix: publishedPathPrefix, tagToken: { header: "mx-api-token", prefix: "" } };
}

function tokenIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("data" in body)) return undefined;
  const { data } = body;
  if (typeof data !== "object" || data === null || !("token" in data)) return undefined;
  return typeof data.token === "string" && data.token !== "" ? data.token : undefined;
}

/** The first that succeeds; without one, the first of them. */
async function firstThat(
  candidates: readonly TokenPlace[],
  does: (place: TokenPlace) => Promise<boolean>,
): Promise<TokenPlace> {
  for (const place of candidates) if (await does(place)) return place;
  const [first] = candidates;
  if (first === undefined) throw new Error("no place was given");
  return first;
}

/** Seconds between the issue and the end that a JWT names; undefined when it names none. */
export function lifetimeOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof claims !== "object" || claims === null || !("exp" in claims) || !("iat" in claims))
      return undefined;
    const lifetimeSec = Number(claims.exp) - Number(claims.iat);
    return Number.isInteger(lifetimeSec) && lifetimeSec > 0 ? lifetimeSec : undefined;
  } catch {
    return undefined;
  }
}
