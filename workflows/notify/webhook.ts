// The generic webhook: the notice as JSON, signed as "Standard Webhooks" 1.0 states, so that libraries of many languages
// verify it.
import { createHmac } from "node:crypto";
import { UsageError } from "../../record/index.ts";
import { type Channel, type ChannelSurroundings, hostOf, request, secretOf } from "./channel.ts";
import type { WebhookEntry } from "./notifyFile.ts";

const prefix = "whsec_";
const fewestBytes = 24;

export function webhookChannel(
  { url, secretVariable }: WebhookEntry,
  surroundings: ChannelSurroundings,
): Channel {
  const name = `webhook ${hostOf(url)}`;
  const secret = secretOf(surroundings, secretVariable, name);
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, "base64");
  if (key.length < fewestBytes)
    throw new UsageError(
      "NOTIFY_VARIABLE",
      `notify: ${name}: expected ${secretVariable} with the base64 form of at least ${fewestBytes} bytes`,
    );
  return {
    name,
    send: async ({ notice, title }) => {
      const body = JSON.stringify({ ...notice, title });
      const timestamp = String(Math.floor(surroundings.clock.epochMs() / 1000));
      await request(surroundings, {
        url,
        body,
        headers: {
          "webhook-id": notice.id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${signatureOf(key, notice.id, timestamp, body)}`,
        },
      });
    },
  };
}

function signatureOf(key: Buffer, id: string, timestamp: string, body: string): string {
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}
