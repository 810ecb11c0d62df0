// Words that arguments and options choose from, apart from their commands: a command is loaded when it is used.

export const listTopics = [
  "cases",
  "requirements",
  "operations",
  "faults",
  "variations",
  "points",
  "reports",
  "errors",
  "coverage",
] as const;

export const behaviourNames = ["counter", "ramp", "noise", "step", "trace"] as const;

export const powerActions = ["on", "off", "read"] as const;
