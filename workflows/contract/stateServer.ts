// State change URL for Pact verifiers: POST {state, action}, answered with the values of the state.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { Stage } from "./stage.ts";
import { isStateName, stateNames } from "./states.ts";
import { messageOf } from "../../record/index.ts";

const StateChange = Type.Object({
  state: Type.String(),
  action: Type.Optional(Type.Enum(["setup", "teardown"])),
});

interface StateServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves on loopback until it is disposed; port 0 takes a free one. Throws an Error when the port is not available. */
export async function serveStates(stage: Stage, port = 0): Promise<StateServer> {
  const change = async (request: IncomingMessage): Promise<object> => {
    const body: unknown = JSON.parse(await text(request));
    const problem = checker(StateChange)(body)[0];
    if (problem !== undefined)
      throw new Error(
        `state change ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
    const { state, action } = body as { state: string; action?: string };
    if (action === "teardown") {
      await stage.takeDown();
      return {};
    }
    // Verifiers send an empty name for an interaction without a state.
    if (state === "") return {};
    if (!isStateName(state)) throw new Error(`state ${state}: expected one of ${stateNames.join(", ")}`);
    return await stage.setUp(state);
  };
  const server = createServer((request, response) => {
    change(request).then(
      (values) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(values)),
      (thrown: unknown) => {
        response.writeHead(500).end(messageOf(thrown));
      },
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
