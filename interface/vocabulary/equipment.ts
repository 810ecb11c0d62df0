// Equipment around a gateway that a requirement or a case can need, beyond the gateway on a URL.
const equipment = [
  "clock",
  "field-devices",
  "impaired-line",
  "network",
  "power",
  "reset-button",
  "storage",
  "time-server",
] as const;
export type Equipment = (typeof equipment)[number];
