// A gateway of a rack without parts of its rig: `--without`, or after a failed check of its wires.
import { UsageError } from "../../record/index.ts";
import type { RackGateway } from "./rackFile.ts";

const plain = ["console", "power", "reset", "network"] as const;

/** Throws a UsageError for a part that the gateway does not have. */
export function without(gateway: RackGateway, parts: readonly string[]): RackGateway {
  return parts.reduce(withoutOne, gateway);
}

function withoutOne(gateway: RackGateway, part: string): RackGateway {
  const there = gateway.kind === "remote" ? partsOf(gateway) : [];
  if (gateway.kind !== "remote" || !there.includes(part))
    throw new UsageError(
      "RACK_WITHOUT",
      `--without ${part}: ${gateway.name} has ${there.length === 0 ? "no part that can be omitted" : `only ${there.join(", ")}`}`,
    );
  const left = { ...gateway };
  if (part === "console") {
    delete left.console;
    delete left.login;
  } else if (part === "power") delete left.power;
  else if (part === "reset") delete left.reset;
  else if (part === "network") delete left.network;
  else left.field = (gateway.field ?? []).filter(({ name }) => part !== `field ${name}`);
  return left;
}

function partsOf(gateway: RackGateway & { readonly kind: "remote" }): string[] {
  return [
    ...plain.filter((part) => gateway[part] !== undefined),
    ...(gateway.field ?? []).map(({ name }) => `field ${name}`),
  ];
}
