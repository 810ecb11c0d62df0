// The way to the database of a fleet over TLS: only to a server whose certificate the address names.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { expect, test } from "vitest";
import { selfSigned } from "../suites/support/certificate.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { temporaryFolder } from "./support/commandLine.ts";
import { lacksPostgres, startPostgres } from "./support/postgres.ts";

const Connection = Type.Object({ ssl: Type.Boolean() });
const query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

test.skipIf(lacksPostgres())(
  "with sslmode=verify-full the database is reached over TLS, and a server with another certificate is not",
  async () => {
    await using folder = await temporaryFolder();
    const [own, other] = await Promise.all([
      selfSigned("127.0.0.1", Date.now()),
      selfSigned("127.0.0.1", Date.now()),
    ]);
    await using postgres = await startPostgres({ tls: own });
    const address = async (name: string, pem: string): Promise<string> => {
      const file = join(folder.path, name);
      await writeFile(file, pem);
      return `${postgres.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
    };
    const trusted = databaseAddress(await address("own.pem", own.certificatePem));
    await using database = await FleetDatabase.open(trusted);
    expect(await database.rows(Connection, query)).toEqual([{ ssl: true }]);
    expect(trusted.shown).not.toContain(postgres.password);
    const stranger = databaseAddress(await address("other.pem", other.certificatePem));
    await expect(FleetDatabase.open(stranger)).rejects.toThrow(/cannot be used \(.*certificate/);
  },
);

test.skipIf(lacksPostgres())("an address that demands TLS is refused by a server without it", async () => {
  await using postgres = await startPostgres();
  const demanding = databaseAddress(`${postgres.url}?sslmode=verify-full`);
  await expect(FleetDatabase.open(demanding)).rejects.toThrow("cannot be used");
});
