// The container engine of this machine, found as Testcontainers finds it.
import type { ContainerRuntimeClient } from "testcontainers";

/** The engine's client; throws an Error with the remedy when none answers. */
export async function findEngine(): Promise<ContainerRuntimeClient> {
  // The library's own cleaner is a container that would have to be pulled; the ledger of leftovers replaces it.
  process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  const { getContainerRuntimeClient } = await import("testcontainers");
  try {
    return await getContainerRuntimeClient();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(
      `no container engine answers (${why}). Fix: install one (apt-get install docker.io), start it (dockerd), or set DOCKER_HOST`,
      { cause: thrown },
    );
  }
}

/** Whether an engine answers here. */
export function hasEngine(): Promise<boolean> {
  return findEngine().then(
    () => true,
    () => false,
  );
}
