import type { App } from "../../interface/resources/apps.ts";

/** The members that two views of the same app must agree on: those that do not change by themselves. */
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

/** The members that show whether an app runs. */
export function appActivity({ attributes, desiredState, state, health }: App): object {
  return { attributes: attributes.toSorted(), desiredState, state, health };
}

/** The requested state of an app, which unlike state and health does not fluctuate. */
export function requestedState({ name, desiredState, attributes }: App): object {
  return { name, desiredState, isStarted: attributes.includes("started") };
}
