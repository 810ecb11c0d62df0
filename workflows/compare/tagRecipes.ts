// Steps over virtual tags and their values.
import { maxTagDataSize, type TagDataType } from "../../interface/resources/tags.ts";
import type { Choices, Memory, Recipe, RememberedTag } from "./recipe.ts";

// Without `raw`: the interface does not show how its bytes are written.
const values: Readonly<Partial<Record<TagDataType, readonly unknown[]>>> = {
  uint8: [0, 1, 200, 255],
  uint16: [0, 7, 65_535],
  uint32: [0, 123_456, 4_294_967_295],
  uint64: [0, 9_007_199_254_740_993n, 18_446_744_073_709_551_615n],
  int8: [-128, 0, 127],
  int16: [-32_768, -1, 32_767],
  int32: [-2_147_483_648, 42, 2_147_483_647],
  int64: [-9_223_372_036_854_775_808n, 0, 9_223_372_036_854_775_807n],
  float: [0, 1.5, -0.25],
  double: [0, 0.1, -12_345.678],
  string: ["", "on", "Ventil Nº 4"],
  boolean: [true, false],
};
const types = Object.keys(values) as TagDataType[];
const accesses = ["rw", "rw", "rw", "r", "w"] as const;
const units = ["", "°C", "kWh"] as const;
// No smaller than the longest text above: the interface states no rule for longer ones.
const sizes = [0, 16, 64, maxTagDataSize] as const;

const place = { prvdName: { $profile: "tagProvider" }, srcName: { $profile: "tagSource" } } as const;
const source = { provider: { $profile: "tagProvider" }, source: { $profile: "tagSource" } } as const;

const isReady = ({ tags }: Memory): boolean => tags.length > 0;

function definition(choose: Choices, label: string, dataType: TagDataType): Record<string, unknown> {
  return {
    ...place,
    tagName: { $name: label },
    dataType,
    access: choose.pick(accesses),
    ...(choose.chance(50) ? { dataUnit: choose.pick(units) } : {}),
    ...(choose.chance(40) ? { dataSize: choose.pick(sizes) } : {}),
  };
}

export const tagRecipes: readonly Recipe[] = [
  {
    operation: "createVirtualTag",
    weight: 5,
    make(choose, memory) {
      const dataType = choose.pick(types);
      // Sometimes an existing tag, or a deleted one.
      const again = memory.tags.length > 0 && choose.chance(15) ? choose.pick(memory.tags) : undefined;
      const label = again?.label ?? memory.fresh("tag");
      if (again === undefined) memory.tags.push({ label, dataType });
      return { operation: "createVirtualTag", as: label, json: definition(choose, label, dataType) };
    },
  },
  {
    operation: "updateVirtualTag",
    weight: 4,
    isReady,
    make(choose, { tags }) {
      const tag = choose.pick(tags);
      if (choose.chance(40)) tag.dataType = choose.pick(types);
      return { operation: "updateVirtualTag", json: definition(choose, tag.label, tag.dataType) };
    },
  },
  {
    operation: "deleteVirtualTag",
    weight: 2,
    isReady,
    make: (choose, { tags }) => ({
      operation: "deleteVirtualTag",
      json: { ...place, tagName: { $name: choose.pick(tags).label } },
    }),
  },
  {
    operation: "writeTag",
    weight: 9,
    isReady,
    make(choose, { tags }) {
      const { label, dataType } = choose.pick(tags);
      return {
        operation: "writeTag",
        path: { ...source, tag: { $name: label } },
        json: { dataType, dataValue: choose.pick(values[dataType] ?? [0]) },
      };
    },
  },
  {
    operation: "readTag",
    weight: 8,
    isReady,
    make: (choose, { tags }) => ({
      operation: "readTag",
      path: { ...source, tag: nameOf(choose.pick(tags)) },
    }),
  },
  {
    operation: "monitorTags",
    weight: 3,
    isReady,
    make: (choose, { tags }) => ({
      operation: "monitorTags",
      path: source,
      query: { tags: nameOf(choose.pick(tags)) },
    }),
  },
  {
    operation: "listTags",
    weight: 3,
    lastLookAfter: ["createVirtualTag", "updateVirtualTag", "deleteVirtualTag"],
    make: () => ({ operation: "listTags" }),
  },
];

function nameOf({ label }: RememberedTag): { $name: string } {
  return { $name: label };
}
