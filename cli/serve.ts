import { startProcessGateway } from "../rigs/index.ts";
import { variationOptions, variationsOf } from "./support/target.ts";
import { makeAdminPassword } from "./support/referenceProfile.ts";
import { onInterrupt } from "./support/interrupt.ts";

export interface ServeOptions {
  readonly port: number;
  readonly httpsPort: number;
  readonly state?: string;
  /** Ids of variations, joined by commas. */
  readonly variation?: string;
}

/** Runs the reference gateway until interrupted; returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const variations = variationsOf("process", options);
  const given = process.env["RACKPROOF_PASSWORD"];
  const adminPassword = given ?? makeAdminPassword();
  using interrupted = onInterrupt();
  await using gateway = await startProcessGateway({
    adminPassword,
    httpPort: options.port,
    httpsPort: options.httpsPort,
    ...(options.state === undefined ? {} : { stateFolder: options.state }),
    gatewayOptions: variationOptions(variations),
  });
  const password =
    given === undefined
      ? `password ${adminPassword} (valid for this run; RACKPROOF_PASSWORD sets another)`
      : "the password in RACKPROOF_PASSWORD";
  process.stdout.write(
    [
      `Reference gateway: ${gateway.baseUrl}/api/v1`,
      `OpenAPI document: ${gateway.baseUrl}/api/v1/openapi.json`,
      `Sign in as admin with ${password}`,
      "Press Ctrl-C to stop.",
      "",
    ].join("\n"),
  );
  await new Promise<void>((resolve) =>
    interrupted.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  return 0;
}
