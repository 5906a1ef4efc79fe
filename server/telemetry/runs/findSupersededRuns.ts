/** Finds runs that describe the same cleaning, such as one reported by a machine and by its maker's cloud. Pure. */
import { addToGroup } from '../../../schema/dsl/addToGroup';

export interface ComparableRun {
  id: number;
  machine: number;
  source: string;
  /** Seconds since 1970. */
  from: number;
  to: number;
  /** Whether the run is derived from the orders of a vehicle, which say less than a report. */
  isOrder: boolean;
  hasArea: boolean;
  externalId: string | null;
}

/**
 * Maps each superseded run to the run that counts. Two runs are the same cleaning if they overlap by at least half of
 * the shorter one. Entered runs precede reports, reports precede orders, then runs with an area, then longer ones. Runs
 * that merely touch, or overlap slightly because of inaccurate clocks, both count.
 */
export function findSupersededRuns(runs: readonly ComparableRun[]): Map<number, number> {
  // By machine and day, so that long histories need no comparison of each run with each other.
  const countedRuns = new Map<string, ComparableRun[]>();
  const replacementIds = new Map<number, number>();
  for (const run of [...runs].sort(byPrecedence)) {
    const days = daysOf(run);
    const precedingRuns = days.flatMap(
      (day) => countedRuns.get(day)?.find((other) => isSameCleaning(run, other)) ?? [],
    );
    const [precedingRun] = precedingRuns.sort(byPrecedence);
    if (precedingRun) replacementIds.set(run.id, precedingRun.id);
    else for (const day of days) addToGroup(countedRuns, day, run);
  }
  return replacementIds;
}

const daysOf = ({ machine, from, to }: ComparableRun): string[] => {
  const [first, last] = [from, to].map((seconds) => Math.floor(seconds / 86_400)) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, index) => `${machine} ${first + index}`);
};

const byPrecedence = (a: ComparableRun, b: ComparableRun): number =>
  Number(b.source === 'entered') - Number(a.source === 'entered') ||
  Number(a.isOrder) - Number(b.isOrder) ||
  Number(b.hasArea) - Number(a.hasArea) ||
  b.to - b.from - (a.to - a.from) ||
  a.from - b.from ||
  compareTexts(a.externalId ?? '', b.externalId ?? '') ||
  a.id - b.id;

const compareTexts = (a: string, b: string) => Number(a > b) - Number(a < b);

function isSameCleaning(a: ComparableRun, b: ComparableRun): boolean {
  const overlap = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return overlap > 0 && 2 * overlap >= Math.min(a.to - a.from, b.to - b.from);
}
