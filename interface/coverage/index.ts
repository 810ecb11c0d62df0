// Every cell of Core 2.3.0, derived from the operations, resources, states and permissions.
import { actionCells } from "./actions.ts";
import { callCells } from "./calls.ts";
import type { Cell } from "./cell.ts";
import { listCells, streamCells } from "./lists.ts";
import { memberCells } from "./members.ts";
import { parameterCells } from "./parameters.ts";

export const cells: readonly Cell[] = [
  ...parameterCells,
  ...memberCells,
  ...listCells,
  ...streamCells,
  ...actionCells,
  ...callCells,
];

export const cellById: ReadonlyMap<string, Cell> = new Map(cells.map((one) => [one.id, one]));
