// The two meanings of "level": where a requirement comes from, and how deep a campaign goes.

/**
 * Where a requirement comes from. `stated`: the interface document states it, and it decides conformance.
 * `published`: only the published binding states it. `declared`: only a gateway's profile states it.
 */
export const requirementLevels = ["stated", "published", "declared"] as const;
export type RequirementLevel = (typeof requirementLevels)[number];

/** Campaign depth: how many repetitions and how long. */
export const campaignLevels = ["smoke", "nightly", "certification"] as const;
export type CampaignLevel = (typeof campaignLevels)[number];
export const defaultCampaignLevel: CampaignLevel = "nightly";
