// The coverage of a run: which cells of the interface its checks observed.
import Type, { type Static } from "typebox";

const Count = Type.Integer({ minimum: 0 });

/** Cells as kind -> subject -> aspects; the id of a cell is `<kind>/<subject>/<aspect>`. */
const Cells = Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.String())));

const Tally = Type.Object({ id: Type.String(), all: Count, observed: Count });

export const CoverageCounts = Type.Object({
  /** Cells that the interface determines and this gateway can show. */
  all: Count,
  observed: Count,
  byGroup: Type.Array(Tally),
});

export const Coverage = Type.Object({
  ...CoverageCounts.properties,
  byKind: Type.Array(Tally),
  /** The observed cells. */
  cells: Cells,
  /** The other cells by reason; `counts` tells whether they are among `all`. */
  unobserved: Type.Array(Type.Object({ reason: Type.String(), counts: Type.Boolean(), cells: Cells })),
});
export type Coverage = Static<typeof Coverage>;

/** The ids of nested cells. */
export function cellIds(cells: Coverage["cells"]): string[] {
  return Object.entries(cells).flatMap(([kind, subjects]) =>
    Object.entries(subjects).flatMap(([subject, aspects]) =>
      aspects.map((aspect) => `${kind}/${subject}/${aspect}`),
    ),
  );
}
