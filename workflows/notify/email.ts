// E-mail over SMTP.
import { type Channel, type ChannelSurroundings, secretOf } from "./channel.ts";
import type { EmailEntry } from "./notifyFile.ts";

const defaultPorts = { starttls: 587, implicit: 465, none: 25 };
const answerWithinMs = 20_000;

export function emailChannel(entry: EmailEntry, surroundings: ChannelSurroundings): Channel {
  const { host, tls = "starttls", port = defaultPorts[tls], user, passwordVariable, from, to } = entry;
  const name = `e-mail ${host}:${port}`;
  const pass = passwordVariable === undefined ? undefined : secretOf(surroundings, passwordVariable, name);
  return {
    name,
    send: async ({ notice, title, lines }) => {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        host,
        port,
        secure: tls === "implicit",
        requireTLS: tls === "starttls",
        ignoreTLS: tls === "none",
        connectionTimeout: answerWithinMs,
        greetingTimeout: answerWithinMs,
        socketTimeout: answerWithinMs,
        ...(user === undefined || pass === undefined ? {} : { auth: { user, pass } }),
      });
      try {
        await transport.sendMail({
          from,
          to: [...to],
          subject: title,
          text: [...lines, ...(notice.page === undefined ? [] : ["", notice.page]), ""].join("\n"),
          // The same message again is the same e-mail.
          messageId: `<${notice.id}@rackproof>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } finally {
        transport.close();
      }
    },
  };
}
