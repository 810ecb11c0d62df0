/** Every name that the suite makes begins with this; only what carries it is removed or changed for good. */
export const scratchPrefix = "rp-";
