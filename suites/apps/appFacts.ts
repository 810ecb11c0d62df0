import type { App } from "../../interface/resources/apps.ts";

/** What two views of the same app must agree on: all that does not change by itself. */
export function appFacts({
  id,
  name,
  displayName,
  description,
  arch,
  category,
  version,
  license,
}: App): object {
  const { paid, type } = license;
  return { id, name, displayName, description, arch, category, version, license: { paid, type } };
}

/** What shows whether an app runs. */
export function appActivity({ attributes, desiredState, state, health }: App): object {
  return { attributes: attributes.toSorted(), desiredState, state, health };
}

/** What an app was told to be; unlike its state and health it does not waver. */
export function appWish({ name, desiredState, attributes }: App): object {
  return { name, desiredState, isStarted: attributes.includes("started") };
}
