/** Runs of a machine that tell of the same cleaning, as its own messages and its maker's cloud do. Pure. */

export interface RivalRun {
  id: number;
  machine: number;
  source: string;
  /** Seconds since 1970. */
  from: number;
  to: number;
  /** It follows from the orders of a vehicle, which know less than a report. */
  isOrder: boolean;
  hasArea: boolean;
  externalId: string | null;
}

/**
 * By run that must not count: the run that counts in its place. Two runs are the same cleaning if they share at least
 * half of the shorter one; what a person entered counts before reports, these before orders, an area before none, then
 * the longer one. Ends that merely touch or cross by a clock's fault leave both.
 */
export function findSupersededRuns(runs: readonly RivalRun[]): Map<number, number> {
  const counting = new Map<number, RivalRun[]>();
  const superseded = new Map<number, number>();
  for (const run of [...runs].sort(byPrecedence)) {
    const others = counting.get(run.machine) ?? [];
    const rival = others.find((other) => isSameCleaning(run, other));
    if (rival) superseded.set(run.id, rival.id);
    else others.push(run);
    counting.set(run.machine, others);
  }
  return superseded;
}

const byPrecedence = (a: RivalRun, b: RivalRun): number =>
  Number(b.source === 'entered') - Number(a.source === 'entered') ||
  Number(a.isOrder) - Number(b.isOrder) ||
  Number(b.hasArea) - Number(a.hasArea) ||
  b.to - b.from - (a.to - a.from) ||
  a.from - b.from ||
  compareTexts(a.externalId ?? '', b.externalId ?? '') ||
  a.id - b.id;

const compareTexts = (a: string, b: string) => Number(a > b) - Number(a < b);

function isSameCleaning(a: RivalRun, b: RivalRun): boolean {
  const shared = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return shared > 0 && 2 * shared >= Math.min(a.to - a.from, b.to - b.from);
}
