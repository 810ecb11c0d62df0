/** Every name that the suite makes begins with this; only things with this prefix are removed or changed permanently. */
export const scratchPrefix = "rp-";
