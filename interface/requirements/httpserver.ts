import type { Requirement } from "./requirement.ts";

const shared = { group: "httpserver", level: "stated", capability: "httpserver" } as const;
const resource = { ...shared, place: "Resources: HTTP server configuration" };
const partial = { ...shared, place: "Endpoints 2, Set configuration partially" };
const whole = { ...shared, place: "Endpoints 2, Set configuration" };

export const httpserverRequirements: readonly Requirement[] = [
  { id: "CORE-HTTP-01", ...resource, statement: "The HTTP server configuration has a boolean httpEnable." },
  { id: "CORE-HTTP-02", ...resource, statement: "The HTTP server configuration has an integer httpPort." },
  { id: "CORE-HTTP-03", ...resource, statement: "The HTTP server configuration has a boolean httpsEnable." },
  { id: "CORE-HTTP-04", ...resource, statement: "The HTTP server configuration has an integer httpsPort." },
  { id: "CORE-HTTP-05", ...resource, statement: "The HTTP server configuration has a string certFileName." },
  { id: "CORE-HTTP-06", ...resource, statement: "The HTTP server configuration has a string keyFileName." },
  {
    id: "CORE-HTTP-07",
    ...shared,
    place: "Endpoints 2, Get configuration",
    statement: "Get configuration answers the HTTP server configuration under data.",
  },
  { id: "CORE-HTTP-08", ...partial, statement: "Setting partially answers as get does." },
  { id: "CORE-HTTP-09", ...partial, statement: "Setting one member leaves the others as they were." },
  {
    id: "CORE-HTTP-10",
    ...resource,
    statement: "After httpPort was set, the gateway listens for HTTP on that port.",
  },
  {
    id: "CORE-HTTP-11",
    ...resource,
    statement: "After httpsPort was set, the gateway listens for HTTPS on that port.",
  },
  {
    id: "CORE-HTTP-12",
    ...partial,
    statement: "A certificate and key given as cert and key are those that HTTPS then serves.",
  },
  {
    id: "CORE-HTTP-13",
    ...partial,
    statement: "certFilename and keyFilename given with them are answered as certFileName and keyFileName.",
  },
  { id: "CORE-HTTP-14", ...whole, statement: "Setting by a form answers as get does." },
  {
    id: "CORE-HTTP-15",
    ...whole,
    statement: "A certificate and key given as certFile and keyFile are those that HTTPS then serves.",
  },
  {
    id: "CORE-HTTP-16",
    ...resource,
    statement: "The contents of certificate and key are input only: no answer shows them.",
  },
  { id: "CORE-HTTP-17", ...partial, statement: "A value of a wrong type is refused and changes nothing." },
  {
    id: "CORE-HTTP-18",
    ...whole,
    level: "published",
    statement: "A certFile whose name has none of the suffixes .crt, .cer and .pem is refused.",
  },
  { id: "CORE-HTTP-19", ...whole, level: "published", statement: "A certFile that is not PEM is refused." },
  {
    id: "CORE-HTTP-20",
    ...resource,
    statement: "After httpEnable was set to false, the gateway no longer listens for HTTP.",
  },
  {
    id: "CORE-HTTP-21",
    ...resource,
    statement: "After httpsEnable was set to false, the gateway no longer listens for HTTPS.",
  },
  {
    id: "CORE-HTTP-22",
    ...whole,
    statement: "The scalar fields of the form are those that are read back, and take effect.",
  },
  {
    id: "CORE-HTTP-23",
    ...resource,
    statement: "certFileName and keyFileName are for answers only: sending them changes nothing.",
  },
];
