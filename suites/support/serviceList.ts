import { type ServiceList, serviceGroups } from "../../interface/resources/services.ts";

/** The switches of the five stated groups; further groups are not compared. */
export function allServices(list: ServiceList): ServiceList["service"] {
  return serviceGroups.flatMap((group) => list[group]);
}
