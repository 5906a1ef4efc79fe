/** Service entries and plans: effects on machines, and visibility of costs. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refreshDueDates } from '../../server/app/refreshDueDates';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date('2027-01-15T10:00:00Z');
});
afterAll(() => app.close());

interface Machine {
  id: number;
  last_service: string | null;
  total_maintenance_cost: string | null;
  next_service_due: string | null;
}
const request = async <T>(
  caller: number,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<T> => {
  const response = await app.call<{ data: T }>(caller, method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.body.data;
};
const requestErrors = async (caller: number, method: 'POST' | 'PATCH', path: string, body: object) => {
  const { status, body: rejection } = await app.call<{ errors: Record<string, string[]> }>(caller, method, path, body);
  return [status, rejection.errors];
};
const readMachine = (id: number) => request<Machine>(world.admin, 'GET', `machines/${id}`);
/** Creates a machine at the north client's first location, without service entries. */
const addMachine = (values: Parameters<typeof add<'machines'>>[2] = {}) =>
  add(app.db, 'machines', {
    fleet_id: world.north.fleets[0],
    location_id: world.north.locations[0],
    custom_type: 'Sweeper',
    purchase_date: '2026-01-10',
    ...values,
  });
const addEntry = (machine_id: number, values: object = {}, caller = world.admin) =>
  request<{ id: number; cost?: string; operating_time: number; summary: string }>(caller, 'POST', 'service_entries', {
    machine_id,
    date: '2026-06-01',
    ...values,
  });

describe('last service and total cost of a machine', () => {
  test('follow service entries that are created, edited, deleted and restored', async () => {
    const machine = await addMachine({ last_service: '2025-03-01', total_maintenance_cost: '1200.00' });
    const first = await addEntry(machine, { date: '2026-06-01', cost: '100.10' });
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-06-01', total_maintenance_cost: '100.10' });
    const second = await addEntry(machine, { date: '2026-09-01', cost: '0.20', kind: 'repair' });
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-09-01', total_maintenance_cost: '100.30' });
    await request(world.admin, 'PATCH', `service_entries/${second.id}`, { cost: '50', date: '2026-05-01' });
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-06-01', total_maintenance_cost: '150.10' });
    await app.call(world.admin, 'DELETE', `service_entries/${first.id}`);
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-05-01', total_maintenance_cost: '50.00' });
    await app.call(world.admin, 'DELETE', 'service_entries', { ids: [second.id] });
    // The values that were entered by hand apply again.
    expect(await readMachine(machine)).toMatchObject({ last_service: '2025-03-01', total_maintenance_cost: '1200.00' });
    await app.call(world.admin, 'POST', `service_entries/${first.id}/restore`);
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-06-01', total_maintenance_cost: '100.10' });
  });

  test('keep the cost entered by hand while no entry has a cost', async () => {
    const machine = await addMachine({ total_maintenance_cost: '80.00' });
    const createdEntry = await addEntry(machine);
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-06-01', total_maintenance_cost: '80.00' });
    await request(world.admin, 'PATCH', `machines/${machine}`, { total_maintenance_cost: '90' });
    await request(world.admin, 'PATCH', `service_entries/${createdEntry.id}`, { note: 'Brushes changed' });
    expect(await readMachine(machine)).toMatchObject({ total_maintenance_cost: '90.00' });
  });

  test('include all of several concurrent entries', async () => {
    const machine = await addMachine();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => addEntry(machine, { cost: '10.01', date: `2026-06-0${index + 1}` })),
    );
    expect(await readMachine(machine)).toMatchObject({ last_service: '2026-06-08', total_maintenance_cost: '80.08' });
  });

  test('cannot be edited by hand once entries exist', async () => {
    const machine = await addMachine();
    await addEntry(machine, { cost: '10' });
    expect(
      await requestErrors(world.admin, 'PATCH', `machines/${machine}`, {
        last_service: '2026-01-01',
        total_maintenance_cost: '1',
      }),
    ).toEqual([
      422,
      {
        last_service: ['Last service follows from the service entries of the machine.'],
        total_maintenance_cost: ['Total maintenance cost follows from the service entries of the machine.'],
      },
    ]);
    // Sending the whole unchanged row is accepted.
    await request(world.admin, 'PATCH', `machines/${machine}`, {
      last_service: '2026-06-01',
      total_maintenance_cost: '10.00',
      note: 'As it was',
    });
  });
});

