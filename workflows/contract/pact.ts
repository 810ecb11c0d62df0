// Writes one part of the contract with Pact: the harness's own client makes each call against Pact's mock server.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Type from "typebox";
import { operation } from "../../interface/operations/index.ts";
import {
  type CallBinding,
  GatewayConnection,
  type Profile,
  Recorder,
  buildPath,
  monotonicClock,
} from "../../harness/index.ts";
import { type ContractPart, type Interaction, Provided, inputsOf, mapProvided } from "./interaction.ts";
import type { Matchers, PactLibrary } from "./library.ts";
import { match, type MatchedBody } from "./matching.ts";
import { allowNull, readPactFile } from "./pactDocument.ts";

const provider = "Core 2.3.0 gateway";
const exampleToken = "token";
const anyJsonType = String.raw`^application/([^;]+\+)?json\s*(;.*)?$`;
const rejectedWrite = Type.Object({ message: Type.String() });
const maxAttempts = 5;
const exampleStatus = { success: 200, refusal: 400 } as const;

type Pact = InstanceType<PactLibrary["PactV4"]>;

/**
 * The part as a Pact file for a gateway with this profile; `recorded` gives the body that the reference gateway answered.
 * Throws an Error when the client's request is not the one that the contract states.
 */
export async function pactDocument(
  library: PactLibrary,
  part: ContractPart,
  interactions: readonly Interaction[],
  profile: Profile,
  recorded: ReadonlyMap<string, unknown>,
): Promise<object> {
  const dir = await mkdtemp(join(tmpdir(), "rackproof-pact-"));
  try {
    const consumer = `rackproof ${part}`;
    const pact = new library.PactV4({ consumer, provider, dir, logLevel: "error" });
    const nullable = new Map<string, readonly string[]>();
    for (const interaction of interactions) {
      const { description } = interaction;
      const body = answerBody(library.MatchersV3, interaction, recorded.get(description));
      await record(library, pact, interaction, profile, body?.template);
      nullable.set(description, body?.nullable ?? []);
    }
    return allowNull(await readPactFile(join(dir, `${consumer}-${provider}.json`)), nullable);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function record(
  { MatchersV3: matchers, HTTPResponseStatusClass: statusClass }: PactLibrary,
  pact: Pact,
  interaction: Interaction,
  profile: Profile,
  answer: unknown,
): Promise<void> {
  const { operation: id, description, states, query = {}, json, isAnonymous, status } = interaction;
  const call = profile.binding.get(id);
  if (call === undefined) throw new Error(`contract: no binding for ${id}`);
  const { path, parameters } = requestLine(matchers, call, interaction);
  const place = operation(id).group === "tags" ? profile.tagToken : profile.token;
  const expected = {
    success: matchers.matchStatus(exampleStatus.success, statusClass.Success),
    refusal: matchers.matchStatus(exampleStatus.refusal, statusClass.ClientError),
  };
  const describe = () =>
    states
      .reduce((one, state) => one.given(state), pact.addInteraction())
      .uponReceiving(description)
      .comment(`operation ${id}`)
      .withRequest(call.method, path, (request) => {
        request.query({
          ...parameters,
          ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
        });
        if (isAnonymous !== true)
          request.headers({
            [place.header]: matchers.fromProviderState(
              `${place.prefix}\${token}`,
              `${place.prefix}${exampleToken}`,
            ),
          });
        if (json !== undefined)
          request.jsonBody(
            mapProvided(json, ({ name, example }) => matchers.fromProviderState(`\${${name}}`, example)),
          );
      })
      .willRespondWith(typeof status === "number" ? status : expected[status], (response) => {
        if (answer === undefined) return;
        const contentType = matchers.regex(anyJsonType, "application/json");
        response.headers({ "Content-Type": contentType }).jsonBody(answer);
      });
  for (let attempt = 1; ; attempt += 1) {
    let isAnswered = false;
    try {
      await describe().executeTest(async ({ url }) => {
        await callMockServer(url, interaction, profile);
        isAnswered = true;
      });
      return;
    } catch (thrown) {
      // The mock server can report a request as missing although it has answered it.
      if (!isAnswered || attempt === maxAttempts) throw thrown;
    }
  }
}

/** The binding's path and query with a matcher for each part that a state provides. */
function requestLine(
  matchers: Matchers,
  call: CallBinding,
  { path = {} }: Interaction,
): {
  path: string | ReturnType<typeof matchers.fromProviderState<string>>;
  parameters: Record<string, string | ReturnType<typeof matchers.fromProviderState<string>>>;
} {
  const fill = (show: (value: Provided) => string | number): string =>
    buildPath(
      call.path,
      Object.fromEntries(
        Object.entries(path).map(([name, value]) => [name, value instanceof Provided ? show(value) : value]),
      ),
      undefined,
    );
  const [example = "", exampleQuery = ""] = fill((value) => value.example).split("?");
  const [expression = "", queryExpression = ""] = decodeURIComponent(
    fill((value) => `\${${value.name}}`),
  ).split("?");
  const either = (from: string, shown: string) =>
    from.includes("${") ? matchers.fromProviderState(from, shown) : shown;
  const shown = new URLSearchParams(exampleQuery);
  return {
    path: either(expression, example),
    parameters: Object.fromEntries(
      [...new URLSearchParams(queryExpression)].map(([name, value]) => [
        name,
        either(value, shown.get(name) ?? ""),
      ]),
    ),
  };
}

function answerBody(
  matchers: Matchers,
  { status, operation: id }: Interaction,
  recorded: unknown,
): MatchedBody | undefined {
  const isSuccess = status === "success" || status === 200;
  const schema = isSuccess ? operation(id).answer : id === "writeTag" ? rejectedWrite : undefined;
  return schema === undefined ? undefined : match(matchers, schema, recorded);
}

/** The harness's client calls Pact's mock server, which rejects a request that the contract does not state. */
async function callMockServer(url: string, interaction: Interaction, profile: Profile): Promise<void> {
  await using connection = new GatewayConnection({ kind: "remote", baseUrl: url }, profile, monotonicClock);
  const gateway = connection.view(new Recorder(), new AbortController().signal);
  const session = interaction.isAnonymous === true ? gateway.anonymous : gateway.withToken(exampleToken);
  const { status } = interaction;
  const answer = await session.callInvalid(interaction.operation, inputsOf(interaction));
  const expected = typeof status === "number" ? status : exampleStatus[status];
  if (answer.status !== expected)
    throw new Error(
      `${interaction.description}: expected ${expected} from Pact's mock server, found ${answer.summary()}`,
    );
}
