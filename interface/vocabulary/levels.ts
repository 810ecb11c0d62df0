// The two meanings of "level": where a requirement comes from, and how deep a campaign goes.

/**
 * Where a requirement comes from. `stated`: the interface document states it, and it decides conformance. `published`:
 * only the published binding states it. `declared`: the gateway's profile or the rack file states it. `recommended`: good
 * practice with a source that neither of them states; a gateway that does not follow it gets advice, never a failure.
 */
export const requirementLevels = ["stated", "published", "declared", "recommended"] as const;
export type RequirementLevel = (typeof requirementLevels)[number];

/** Campaign depth: how many repetitions and how long. */
export const campaignLevels = ["smoke", "nightly", "certification"] as const;
export type CampaignLevel = (typeof campaignLevels)[number];
export const defaultCampaignLevel: CampaignLevel = "nightly";