describe('an entry', () => {
  test('has the operating time of its day by default', async () => {
    const machine = await addMachine({ previous_operating_time: 1000 });
    await app.db.rows(sql`update machines_state set operating_time = 5000 where id = ${machine}`);
    await app.db.rows(
      sql`insert into machine_days (machine_id, day, cleaning, online) values (${machine}, '2026-06-01', 600, 0), (${machine}, '2026-06-02', 300, 100)`,
    );
    expect((await addEntry(machine)).operating_time).toBe(5600);
    expect((await addEntry(machine, { operating_time: 77 })).operating_time).toBe(77);
  });

  test('has a summary of its day and kind in the caller’s language', async () => {
    const machine = await addMachine();
    expect((await addEntry(machine, { kind: 'repair' })).summary).toBe('01.06.2026 · Repair');
  });

  test('is rejected in the future, and cannot move to another machine', async () => {
    const machine = await addMachine();
    expect(
      await requestErrors(world.admin, 'POST', 'service_entries', { machine_id: machine, date: '2027-02-01' }),
    ).toEqual([422, { date: ['Date must not lie in the future.'] }]);
    const { id } = await addEntry(machine);
    expect(
      (await requestErrors(world.admin, 'PATCH', `service_entries/${id}`, { machine_id: world.north.machines[0] }))[0],
    ).toBe(422);
  });

  test('of an operator neither returns nor accepts costs', async () => {
    const machine = await addMachine();
    const { operator } = world.north.users;
    expect(await addEntry(machine, { note: 'Nozzle cleaned' }, operator)).not.toHaveProperty('cost');
    expect(
      await requestErrors(operator, 'POST', 'service_entries', { machine_id: machine, date: '2026-06-01', cost: '5' }),
    ).toEqual([422, { cost: ['Cost is not a known field.'] }]);
    expect(
      (await app.call(operator, 'POST', 'service_entries', { machine_id: world.south.machines[0], date: '2026-06-01' }))
        .status,
    ).toBe(422);
  });
});

describe('file of a service entry', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const upload = (caller: number, id: number, { name = 'photo.png', content = png } = {}) =>
    uploadFile<{ data: { file_name: string } }>(app, caller, `service_entries/${id}/file`, { name, content });

  test('must be a document or a photo according to its content', async () => {
    const { id } = await addEntry(await addMachine());
    expect((await upload(world.admin, id, { name: 'photo.pdf' })).status).toBe(422);
    expect((await upload(world.admin, id, { name: 'page.png', content: Buffer.from('<html>') })).status).toBe(422);
    expect((await upload(world.admin, id)).body.data.file_name).toBe('photo.png');
    const file = await app.call(world.admin, 'GET', `service_entries/${id}/file`);
    expect([file.status, file.bytes.equals(png), file.headers['content-disposition']]).toEqual([
      200,
      true,
      expect.stringContaining('attachment'),
    ]);
    expect((await app.call(world.admin, 'DELETE', `service_entries/${id}/file`)).status).toBe(204);
    expect((await app.call(world.admin, 'GET', `service_entries/${id}/file`)).status).toBe(404);
  });

  test('can be added by an operator, and replaced only with edit permission', async () => {
    const machine = await addMachine();
    const { operator, customer_admin } = world.north.users;
    const { id } = await addEntry(machine, {}, operator);
    expect((await upload(operator, id)).status).toBe(201);
    // Simulates a retry after a lost response.
    expect((await upload(operator, id)).status).toBe(201);
    expect((await upload(operator, id, { name: 'other.png' })).status).toBe(403);
    expect((await upload(customer_admin, id, { name: 'other.png' })).status).toBe(201);
    expect((await upload(operator, id)).status).toBe(403);
    expect((await app.call(operator, 'DELETE', `service_entries/${id}/file`)).status).toBe(403);
    expect((await app.call(world.south.users.operator, 'GET', `service_entries/${id}/file`)).status).toBe(404);
  });
});

