// A curve of any length in bounded memory: neighbouring points are merged when it becomes too long.

export interface Stretch {
  /** Seconds of soak. */
  readonly from: number;
  readonly to: number;
  readonly boot: number;
  /** False for warm-up and for time around a restart: shown, but no part of a trend. */
  readonly counts: boolean;
  readonly y: number;
  readonly weight: number;
  /** Answer time of the control in the same time. */
  readonly control?: number;
}

const mostPoints = 2048;

export class Series {
  readonly title: string;
  readonly unit: string;
  #points: Stretch[] = [];
  /** Neighbours are merged up to this length. */
  #mergedSec = 0;

  constructor(title: string, unit: string) {
    this.title = title;
    this.unit = unit;
  }

  get points(): readonly Stretch[] {
    return this.#points;
  }

  add(point: Stretch): void {
    const last = this.#points.at(-1);
    const merged = last === undefined ? undefined : this.#merged(last, point);
    if (merged === undefined) this.#points.push(point);
    else this.#points[this.#points.length - 1] = merged;
    if (this.#points.length <= mostPoints) return;
    this.#mergedSec = Math.max(
      1,
      2 * this.#mergedSec,
      (2.1 * (point.to - (this.#points[0]?.from ?? 0))) / mostPoints,
    );
    this.#points = mergeNeighbours(this.#points, (a, b) => this.#merged(a, b));
  }

  #merged(a: Stretch, b: Stretch): Stretch | undefined {
    return a.boot === b.boot && a.counts === b.counts && b.to - a.from <= this.#mergedSec
      ? join(a, b)
      : undefined;
  }
}

/** Merges neighbours as long as `merge` answers their union. */
export function mergeNeighbours(
  points: readonly Stretch[],
  merge: (a: Stretch, b: Stretch) => Stretch | undefined,
): Stretch[] {
  const done: Stretch[] = [];
  for (const point of points) {
    const last = done.at(-1);
    const merged = last === undefined ? undefined : merge(last, point);
    if (merged === undefined) done.push(point);
    else done[done.length - 1] = merged;
  }
  return done;
}

/** The union of two stretches, each with its weight. */
export function join(a: Stretch, b: Stretch): Stretch {
  const weight = a.weight + b.weight;
  const mean = (x: number, y: number): number => (x * a.weight + y * b.weight) / weight;
  const control =
    a.control === undefined || b.control === undefined
      ? (a.control ?? b.control)
      : mean(a.control, b.control);
  return {
    from: a.from,
    to: b.to,
    boot: a.boot,
    counts: a.counts,
    y: mean(a.y, b.y),
    weight,
    ...(control === undefined ? {} : { control }),
  };
}
