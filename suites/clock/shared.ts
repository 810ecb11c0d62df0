export const hourMs = 3_600_000;

/** Every case sets the clock of the whole gateway. */
export const shared = {
  group: "general",
  effect: "reboots",
  touches: ["everything"],
  equipment: ["time-server"],
  tags: ["clock"],
  alone: true,
  deadlineMs: 300_000,
} as const;
