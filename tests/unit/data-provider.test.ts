import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { changeMany, deleteMany } from '../../src/providers/bulk';
import { dataProvider } from '../../src/providers/dataProvider';
import { session } from '../../src/providers/session';

interface RecordedCall {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

const recordedCalls: RecordedCall[] = [];
let response: { status: number; body: unknown };
/** Lines that are streamed instead of a body. */
let lines: object[] | undefined;

beforeEach(() => {
  recordedCalls.length = 0;
  lines = undefined;
  session.set({ t: 'token' });
  vi.stubGlobal(
    'fetch',
    async (
      url: string,
      { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
    ) => {
      recordedCalls.push({
        method,
        path: decodeURIComponent(url),
        headers,
        body: typeof body === 'string' ? JSON.parse(body) : body,
      });
      if (lines) return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return new Response(response.body === undefined ? null : JSON.stringify(response.body), {
        status: response.status,
      });
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const page = {
  pagination: { page: 2, perPage: 25 },
  sort: { field: 'fleet.name', order: 'DESC' as const },
  filter: {},
};

describe('reading a list', () => {
  it('sends one request that includes its references', async () => {
    response = { status: 200, body: { data: [{ id: 7, fleet_id: 3, fleet: { id: 3, name: 'North' } }], total: 1500 } };
    const { data, total, meta } = await dataProvider.getList('machines', {
      ...page,
      filter: { status: ['Parked'] },
      meta: { include: ['fleet'] },
    });
    expect(recordedCalls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/machines?per_page=25&page=2&sort=-fleet.name&filter[status]=Parked&include=fleet&fields[fleets]=id,name,color',
    ]);
    expect([data.length, total]).toEqual([1, 1500]);
    expect(meta?.prefetched).toEqual({ fleets: [{ id: 3, name: 'North' }] });
  });
  it('requests rows by their ids', async () => {
    response = { status: 200, body: { data: [], total: 0 } };
    await dataProvider.getMany('fleets', { ids: [3, 4] });
    expect(recordedCalls[0]?.path).toBe('/api/v1/fleets?per_page=2&page=1&filter[id]=3,4');
  });
  it("maps react-admin's `q` to the search, whatever it contains", async () => {
    response = { status: 200, body: { data: [], total: 0 } };
    await dataProvider.getList('machines', { ...page, filter: { q: 'north', status: 'Parked' } });
    expect(recordedCalls[0]?.path).toContain('filter[search]=north&filter[status]=Parked');
    await dataProvider.getManyReference('machines', { ...page, target: 'fleet_id', id: 3, filter: { q: 'a,b' } });
    expect(recordedCalls[1]?.path).toMatch(/filter\[search\]\[\]=a,b&filter\[fleet_id\]=3/);
    expect(recordedCalls[1]?.path).not.toContain('[q]');
  });
  it('requests the rows that reference another row', async () => {
    response = { status: 200, body: { data: [], total: 0 } };
    await dataProvider.getManyReference('machines', { ...page, target: 'fleet_id', id: 3 });
    expect(recordedCalls[0]?.path).toContain('filter[fleet_id]=3');
  });
});

describe('saving', () => {
  const rowBefore = { id: 7, version: 4, serial_number: 'A', note: null, fleet_id: 3 };

  it('sends changed fields and the version they are based on', async () => {
    response = { status: 200, body: { data: { ...rowBefore, note: 'x' } } };
    await dataProvider.update('machines', {
      id: 7,
      data: { ...rowBefore, note: 'x', status: 'Online' },
      previousData: rowBefore,
    });
    expect(recordedCalls[0]).toMatchObject({ method: 'PUT', path: '/api/v1/machines/7', body: { note: 'x' } });
    expect(recordedCalls[0]?.headers['If-Match']).toBe('"4"');
  });
  it('returns one message per field if rejected', async () => {
    response = {
      status: 422,
      body: {
        message: 'Name is required. (and 1 more error)',
        errors: { name: ['Name is required.'], 'emails.0.email': ['Wrong.', 'Taken.'] },
      },
    };
    await expect(dataProvider.create('users', { data: {} })).rejects.toMatchObject({
      status: 422,
      body: { errors: { name: 'Name is required.', 'emails.0.email': 'Wrong. Taken.' } },
    });
  });
  it('returns the current row on a conflict', async () => {
    response = { status: 412, body: { message: 'Somebody changed this.', current: { id: 7, version: 5 } } };
    await expect(
      dataProvider.update('machines', { id: 7, data: { note: 'x' }, previousData: rowBefore }),
    ).rejects.toMatchObject({
      status: 412,
      body: { current: { version: 5 } },
    });
  });
});

describe('bulk work', () => {
  const reportedProgress: number[][] = [];
  const meta = { progress: (count: number, total: number) => void reportedProgress.push([count, total]) };
  beforeEach(() => {
    reportedProgress.length = 0;
    response = { status: 200, body: { count: 2 } };
  });
  it('identifies rows by their ids', async () => {
    const target = { ids: [1, 2], count: 2 };
    expect(await changeMany(machines, target, { data: { stock_state: 'retired', status: 'Online' } }, meta)).toEqual({
      count: 2,
    });
    expect(recordedCalls[0]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/machines',
      body: { ids: [1, 2], data: { stock_state: 'retired' } },
    });
  });
  it('identifies all matching rows by the filters', async () => {
    await deleteMany(
      machines,
      { ids: [7], filter: { status: ['Parked', 'Offline'], search: 'a,b' }, count: 1500 },
      meta,
    );
    expect(recordedCalls[0]).toMatchObject({
      method: 'DELETE',
      body: { filter: { status: ['Parked', 'Offline'], search: ['a,b'] } },
    });
    expect(recordedCalls[0]?.body).not.toHaveProperty('ids');
  });
  it('reports progress and result', async () => {
    lines = [
      { done: 3, of: 9 },
      { done: 6, of: 9 },
      { count: 9, undo: { ids: [1] } },
    ];
    expect(await deleteMany(machines, { ids: [], filter: {}, count: 9 }, meta)).toEqual({
      count: 9,
      undo: { ids: [1] },
    });
    expect(reportedProgress).toEqual([
      [3, 9],
      [6, 9],
    ]);
  });
  it('throws on a failure midway, with the failing rows, and on a truncated response', async () => {
    const rows = [{ id: 1, name: 'SW-1', message: 'No.' }];
    lines = [
      { done: 3, of: 9 },
      { status: 409, message: 'Nothing was changed', rows },
    ];
    await expect(deleteMany(machines, { ids: [1], count: 1 }, meta)).rejects.toMatchObject({
      status: 409,
      message: 'Nothing was changed',
      body: { rows },
    });
    lines = [{ done: 3, of: 9 }];
    await expect(deleteMany(machines, { ids: [1], count: 1 }, meta)).rejects.toMatchObject({
      message: 'errors.network',
    });
  });
});
