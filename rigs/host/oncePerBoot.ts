// What is measured once per boot of the host: the result is stored in a file and valid until the host boots again.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The stored text when `parse` accepts it, else what `measure` returns, which is stored. */
export async function oncePerBoot<T>(
  file: string,
  parse: (text: string) => T | undefined,
  measure: () => Promise<T>,
): Promise<T> {
  const bootId = (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
  const [knownBoot, ...known] = (await readFile(file, "utf8").catch(() => "")).split(" ");
  const stored = knownBoot === bootId ? parse(known.join(" ")) : undefined;
  if (stored !== undefined) return stored;
  const measured = await measure();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${bootId} ${typeof measured === "string" ? measured : JSON.stringify(measured)}`);
  return measured;
}
