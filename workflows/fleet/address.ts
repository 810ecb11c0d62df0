// The address of a fleet's database, and its form without the password, the only one that is printed.
import { UsageError } from "../../record/index.ts";

export const databaseVariable = "RACKPROOF_DATABASE";

export interface DatabaseAddress {
  /** With the password; never printed. */
  readonly url: string;
  /** For messages. */
  readonly shown: string;
}

/** Reads `--database`, or RACKPROOF_DATABASE; throws a UsageError, which does not quote the address. */
export function databaseAddress(
  option: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseAddress {
  const url = option ?? environment[databaseVariable];
  if (url === undefined || url === "")
    throw new UsageError(
      "FLEET_DATABASE_MISSING",
      `fleet: expected --database URL or ${databaseVariable}, found neither`,
    );
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new UsageError(
      "FLEET_DATABASE_MISSING",
      `fleet: the address of the database cannot be read; expected postgres://USER:PASSWORD@HOST:PORT/NAME`,
    );
  const user = parsed.username === "" ? "" : `${parsed.username}@`;
  // Parameters are omitted: they may contain a password too.
  return { url, shown: `${parsed.protocol}//${user}${parsed.host}${parsed.pathname}` };
}