describe('the next service', () => {
  const addPlan = (values: object, caller = world.admin) =>
    request<{ id: number }>(caller, 'POST', 'service_plans', { name: 'Yearly', ...values });

  test('is due by the plan after the last maintenance; a repair does not postpone it', async () => {
    const machine = await addMachine({ next_service_due: '2030-01-01' });
    const { id } = await addPlan({ machine_id: machine, every_months: 12 });
    expect((await readMachine(machine)).next_service_due).toBe('2027-01-10');
    await addEntry(machine, { date: '2026-06-01' });
    await addEntry(machine, { date: '2026-12-01', kind: 'repair' });
    expect((await readMachine(machine)).next_service_due).toBe('2027-06-01');
    await request(world.admin, 'PATCH', `service_plans/${id}`, { every_months: 3 });
    expect((await readMachine(machine)).next_service_due).toBe('2026-09-01');
    expect(
      await requestErrors(world.admin, 'PATCH', `machines/${machine}`, { next_service_due: '2028-01-01' }),
    ).toEqual([422, { next_service_due: ['Next service due follows from the service plan of the machine.'] }]);
    await request(world.admin, 'PATCH', `service_plans/${id}`, { is_active: false });
    await request(world.admin, 'PATCH', `machines/${machine}`, { next_service_due: '2028-01-01' });
  });

  test('is forecast from the operating hours of the last thirty days', async () => {
    const machine = await addMachine();
    await app.db.rows(sql`
      insert into machine_days (machine_id, day, cleaning) select ${machine}, d::date, 7200 from generate_series('2026-10-01'::date, '2027-01-14'::date, interval '1 day') d`);
    await app.db.rows(sql`update machines_state set operating_time = 106 * 7200 where id = ${machine}`);
    await addEntry(machine, { date: '2026-12-31' });
    await addPlan({ machine_id: machine, every_hours: 100 });
    // 14 days of 2 h each are used; the remaining 72 h are used up at 2 h a day.
    expect((await readMachine(machine)).next_service_due).toBe('2027-02-20');
    const serviceState = await request<{ due: string; overdue: boolean; reason: string }>(
      world.north.users.operator,
      'GET',
      `machines/${machine}/service`,
    );
    expect(serviceState).toMatchObject({
      due: '2027-02-20',
      overdue: false,
      reason: 'about 20.02.2027: 28 of 100 h used, 2 h a day',
    });
    // After another week of the same usage, the periodic task updates the date.
    app.services.now = () => new Date('2027-01-22T10:00:00Z');
    await app.db.rows(sql`update machines_state set operating_time = 106 * 7200 + 60 * 3600 where id = ${machine}`);
    await refreshDueDates(app.services);
    app.services.now = () => new Date('2027-01-15T10:00:00Z');
    expect((await readMachine(machine)).next_service_due).toBe('2027-01-30');
  });

  test('is due by the plan of the machine’s type unless the machine has its own', async () => {
    const type = await add(app.db, 'types', { name: 'Scrubber S9' });
    const [first, second] = [await addMachine({ type_id: type }), await addMachine({ type_id: type })];
    await addPlan({ machine_id: first, every_months: 24 });
    const { id } = await addPlan({ type_id: type, every_months: 6 });
    expect([(await readMachine(first)).next_service_due, (await readMachine(second)).next_service_due]).toEqual([
      '2028-01-10',
      '2026-07-10',
    ]);
    const otherType = await add(app.db, 'types', { name: 'Scrubber S10' });
    await addPlan({ type_id: otherType, every_months: 1 });
    await request(world.admin, 'PATCH', `machines/${second}`, { type_id: otherType });
    expect((await readMachine(second)).next_service_due).toBe('2026-02-10');
    expect((await app.call(world.north.users.country_manager, 'GET', `service_plans/${id}`)).status).toBe(404);
  });

  test.each([
    ['one statement', () => world.admin],
    ['a transaction', () => world.north.users.country_manager],
  ])('is set for a new machine of the type that is created by %s', async (_, creator) => {
    const type = await add(app.db, 'types', { name: `Scrubber ${Math.random()}` });
    const createMachine = (values: object = {}) =>
      request<Machine & { version: number }>(creator(), 'POST', 'machines', {
        serial_number: `NEW-${Math.random()}`,
        fleet_id: world.north.fleets[0],
        type_id: type,
        ...values,
      });
    const readAuditedDueDate = async (id: number) => {
      const entry = await app.db.selectOne(
        { due: pg.json().nullable },
        sql`select detail -> 'next_service_due' as due from audit where entity = 'machines' and record_id = ${id}`,
      );
      return entry?.due;
    };
    const unplannedMachine = await createMachine();
    expect([unplannedMachine.next_service_due, await readAuditedDueDate(unplannedMachine.id)]).toEqual([null, null]);
    expect((await createMachine({ next_service_due: '2030-01-01' })).next_service_due).toBe('2030-01-01');
    await addPlan({ type_id: type, every_hours: 200 });
    const byHours = await createMachine({ next_service_due: '2030-01-01' });
    expect([byHours.next_service_due, await readAuditedDueDate(byHours.id)]).toEqual([null, null]);
    await addPlan({ type_id: type, every_months: 6 });
    await addPlan({ type_id: type, every_months: 12, every_hours: 100 });
    expect(await createMachine()).toMatchObject({ next_service_due: '2027-07-15', version: 1 });
    const machineWithPurchaseDate = await createMachine({
      purchase_date: '2026-12-01',
      next_service_due: '2030-01-01',
    });
    expect([machineWithPurchaseDate.next_service_due, await readAuditedDueDate(machineWithPurchaseDate.id)]).toEqual([
      '2027-06-01',
      [null, '2027-06-01'],
    ]);
    expect((await createMachine({ purchase_date: '2026-08-31' })).next_service_due).toBe('2027-02-28');
    await refreshDueDates(app.services);
    expect(await readMachine(machineWithPurchaseDate.id)).toMatchObject({ next_service_due: '2027-06-01', version: 1 });
  });

  test('is planned for either a machine or a type, by months or hours, within the scope of the plan’s creator', async () => {
    const machine = await addMachine();
    expect(
      await requestErrors(world.admin, 'POST', 'service_plans', {
        name: 'Both',
        machine_id: machine,
        type_id: world.type,
        every_months: 1,
      }),
    ).toEqual([422, { type_id: ['Choose either a machine or a machine type.'] }]);
    expect((await requestErrors(world.admin, 'POST', 'service_plans', { name: 'Neither' }))[1]).toMatchObject({
      machine_id: expect.anything(),
      every_hours: expect.anything(),
    });
    expect(
      (
        await requestErrors(world.north.users.country_manager, 'POST', 'service_plans', {
          name: 'All',
          type_id: world.type,
          every_months: 1,
        })
      )[0],
    ).toBe(422);
  });
});

