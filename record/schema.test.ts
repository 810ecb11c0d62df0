import { readFile } from "node:fs/promises";
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { CampaignRecord } from "./campaign.ts";
import { SoakRecord } from "./soak.ts";

const shipped: readonly (readonly [string, string, TSchema])[] = [
  ["campaign.schema.json", "rackproof/campaign@1", CampaignRecord],
  ["soak.schema.json", "rackproof/soak@1", SoakRecord],
];

test.for(shipped)("the JSON Schema %s is that of the record", async ([file, title, schema]) => {
  const text = await readFile(new URL(`../docs/${file}`, import.meta.url), "utf8");
  expect(JSON.parse(text)).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...(JSON.parse(JSON.stringify(schema)) as object),
  });
});
