// Which room may import which. A room that is not listed for another is out of its reach.
// Rigs start the reference gateway as a process, by file path, so nobody imports it.
const mayImport = {
  interface: [],
  "reference-impl": ["interface"],
  rigs: ["interface"],
  harness: ["rigs", "interface"],
  suites: ["harness", "rigs", "interface"],
  reports: ["harness/record", "interface"],
};

const rooms = Object.keys(mayImport);
const isTest = "\\.test\\.ts$";

const roomRules = rooms
  .filter((room) => room !== "harness")
  .map((room) => ({
    name: `${room}-imports`,
    comment: `${room} imports only from: ${[room, ...mayImport[room]].join(", ")}.`,
    severity: "error",
    from: { path: `^${room}/` },
    to: {
      path: `^(${rooms.join("|")})/`,
      pathNot: `^(${[room, ...mayImport[room]].join("|")})/`,
    },
  }));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: "harness-imports",
      comment: "Below the command line, harness imports only from harness, rigs and interface.",
      severity: "error",
      from: { path: "^harness/", pathNot: "^harness/cli/" },
      to: { path: "^(suites|reports|reference-impl)/" },
    },
    {
      name: "command-line-imports",
      comment: "The command line ties the rooms together, but reaches the gateway only through a rig.",
      severity: "error",
      from: { path: "^harness/cli/" },
      to: { path: "^reference-impl/" },
    },
    {
      name: "command-line-is-on-top",
      comment: "Nothing below the command line may know it.",
      severity: "error",
      from: { path: `^(${rooms.join("|")})/`, pathNot: "^harness/cli/" },
      to: { path: "^harness/cli/" },
    },
    {
      name: "rooms-stand-alone",
      comment: "Tests, benchmarks and tools use the rooms, never the reverse.",
      severity: "error",
      from: { path: `^(${rooms.join("|")})/`, pathNot: isTest },
      to: { path: `^(test|bench|tools|bin)/|${isTest}` },
    },
    {
      name: "no-development-packages",
      comment: "What ships must not need a package that only developers install.",
      severity: "error",
      from: { path: `^(${rooms.join("|")})/`, pathNot: isTest },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-cycles",
      comment: "A cycle means that two modules are one; merge them or move what they share.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "An import that resolves to nothing would slip past every other rule.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler interface for tools; without swc no .ts file would be read at all.
    parser: "swc",
    // Type-only imports are dependencies between rooms as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(node_modules/\\.|dist/|runs/|coverage/|\\.cache/)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
