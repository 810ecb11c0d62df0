import { type ServiceList, serviceGroups } from "../../interface/resources/services.ts";

/** The switches of the five stated groups; a gateway may list more beside them, which is its own affair. */
export function allServices(list: ServiceList): ServiceList["service"] {
  return serviceGroups.flatMap((group) => list[group]);
}
