import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CampaignRecord } from "./campaign.ts";

test("the JSON Schema that ships is that of the record", async () => {
  const shipped: unknown = JSON.parse(
    await readFile(new URL("../docs/campaign.schema.json", import.meta.url), "utf8"),
  );
  expect(shipped).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "rackproof/campaign@1",
    ...(JSON.parse(JSON.stringify(CampaignRecord)) as object),
  });
});
