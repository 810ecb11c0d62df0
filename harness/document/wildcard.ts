/** Whether the text fits a pattern in which `*` matches any characters. */
export function fitsPattern(text: string, pattern: string): boolean {
  if (!pattern.includes("*")) return text === pattern;
  return new RegExp(`^${pattern.split("*").map(escape).join(".*")}$`).test(text);
}

function escape(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}
