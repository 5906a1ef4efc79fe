/** Time of the first and second `npm start` of a built tree with the embedded database and the demo. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/sources';
import { startServer } from '../support/startServer';
import type { Figure } from './figures';

/** Seconds until `/readyz` returns 200; the median of three starts. */
export async function measureStarts(): Promise<Figure[]> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const firstStarts: number[] = [];
  const secondStarts: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-start-'));
    for (const times of [firstStarts, secondStarts]) {
      const server = await startServer({ dataDir });
      times.push(server.startMilliseconds / 1000);
      await server.stop();
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
  return [
    { title: 'start with the demo, first', unit: 's', value: median(firstStarts), bar: 3 },
    { title: 'start with the demo, second', unit: 's', value: median(secondStarts), bar: 2 },
  ];
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
