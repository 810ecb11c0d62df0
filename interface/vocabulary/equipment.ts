// Equipment around a gateway that a requirement or a case can need, beyond the gateway on a URL.
const equipment = ["clock", "field-devices", "network", "power", "reset-button", "storage"] as const;
export type Equipment = (typeof equipment)[number];
