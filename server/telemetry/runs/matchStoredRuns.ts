/** A span of time in seconds since 1970. */
interface Span {
  from: number;
  to: number;
}

/**
 * Matches each run with the stored run that it continues: one with the same start, else one that still covers part of
 * its time. `unmatchedIds`: stored runs without a match. Pure.
 */
export function matchStoredRuns<R extends Span>(
  runs: readonly R[],
  stored: readonly (Span & { id: number })[],
): { matches: { run: R; id: number | undefined }[]; unmatchedIds: number[] } {
  const unmatchedRuns = [...stored];
  const take = (fits: (other: Span) => boolean) => {
    const index = unmatchedRuns.findIndex(fits);
    return index === -1 ? undefined : unmatchedRuns.splice(index, 1)[0]?.id;
  };
  const sameStarts = runs.map((run) => ({ run, id: take(({ from }) => from === run.from) }));
  const matches = sameStarts.map(({ run, id }) => ({
    run,
    id: id ?? take((other) => other.from < run.to && other.to > run.from),
  }));
  return { matches, unmatchedIds: unmatchedRuns.map(({ id }) => id) };
}