describe('costs', () => {
  interface Costs {
    service: string;
    depreciation: string;
    total: string;
    cleaning: number;
    area_m2: number;
    per_cleaning_hour: string | null;
    per_m2: string | null;
  }
  const readCosts = (machine: number, from: string, to: string) =>
    request<Costs>(world.admin, 'GET', `machines/${machine}/costs?from=${from}&to=${to}`);

  test('are service and depreciation of the period, divided by the cleaned area', async () => {
    const machine = await addMachine({ price: '3650.00', depreciation_rate: 10, purchase_date: '2026-01-01' });
    await app.db.rows(sql`
      insert into machine_days (machine_id, day, cleaning, area_m2) values (${machine}, '2026-06-01', 3600, 500), (${machine}, '2026-06-10', 1800, 125), (${machine}, '2026-07-01', 9999, 9)`);
    await addEntry(machine, { date: '2026-06-30', cost: '20.50' });
    await addEntry(machine, { date: '2026-07-01', cost: '900' });
    expect(await readCosts(machine, '2026-06-01', '2026-06-30')).toMatchObject({
      service: '20.50',
      depreciation: '30.00',
      total: '50.50',
      cleaning: 5400,
      area_m2: 625,
      per_cleaning_hour: '33.67',
      per_m2: '0.0808',
    });
    expect(await readCosts(machine, '2025-01-01', '2025-12-31')).toMatchObject({
      total: '0.00',
      per_cleaning_hour: null,
      per_m2: null,
    });
    expect((await app.call(world.north.users.operator, 'GET', `machines/${machine}/costs`)).status).toBe(403);
    expect((await app.call(world.south.users.partner, 'GET', `machines/${machine}/costs`)).status).toBe(404);
  });

  test('of adjacent periods add up to the cent', async () => {
    const machine = await addMachine({ price: '9999.99', depreciation_rate: 12.5, purchase_date: '2024-02-29' });
    const periods = await Promise.all([
      readCosts(machine, '2024-01-01', '2025-03-03'),
      readCosts(machine, '2025-03-04', '2028-12-31'),
      readCosts(machine, '2029-01-01', '2033-12-31'),
    ]);
    const cents = periods.reduce((sum, { depreciation }) => sum + BigInt(depreciation.replace('.', '')), 0n);
    expect(cents).toBe(999_999n);
  });
});

