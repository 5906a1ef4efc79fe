/** Prints the counts of a simulation as a table for the terminal. */
import type { Simulation, SimulationCounts } from './simulation';

const columns = [
  'machines',
  'sent',
  'accepted',
  'refused',
  'unanswered',
  'repeated',
  'corrupted',
] as const satisfies (keyof SimulationCounts)[];
const widths = { first: 18, other: 11 };

export function summaryOf({ counts, undelivered }: Pick<Simulation, 'counts' | 'undelivered'>): string {
  const total = Object.fromEntries(
    columns.map((name) => [name, [...counts.values()].reduce((sum, count) => sum + count[name], 0)]),
  ) as unknown as SimulationCounts;
  const line = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(widths.first) + cells.map((cell) => String(cell).padStart(widths.other)).join('');
  const rows = [...counts].map(([protocol, count]) =>
    line(
      protocol,
      columns.map((name) => count[name]),
    ),
  );
  const undeliveredCount = [...undelivered().values()].reduce((sum, { length }) => sum + length, 0);
  return [
    line('', columns),
    ...rows,
    line(
      'all',
      columns.map((name) => total[name]),
    ),
    ...(undeliveredCount > 0 ? [`${undeliveredCount} observations were lost or had a wrong clock, on purpose.`] : []),
  ].join('\n');
}
