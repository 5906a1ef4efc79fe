/** Issue 2, point 7: a device's message is on the screen of who may see it within a second, without a reload. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, report, type Visitor } from '../support/visit';

interface Machine {
  id: number;
  serial_number: string;
  tracker: { tracker_or_serial: string };
}

let house: House;
let admin: Visitor;
let machine: Machine;
beforeAll(async () => {
  house = await openHouse();
  admin = await house.visit('admin');
  const { data } = await admin.api<{ data: Machine[] }>(
    'GET',
    'machines?include=tracker&per_page=1&sort=-serial_number&filter[is_dummy]=false&filter[tracker.mode]=http&filter[status]=Offline',
  );
  machine = data[0] as Machine;
});
afterAll(() => house.close());

const said = (values: Record<string, string | number>) =>
  report({ id: machine.tracker.tracker_or_serial, timestamp: Math.floor(Date.now() / 1000), lat: 52.52, lon: 13.405, ...values });

test('7 Real input: the open list shows a new state within a second', async () => {
  await admin.open(`/machines?filter=${encodeURIComponent(JSON.stringify({ search: machine.serial_number }))}`);
  const row = admin.page.locator('main tbody tr').filter({ hasText: machine.serial_number });
  await row.waitFor();
  await admin.page.waitForTimeout(500);
  const asked = admin.calls.length;
  const began = performance.now();
  expect(await said({ status: 'cleaning', batt: 61 })).toBe(200);
  await row.getByText('Cleaning').waitFor({ timeout: 5000 });
  expect(performance.now() - began).toBeLessThan(1000);
  expect(admin.calls.slice(asked).filter((call) => call.includes('/machines?'))).toEqual([]);
});

test('7 Real input: the open page of the machine follows', async () => {
  await admin.open(`/machines/${machine.id}`);
  await admin.page.waitForTimeout(500);
  await said({ status: 'charging', batt: 62, timestamp: Math.floor(Date.now() / 1000) + 1 });
  await admin.page.getByText('Charging').first().waitFor({ timeout: 3000 });
  await admin.page
    .getByText(/^62\s?%$/)
    .first()
    .waitFor({ timeout: 3000 });
});

test('7 Real input: who may not see the machine hears nothing of it', async () => {
  const operator = await house.visit('operator');
  const { total } = await operator.api<{ total: number }>('GET', `machines?filter[id]=${machine.id}`);
  expect(total).toBe(0);
  const heard: string[] = [];
  await operator.open('/machines');
  await operator.page.exposeFunction('heard', (text: string) => heard.push(text));
  await operator.page.evaluate(
    async ({ token, id }) => {
      const answer = await fetch('/api/v1/events', { headers: { Authorization: `Bearer ${token}` } });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      const listen = async () => {
        for (;;) {
          const part = await reader?.read();
          if (!part || part.done) return;
          if (part.value.includes(`machines/${id}"`)) (window as unknown as { heard(text: string): void }).heard(part.value);
        }
      };
      void listen();
    },
    { token: operator.session?.token, id: machine.id },
  );
  await said({ status: 'parked', batt: 63, timestamp: Math.floor(Date.now() / 1000) + 2 });
  await operator.page.waitForTimeout(1500);
  expect(heard).toEqual([]);
});

test('7 Real input: an unknown device is refused and waits as an unassigned tracker', async () => {
  const id = `unknown-${Date.now()}`;
  expect(await report({ id, lat: 1, lon: 1 })).toBe(400);
  await admin.open('/admin/fleets/trackers');
  await admin.page.getByLabel('Search', { exact: true }).fill(id);
  await admin.page.getByText(/^1 result found$/).waitFor();
  const { data } = await admin.api<{ data: { assigned: boolean; last_seen: string | null }[] }>('GET', `trackers?filter[tracker_or_serial]=${id}`);
  expect(data).toMatchObject([{ assigned: false, last_seen: expect.any(String) }]);
});
