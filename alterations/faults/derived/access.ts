// Faults of permissions: one operation asks for another permission than the others of its kind.
import { defaultAuthorisation, type RequiredPermission } from "../../../interface/authorisation.ts";
import { operationIds } from "../../../interface/operations/index.ts";
import { observedPermissionIds } from "../../../interface/resources/roles.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

interface Other {
  readonly operator: string;
  readonly needs: RequiredPermission;
  readonly requirement: string;
  readonly what: string;
}

function others(id: (typeof operationIds)[number]): Other[] {
  const needed = defaultAuthorisation[id];
  if (needed === "none") return [];
  const open: Other = {
    operator: "needs-no-sign-in",
    needs: "none",
    requirement: "CORE-AUTH-18",
    what: `${id} needs no sign-in.`,
  };
  if (needed === "signed-in")
    return [
      open,
      {
        operator: "needs-a-permission",
        needs: "SYS_MAINTENANCE_RW",
        requirement: "CORE-AUTH-24",
        what: `${id} needs SYS_MAINTENANCE_RW.`,
      },
    ];
  const exchanged = observedPermissionIds.find((one) => one !== needed) ?? needed;
  return [
    open,
    {
      operator: "needs-no-permission",
      needs: "signed-in",
      requirement: "CORE-AUTH-23",
      what: `${id} needs only a sign-in.`,
    },
    {
      operator: "needs-the-other-permission",
      needs: exchanged,
      requirement: "CORE-AUTH-24",
      what: `${id} needs ${exchanged}.`,
    },
  ];
}

export const accessFaults: readonly Fault[] = operationIds.flatMap((id) =>
  others(id).map(({ operator, needs, requirement, what }) =>
    derived({
      operator,
      place: id,
      requirement,
      also: ["CORE-AUTH-18", "CORE-AUTH-19", "CORE-AUTH-23", "CORE-AUTH-24", "CORE-AUTH-35"],
      what,
      install: (at) => at.permission(id, needs),
    }),
  ),
);
