/** The instant at which something expires; a day counts to its end in UTC. */
export function expiryMs(expires: string): number {
  return Date.parse(expires.includes("T") ? expires : `${expires}T23:59:59.999Z`);
}
