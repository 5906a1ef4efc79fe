/** Unknown query parameters are rejected by name, so that a misspelled parameter is not silently ignored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const get = (path: string) => app.call<{ message: string; data: { id: number }[] }>(world.admin, 'GET', path);
const allowedText = 'Allowed parameter(s) are `filter, sort, include, fields, page, per_page, perPage, limit`.';

describe('a list', () => {
  test.each([
    ['id=1&id=2', 'id'],
    ['filter[]=x', 'filter[]'],
    ['filter=x', 'filter'],
    ['page[offset]=3', 'page[offset]'],
    ['append=a&foo=b&filter[note]=x', 'append, foo'],
    ['constructor=1&__proto__=2', 'constructor, __proto__'],
    ['=1', ''],
  ])('rejects ?%s', async (query, names) => {
    const { status, body } = await get(`machines?${query}`);
    expect([status, body.message]).toEqual([
      400,
      `Requested parameter(s) \`${names}\` are not allowed. ${allowedText}`,
    ]);
  });

  test.each([
    'per_page=5&page=1&sort=-id&include=fleet&fields[machines]=id&fields[fleets]=name',
    'limit=5&page[number]=1&page[size]=5&perPage=3',
    'filter[id][]=1&filter[fleet][name]=x&filter[fleet.name.begins]=x&filter[fleet][client][name][]=x',
    'sort[]=id&include[]=fleet&fields[machines][]=id',
    'filter%5Bid%5D=1',
    '&&',
  ])('accepts ?%s', async (query) => {
    expect((await get(`machines?${query}`)).status).toBe(200);
  });

  test('names at most twenty', async () => {
    const { status, body } = await get(`machines?${Array.from({ length: 30 }, (_, index) => `x${index}=1`).join('&')}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('x19 and 10 more` are not allowed.')]);
  });
});

test('returns 401 before validating parameters', async () => {
  expect((await app.call(undefined, 'GET', 'machines?x=1')).status).toBe(401);
});

describe('every read call', () => {
  interface Parameter {
    name: string;
    in: string;
  }
  interface Operation {
    parameters?: Parameter[];
    security?: unknown[];
  }
  const ids = () => ({ id: 1, clientId: 1, token: 'x' });

  test('rejects unknown parameters and accepts documented ones', async () => {
    const { paths } = (await app.call<{ paths: Record<string, { get?: Operation }> }>(undefined, 'GET', 'openapi.json'))
      .body;
    const failures: string[] = [];
    let callCount = 0;
    for (const [path, { get: operation }] of Object.entries(paths)) {
      if (!operation || operation.security?.length === 0) continue;
      const url = path.slice(1).replace(/\{(\w+)\}/g, (_, name: 'id') => String(ids()[name] ?? 1));
      if (url === 'events') continue;
      callCount += 1;
      const unknownResponse = await get(`${url}?nonsense=1`);
      if (!unknownResponse.body?.message?.startsWith('Requested parameter(s) `nonsense` are not allowed.'))
        failures.push(`${path} accepts an unknown parameter: ${unknownResponse.status}`);
      const describedParameters = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name);
      const search = describedParameters
        .map((name) => (name === 'filter' || name === 'fields' ? `${name}[x]=` : `${name}=`))
        .join('&');
      const response = await get(`${url}?${search}`);
      if (response.text.includes('Requested parameter(s)'))
        failures.push(`${path} rejects a documented parameter: ${response.text}`);
    }
    expect(failures).toEqual([]);
    expect(callCount).toBeGreaterThan(80);
  });
});
