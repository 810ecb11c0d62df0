// A PostgreSQL server for one test: its own folder, its own port, gone at the end. The server refuses to run as root.
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import type { CertificateAndKey } from "../../suites/support/certificate.ts";
import { temporaryFolder } from "./commandLine.ts";

const required = new Set((process.env["RACKPROOF_REQUIRE"] ?? "").split(","));
const packages = "/usr/lib/postgresql";
const password = "fleet-Test-1";

/** Folder of the server's programs; undefined where the package is missing. */
function programs(): string | undefined {
  const versions = existsSync(packages) ? readdirSync(packages) : [];
  const folders = versions.toSorted((a, b) => Number(b) - Number(a)).map((one) => join(packages, one, "bin"));
  return folders.find((one) => existsSync(join(one, "initdb")));
}

/** Whether tests of a fleet must be left out. */
export function lacksPostgres(): boolean {
  return programs() === undefined && !required.has("postgres");
}

export interface Postgres extends AsyncDisposable {
  /** With the password of its only user. */
  readonly url: string;
  readonly password: string;
  /** A database of its own, for one test of several. */
  create(name: string): Promise<string>;
  /** Ends the server at once, as a failure of its host would; `start` begins it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface PostgresOptions {
  /** With a certificate it takes TLS connections too. */
  readonly tls?: CertificateAndKey;
  /** NAME=value, as in `postgresql.conf`. */
  readonly settings?: readonly string[];
}

export async function startPostgres({ tls, settings = [] }: PostgresOptions = {}): Promise<Postgres> {
  const bin = programs();
  if (bin === undefined) throw new Error(`no PostgreSQL below ${packages}`);
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const user = await unprivileged();
  const data = join(folder.path, "data");
  const passwordFile = join(folder.path, "password");
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password);
  if (user !== undefined)
    for (const path of [folder.path, data, passwordFile]) await chown(path, user.uid, user.gid);
  const tool = (name: string, ...words: string[]) =>
    execa(join(bin, name), words, { ...user, cwd: folder.path });
  const words = ["--auth=scram-sha-256", "--username=fleet", `--pwfile=${passwordFile}`, "--no-sync"];
  await tool("initdb", ...words, "--encoding=UTF8", "--locale=C", "-D", data);
  for (const [name, pem] of [
    ["server.crt", tls?.certificatePem],
    ["server.key", tls?.keyPem],
  ] as const)
    if (pem !== undefined) {
      await writeFile(join(data, name), pem, { mode: 0o600 });
      if (user !== undefined) await chown(join(data, name), user.uid, user.gid);
    }
  const port = await freePort();
  const ssl = tls === undefined ? "off" : "on";
  const all = ["listen_addresses=127.0.0.1", "fsync=off", `ssl=${ssl}`, ...settings];
  const options = `-p ${port} -k ${folder.path} ${all.map((one) => `-c ${one}`).join(" ")}`;
  const start = async (): Promise<void> =>
    void (await tool("pg_ctl", "-D", data, "-w", "-l", join(folder.path, "log"), "-o", options, "start"));
  const stop = async (): Promise<void> => void (await tool("pg_ctl", "-D", data, "-m", "immediate", "stop"));
  await start();
  stack.defer(() => stop().catch(() => undefined));
  const urlOf = (name: string): string => `postgres://fleet:${password}@127.0.0.1:${port}/${name}`;
  const whole = stack.move();
  return {
    url: urlOf("postgres"),
    password,
    create: async (name) => {
      await execa(join(bin, "createdb"), ["-h", "127.0.0.1", "-p", String(port), "-U", "fleet", name], {
        env: { PGPASSWORD: password },
      });
      return urlOf(name);
    },
    start,
    stop,
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** For root the user that the package has made, else the present one. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (option) => Number((await execa("id", [option, "postgres"])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error("no user postgres");
  return { uid, gid };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) =>
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    }),
  );
}
