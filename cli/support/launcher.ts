/** The file that started this program; it starts each run of a night too. */
export function launcherFile(): string {
  const [, launcher] = process.argv;
  if (launcher === undefined) throw new Error("the launcher file is missing from the command line");
  return launcher;
}
