/**
 * Questions about the whole fleet (fleetQuestions.ts) at several sizes, with the growth between them: `npm run bench --
 * --fleet`, on PostgreSQL; with `--database pglite` on the embedded database.
 */
import { type FleetMeasurement, measureFleet } from './fleetQuestions';
import { openPglitePair, openPostgresPair } from './pairs';

export interface FleetReport {
  database: string;
  machines: number;
  measured: FleetMeasurement[];
  /** Seconds until the demo of that size was loaded. */
  loaded: number;
}

const sizes = [10_000, 100_000];

/** Sizes may be given for a quick look; bars hold for 100,000 machines. */
export async function measureFleets(
  database: 'postgres' | 'pglite',
  rounds: number,
  fleetSizes: readonly number[] = sizes,
): Promise<FleetReport[]> {
  const reports: FleetReport[] = [];
  for (const machines of fleetSizes) {
    console.log(`\n${database}: loading ${machines.toLocaleString('en')} machines ...`);
    const began = performance.now();
    const pair = await (database === 'postgres' ? openPostgresPair({ machines }) : openPglitePair({ machines }));
    const loaded = (performance.now() - began) / 1000;
    try {
      const before = reports.at(-1)?.measured ?? [];
      const measured: FleetMeasurement[] = [];
      console.log(
        `${'question'.padEnd(28)} ${'role'.padEnd(16)} ${'first ms'.padStart(9)} ${'least ms'.padStart(9)} ${'growth'.padStart(7)}   bar`,
      );
      await measureFleet(`http://127.0.0.1:${pair.product.port}`, rounds, '', (one) => {
        measured.push(one);
        console.log(printed(one, before, machines >= 100_000));
      });
      reports.push({ database, machines, measured, loaded });
    } finally {
      await pair.close();
    }
  }
  return reports;
}

function printed(
  { question, role, first, least, bar }: FleetMeasurement,
  before: readonly FleetMeasurement[],
  hasBar: boolean,
): string {
  const smaller = before.find((one) => one.question === question && one.role === role);
  const growth = smaller ? (least / smaller.least).toFixed(1) : '';
  const verdict = bar === undefined || !hasBar ? '' : `  ${least <= bar ? 'holds' : 'MISSED'} ${bar}`;
  return `${question.padEnd(28)} ${role.padEnd(16)} ${first.toFixed(0).padStart(9)} ${least.toFixed(0).padStart(9)} ${growth.padStart(7)} ${verdict}`;
}
