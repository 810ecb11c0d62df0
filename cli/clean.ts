import { removeLeftovers } from "../rigs/index.ts";

/** Removes what killed campaigns left behind; answers the exit code. */
export async function clean(): Promise<number> {
  const removed = await removeLeftovers();
  for (const what of removed) process.stdout.write(`removed ${what}\n`);
  if (removed.length === 0) process.stdout.write("nothing was left behind\n");
  return 0;
}