describe('book value', () => {
  const day = fc
    .date({ min: new Date('2010-01-01'), max: new Date('2045-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const cents = (amount: string) => BigInt(amount.replace('.', ''));

  test('of any machine falls from its price to 0 without ever rising, and equals the value in the list', async () => {
    const machine = await addMachine();
    const readBookValue = async (date: string) =>
      (await request<{ book_value: string }>(world.admin, 'GET', `machines/${machine}/book_value?on=${date}`))
        .book_value;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          price: fc.integer({ min: 0, max: 99_999_999 }),
          rate: fc.integer({ min: 0, max: 1000 }),
          purchaseDay: day,
          days: fc.tuple(day, day),
        }),
        async ({ price, rate, purchaseDay, days }) => {
          const amount = `${Math.trunc(price / 100)}.${String(price % 100).padStart(2, '0')}`;
          await app.db.rows(
            sql`update machines set price = ${amount}::numeric, depreciation_rate = ${rate / 10},
              purchase_date = ${purchaseDay} where id = ${machine}`,
          );
          const [earliestDay, latestDay] = [...days].sort() as [string, string];
          const values = [await readBookValue(earliestDay), await readBookValue(latestDay)].map(cents) as [
            bigint,
            bigint,
          ];
          expect(values[0] <= BigInt(price) && values[1] <= values[0] && values[1] >= 0n).toBe(true);
          if (earliestDay <= purchaseDay) expect(values[0]).toBe(BigInt(price));
          const today = (
            await app.db.selectOne({ day: pg.text }, sql`select (now() at time zone 'UTC')::date::text as day`)
          )?.day as string;
          const { body } = await app.call<{ data: { book_value: string }[] }>(
            world.admin,
            'GET',
            `machines?filter[id]=${machine}`,
          );
          expect(body.data[0]?.book_value).toBe(await readBookValue(today));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('sorts the list, and is absent for users without price permission', async () => {
    const sortResponse = await app.call<{ data: { book_value: string | null }[] }>(
      world.admin,
      'GET',
      'machines?sort=-book_value&per_page=100',
    );
    const values = sortResponse.body.data.flatMap(({ book_value }) =>
      book_value === null ? [] : [Number(book_value)],
    );
    expect(values.length).toBeGreaterThan(1);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect((await app.call(world.north.users.customer_admin, 'GET', 'machines?sort=-book_value')).status).toBe(400);
  });
});
