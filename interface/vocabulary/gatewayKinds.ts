/** Kinds of gateways that the harness starts for a run and ends with it: how the reference gateway is run. */
export const embeddedKinds = ["process", "container", "qemu"] as const;
export type EmbeddedKindName = (typeof embeddedKinds)[number];

export function isEmbeddedKind(kind: string): kind is EmbeddedKindName {
  return embeddedKinds.some((one) => one === kind);
}

/** Processors that the emulated gateway can have, named as Node names them. */
export const architectureNames = ["x64", "arm64"] as const;
export type ArchitectureName = (typeof architectureNames)[number];
