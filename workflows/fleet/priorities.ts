/** Who is served first; a night takes what nobody waits for. */
export const priorities = ["person", "ci"] as const;
export type Priority = (typeof priorities)[number];
