/** A duration in common units: `840 ms`, `4.2 s`, `3 min 12 s`, `2 h 5 min`. */
export function duration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  const seconds = durationMs / 1000;
  if (seconds < 59.95) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Duration of the campaign in milliseconds; 0 when its times are invalid. */
export function campaignMs(record: { readonly startedAt: string; readonly endedAt: string }): number {
  const elapsedMs = Date.parse(record.endedAt) - Date.parse(record.startedAt);
  return Number.isFinite(elapsedMs) ? Math.max(0, elapsedMs) : 0;
}

/** An instant without fractions: `2026-03-01 02:00:00 UTC`. */
export function instant(text: string): string {
  const epochMs = Date.parse(text);
  if (Number.isNaN(epochMs)) return text;
  return `${new Date(epochMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
