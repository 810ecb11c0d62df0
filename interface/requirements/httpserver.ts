import type { Requirement } from "./requirement.ts";

const shared = { group: "httpserver", level: "stated", capability: "httpserver" } as const;
const resource = (field: string) => ({
  ...shared,
  place: `Resources, HTTP server configuration: ${field}`,
});
const partial = { ...shared, place: "Endpoints 2, Set configuration partially" };
const whole = { ...shared, place: "Endpoints 2, Set configuration" };
const published = { ...shared, level: "published", place: "Published binding, setHttpServer" } as const;

export const httpserverRequirements: readonly Requirement[] = [
  {
    id: "CORE-HTTP-01",
    ...resource("httpEnable"),
    statement: "`httpEnable` of the HTTP server configuration is a boolean.",
  },
  {
    id: "CORE-HTTP-02",
    ...resource("httpPort"),
    statement: "`httpPort` of the HTTP server configuration is an integer.",
  },
  {
    id: "CORE-HTTP-03",
    ...resource("httpsEnable"),
    statement: "`httpsEnable` of the HTTP server configuration is a boolean.",
  },
  {
    id: "CORE-HTTP-04",
    ...resource("httpsPort"),
    statement: "`httpsPort` of the HTTP server configuration is an integer.",
  },
  {
    id: "CORE-HTTP-05",
    ...resource("certFileName"),
    statement: "`certFileName` of the HTTP server configuration is a string.",
  },
  {
    id: "CORE-HTTP-06",
    ...resource("keyFileName"),
    statement: "`keyFileName` of the HTTP server configuration is a string.",
  },
  {
    id: "CORE-HTTP-07",
    ...shared,
    place: "Endpoints 2, Get configuration",
    statement: "`Get configuration` of the HTTP server returns its configuration in `data`.",
  },
  {
    id: "CORE-HTTP-08",
    ...partial,
    statement: "`Set configuration partially` of the HTTP server has the response of `Get configuration`.",
  },
  {
    id: "CORE-HTTP-09",
    ...partial,
    statement: "`Set configuration partially` of the HTTP server changes only the members that are sent.",
  },
  {
    id: "CORE-HTTP-10",
    ...resource("httpPort"),
    statement: "The gateway listens for HTTP on `httpPort` after it is set.",
  },
  {
    id: "CORE-HTTP-11",
    ...resource("httpsPort"),
    statement: "The gateway listens for HTTPS on `httpsPort` after it is set.",
  },
  {
    id: "CORE-HTTP-12",
    ...partial,
    statement: "HTTPS uses the certificate and the key that are sent as `cert` and `key`.",
  },
  {
    id: "CORE-HTTP-13",
    ...partial,
    statement:
      "Responses show `certFilename` and `keyFilename` as sent, in `certFileName` and `keyFileName`.",
  },
  {
    id: "CORE-HTTP-14",
    ...whole,
    statement: "`Set configuration` of the HTTP server has the response of `Get configuration`.",
  },
  {
    id: "CORE-HTTP-15",
    ...whole,
    statement: "HTTPS uses the certificate and the key that are sent as `certFile` and `keyFile`.",
  },
  {
    id: "CORE-HTTP-16",
    ...shared,
    place: "Resources, HTTP server configuration: input-only fields",
    statement: "No response contains the content of the certificate or of the key.",
  },
  {
    id: "CORE-HTTP-17",
    ...partial,
    statement:
      "`Set configuration partially` of the HTTP server stores no value of a wrong type, and changes no setting when it is rejected.",
  },
  {
    id: "CORE-HTTP-18",
    ...published,
    statement: "The gateway rejects a `certFile` whose name does not end in `.crt`, `.cer` or `.pem`.",
  },
  { id: "CORE-HTTP-19", ...published, statement: "The gateway rejects a `certFile` that is not PEM." },
  {
    id: "CORE-HTTP-20",
    ...resource("httpEnable"),
    statement: "The gateway stops listening for HTTP after `httpEnable` is set to false.",
  },
  {
    id: "CORE-HTTP-21",
    ...resource("httpsEnable"),
    statement: "The gateway stops listening for HTTPS after `httpsEnable` is set to false.",
  },
  {
    id: "CORE-HTTP-22",
    ...whole,
    statement: "`Set configuration` of the HTTP server stores the scalar fields as sent and applies them.",
  },
  {
    id: "CORE-HTTP-23",
    ...resource("certFileName, keyFileName"),
    statement: "`certFileName` and `keyFileName` in a request change no setting.",
  },
  {
    id: "CORE-HTTP-24",
    ...whole,
    statement: "The HTTP server configuration persists across a reboot.",
  },
  {
    id: "CORE-HTTP-25",
    ...published,
    statement:
      "The gateway accepts a `certFile` whose name ends in `.crt`, `.cer` or `.pem`, and a `keyFile` whose name ends in `.key`, `.pk` or `.pem`.",
  },
];
