/** Unmodified third-party clients of this dialect, against the real application over HTTP. */
import { query } from '@vortechron/query-builder-ts';
import axios, { type AxiosInstance } from 'axios';
import { client as precognition } from 'laravel-precognition';
import { axiosAdapter } from 'laravel-precognition/axios';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Model } from 'vue-api-query';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let http: AxiosInstance;
let base: string;

interface List {
  data: { id: number; serial_number: string; fleet: { name: string } }[];
  total: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  base = `${await app.app.listen({ port: 0, host: '127.0.0.1' })}/api/v1`;
  http = axios.create({
    baseURL: base,
    headers: { Authorization: `Bearer ${await app.createSessionToken(world.admin)}` },
  });
});
afterAll(() => app.close());

test('@vortechron/query-builder-ts builds list queries that the API understands', async () => {
  const builtQuery = query('/machines')
    .filter('fleet.name', 'North Fleet 2')
    .sort('-serial_number')
    .include('fleet')
    .fields({ machines: ['id', 'serial_number'], fleets: ['name'] })
    .page(1)
    .param('per_page', '2')
    .build();
  const { data } = await http.get<List>(builtQuery);
  expect(data.total).toBe(4);
  expect(data.data).toEqual([
    { id: world.north.machines[7], serial_number: 'North-222', fleet: { name: 'North Fleet 2' } },
    { id: world.north.machines[6], serial_number: 'North-221', fleet: { name: 'North Fleet 2' } },
  ]);
});

describe('vue-api-query', () => {
  class Machine extends Model {
    declare id: number;
    declare serial_number: string;
    declare note: string | null;
    override baseURL() {
      return base;
    }
    override request(config: object) {
      return http.request(config);
    }
    override resource() {
      return 'machines';
    }
  }

  beforeAll(() => {
    Model.$http = http;
  });

  test('finds, filters, sorts, includes and pages', async () => {
    const result = (await Machine.include('fleet', 'location')
      .where('fleet_id', world.south.fleets[0])
      .whereIn('id', world.south.machines)
      .orderBy('-id')
      .page(1)
      .limit(3)
      .get()) as unknown as List;
    expect(result.data.map(({ id }) => id)).toEqual([3, 2, 1].map((index) => world.south.machines[index]));
    expect(result.data[0]?.fleet.name).toBe('South Fleet 1');
    const nestedResult = (await Machine.where(['fleet', 'name'], 'South Fleet 2').get()) as unknown as List;
    expect(nestedResult.total).toBe(4);
  });

  test('reads, changes and deletes a row', async () => {
    const { data } = await http.post<{ data: { id: number } }>('machines', {
      serial_number: 'VUE-1',
      fleet_id: world.north.fleets[0],
      type_id: world.type,
    });
    const machine = (await Machine.$find(data.data.id)) as unknown as Machine;
    machine.note = 'saved by a client';
    await machine.save();
    expect((await http.get<{ data: { note: string } }>(`machines/${data.data.id}`)).data.data.note).toBe(
      'saved by a client',
    );
    await machine.delete();
    await expect(http.get(`machines/${data.data.id}`)).rejects.toMatchObject({ response: { status: 404 } });
  });
});

describe('laravel-precognition', () => {
  test('validates single fields without writing', async () => {
    precognition.useHttpClient(axiosAdapter(http));
    const errors: Record<string, unknown>[] = [];
    const call = (data: Record<string, unknown>, validatedFields: string[]) =>
      precognition.post(`${base}/machines`, data, {
        only: validatedFields,
        onValidationError: (response: { data: { errors: Record<string, unknown> } }) =>
          errors.push(response.data.errors),
        onPrecognitionSuccess: () => 'valid',
      } as object);
    expect(await call({ serial_number: 'PRE-1' }, ['serial_number'])).toBe('valid');
    await call({ serial_number: 'North-111' }, ['serial_number']);
    expect(errors).toEqual([{ serial_number: ['Serial number is already in use.'] }]);
    const { data } = await http.get<List>('machines?filter[serial_number]=PRE-1');
    expect(data.total).toBe(0);
  });
});
