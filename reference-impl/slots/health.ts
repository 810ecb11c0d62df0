// The health check of a system that is tried: the gateway answers over HTTP, as its users reach it.
const answerWithinMs = 5000;

/** Where the gateway listens; a listener that is off has no port. */
export interface Listeners {
  readonly address: string;
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
}

/** Throws an Error when no answer comes; one with any status is an answer. */
export async function checkHealth({ address, httpPort, httpsPort }: Listeners): Promise<void> {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address;
  const url = httpPort === undefined ? `https://${host}:${httpsPort}/` : `http://${host}:${httpPort}/`;
  // The client takes a tenth of a boot to load, and most boots do not need it.
  const { Agent, request } = await import("undici");
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await request(url, { dispatcher: agent, headersTimeout: answerWithinMs });
    await body.dump();
  } finally {
    await agent.destroy();
  }
}
