// Values as texts of a log: JSON that keeps bytes, big integers, maps, sets and what JSON has no word for.
import { HarnessFault, NotApplicable, Unmet } from "../outcome.ts";

type Tagged = readonly [tag: string, value: unknown];

const mark = "$rackproof";

function tagOf(value: unknown): Tagged | undefined {
  if (value === undefined) return ["undefined", 0];
  if (typeof value === "bigint") return ["bigint", String(value)];
  if (typeof value === "number" && !Number.isFinite(value)) return ["number", String(value)];
  if (value instanceof Uint8Array) return ["bytes", Buffer.from(value).toString("base64")];
  if (value instanceof Map) return ["map", [...value]];
  if (value instanceof Set) return ["set", [...value]];
  if (value instanceof Error)
    return [
      "error",
      {
        name: value.name,
        message: value.message,
        ...("reasonCode" in value ? { reasonCode: value.reasonCode } : {}),
        ...("code" in value ? { code: value.code } : {}),
      },
    ];
  return undefined;
}

export function encodeValue(value: unknown): string {
  return JSON.stringify(packed(value));
}

function packed(value: unknown): unknown {
  const tagged = tagOf(value);
  if (tagged !== undefined) return { [mark]: [tagged[0], packed(tagged[1])] };
  if (Array.isArray(value)) return value.map(packed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === "function" || inner === undefined ? [] : [[key, packed(inner)]],
    ),
  );
}

export function decodeValue(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !(mark in value)) return value;
    const [tag, inner] = value[mark] as Tagged;
    return unpacked(tag, inner);
  });
}

function unpacked(tag: string, inner: unknown): unknown {
  if (tag === "bigint") return BigInt(String(inner));
  if (tag === "number") return Number(inner);
  if (tag === "bytes") return Buffer.from(String(inner), "base64");
  if (tag === "map") return new Map(inner as [unknown, unknown][]);
  if (tag === "set") return new Set(inner as unknown[]);
  if (tag === "error") return errorOf(inner as { name: string; message: string });
  return undefined;
}

function errorOf({ name, message, ...more }: { name: string; message: string }): Error {
  const { reasonCode, code } = more as { reasonCode?: string; code?: string };
  if (name === "Unmet") return new Unmet(message, reasonCode as Unmet["reasonCode"]);
  if (name === "NotApplicable") return new NotApplicable(message, reasonCode as NotApplicable["reasonCode"]);
  if (name === "HarnessFault") return new HarnessFault(message, reasonCode as HarnessFault["reasonCode"]);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
