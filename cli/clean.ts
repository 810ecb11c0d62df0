import { removeLeftovers } from "../rigs/index.ts";

/** Removes processes, containers and folders that killed campaigns left; returns the exit code. */
export async function clean(): Promise<number> {
  const removed = await removeLeftovers();
  for (const what of removed) process.stdout.write(`removed ${what}\n`);
  if (removed.length === 0) process.stdout.write("nothing to remove\n");
  return 0;
}
