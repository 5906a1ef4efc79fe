/**
 * `npm run bench:import -- 100000 postgres` or `-- 20000 pglite`: seconds to check, write and undo files of machines,
 * the longest time that other calls wait in each step, and the memory of the server. A third argument `bulk` then also
 * changes and deletes the rows by filter. Bars: 100,000 rows within 60 s on PostgreSQL, 10,000 within 10 s embedded,
 * less than 500 MB, and at most 500 ms for other calls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../support/startCluster';
import { startServer } from '../support/startServer';

const [rows = '10000', kind = 'pglite', extraStep] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
const cluster = kind === 'postgres' ? await startCluster({ isDurable: true }) : undefined;
const admin = { email: 'bench@example.com', password: 'Bench!Mark7' };
const server = await startServer({
  dataDir,
  fromSources: true,
  env: {
    ...(cluster && { DATABASE_URL: cluster.url }),
    SWEEPLINE_DEMO: '0',
    RATE_LIMIT: 'off',
    SWEEPLINE_ADMIN_EMAIL: admin.email,
    SWEEPLINE_ADMIN_PASSWORD: admin.password,
  },
});
let token = '';

async function call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

interface ImportResponse {
  data: { id: number; state: string; counts: Record<string, number> };
}

let peakMemory = 0;
/** Seconds until the import reaches `state`. */
async function waitForState(id: number, state: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    const { data } = await call<ImportResponse>('GET', `imports/${id}`);
    peakMemory = Math.max(peakMemory, server.memory());
    if (data.state === state) return (performance.now() - start) / 1000;
    if (['failed', 'cancelled'].includes(data.state)) throw new Error(JSON.stringify(data).slice(0, 1000));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface WaitTimes {
  calls: number;
  /** Milliseconds. */
  p95: number;
  longest: number;
}

/** Repeats a cheap call during `run`, and measures how long these calls take. */
async function measureWaits<T>(run: () => Promise<T>): Promise<{ result: T; waits: WaitTimes }> {
  const waitMilliseconds: number[] = [];
  let isDone = false;
  const otherCalls = (async () => {
    while (!isDone) {
      const start = performance.now();
      await call('GET', 'types?per_page=1');
      waitMilliseconds.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const [result] = await Promise.all([
    run().finally(() => {
      isDone = true;
    }),
    otherCalls,
  ]);
  waitMilliseconds.sort((a, b) => a - b);
  return {
    result,
    waits: {
      calls: waitMilliseconds.length,
      p95: Math.round(waitMilliseconds[Math.floor(waitMilliseconds.length * 0.95)] ?? 0),
      longest: Math.round(waitMilliseconds.at(-1) ?? 0),
    },
  };
}

try {
  ({ token } = await call<{ token: string }>('POST', 'login', admin));
  const client = await call<ImportResponse>('POST', 'clients', {
    name: 'Bench',
    building: '1',
    street: 'Street',
    city: 'City',
    postal_code: '01067',
    country_id: 1,
    image: 'https://example.com/a.png',
  });
  for (let fleet = 1; fleet <= 20; fleet += 1) {
    const createResponse = await call<ImportResponse>('POST', 'fleets', {
      name: `Fleet ${fleet}`,
      client_id: client.data.id,
    });
    for (let site = 1; site <= 20; site += 1)
      await call('POST', 'locations', {
        name: `Site ${site}`,
        fleet_id: createResponse.data.id,
        address: 'Platz 1',
        city: 'City',
        postal_code: '20095',
      });
  }
  await call('POST', 'types', { name: 'Scrubber' });
  const lines = Array.from(
    { length: Number(rows) },
    (_, index) =>
      `SN-${String(index).padStart(7, '0')};Scrubber;Fleet ${(index % 20) + 1};Site ${(Math.floor(index / 20) % 20) + 1};${(index % 28) + 1}.02.2024;${index % 900},50;Im Einsatz;10,5;R-${index};N-${index}`,
  );
  const form = new FormData();
  form.append(
    'file',
    new File(
      [
        `Seriennummer;Maschinentyp;Flotte;Standort;Kaufdatum;Preis;Lagerstatus;depreciation_rate;reference_number;inventory_number\n${lines.join('\n')}\n`,
      ],
      'machines.csv',
    ),
  );
  const idleMemory = server.memory();
  const checkResult = await measureWaits(async () => {
    const upload = await call<ImportResponse>('POST', 'machines/import?dry_run=1', form);
    return { id: upload.data.id, seconds: await waitForState(upload.data.id, 'checked') };
  });
  const { id } = checkResult.result;
  const runStep = (name: string, state: string) =>
    measureWaits(async () => {
      await call('POST', `imports/${id}/${name}`);
      return waitForState(id, state);
    });
  const commitResult = await runStep('commit', 'done');
  const { data } = await call<ImportResponse>('GET', `imports/${id}`);
  console.log(
    JSON.stringify({
      kind,
      rows: Number(rows),
      seconds: { checked: checkResult.result.seconds, written: commitResult.result },
      waits: { checked: checkResult.waits, written: commitResult.waits },
      idle: idleMemory,
      peak: peakMemory,
      counts: data.counts,
    }),
  );
  if (extraStep === 'bulk') {
    const target = { filter: { serial_number: 'SN-' } };
    const changeResult = await measureWaits(() =>
      call<{ count: number }>('PUT', 'machines', { ...target, data: { note: 'changed' } }),
    );
    const removeResult = await measureWaits(() => call<{ count: number }>('DELETE', 'machines', target));
    console.log(JSON.stringify({ changed: changeResult, removed: removeResult }));
  } else {
    const undoResult = await runStep('undo', 'undone');
    console.log(JSON.stringify({ seconds: { undone: undoResult.result }, waits: { undone: undoResult.waits } }));
  }
} catch (error) {
  console.error(server.output());
  throw error;
} finally {
  await server.stop();
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
