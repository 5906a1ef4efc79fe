/** Spans of time in which runs of machines changed. Pure. */

export interface RunSpan {
  machineId: number;
  from: Date;
  to: Date;
}

/** Closer spans are merged: a batch of many runs then needs few look-ups, and reads few runs that it does not need. */
const maxGap = 86_400_000;

/** Merges spans of the same machine that overlap, or lie at most a day apart. */
export function mergeRunSpans(spans: readonly RunSpan[]): RunSpan[] {
  const mergedSpans: RunSpan[] = [];
  const sortedSpans = [...spans].sort((a, b) => a.machineId - b.machineId || a.from.getTime() - b.from.getTime());
  for (const { machineId, from, to } of sortedSpans) {
    const last = mergedSpans.at(-1);
    if (last?.machineId === machineId && from.getTime() - last.to.getTime() <= maxGap) {
      if (to > last.to) last.to = to;
    } else mergedSpans.push({ machineId, from, to });
  }
  return mergedSpans;
}

export interface RunTimesRow {
  machine_id: number;
  started_at: unknown;
  ended_at: unknown;
}

/** Span of a row of `runs`; its times are dates or texts. */
export const runSpanOf = ({ machine_id: machineId, started_at, ended_at }: RunTimesRow): RunSpan => ({
  machineId,
  from: new Date(started_at as string | Date),
  to: new Date(ended_at as string | Date),
});

/** Spans of runs of one machine; their times are seconds since 1970. */
export const runSpansOf = (machineId: number, runs: readonly { from: number; to: number }[]): RunSpan[] =>
  runs.map(({ from, to }) => ({ machineId, from: new Date(from * 1000), to: new Date(to * 1000) }));
