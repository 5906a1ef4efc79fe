/**
 * The react-admin example in `examples/json-server` against a running server. Separate calls check what it lists, edits
 * and creates.
 */
import { cleanup, configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { App } from '../../examples/json-server/App';
import { type Server, startServer } from '../support/startServer';

// The server is a separate process, and the test machine may be busy.
const startTimeout = 10 * 60_000;
configure({ asyncUtilTimeout: 60_000 });

const email = 'admin@example.com';
const password = 'Example!Password1';
/** Node's own fetch. In jsdom, URLs lack a host, and Node's fetch rejects jsdom's AbortSignal. */
const nodeFetch = globalThis.fetch;
let server: Server;
let token: string;

interface MachineRow {
  id: number;
  serial_number: string;
  note: string | null;
  fleet_id: number;
}

async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await nodeFetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([path, response.ok]).toEqual([path, true]);
  return (await response.json()) as T;
}
const add = async (resource: string, values: object): Promise<number> =>
  (await api<{ data: { id: number } }>('POST', resource, values)).data.id;
const readMachines = async (): Promise<MachineRow[]> =>
  (await api<{ data: MachineRow[] }>('GET', 'machines?sort=id')).data;

beforeAll(async () => {
  server = await startServer({
    fromSources: true,
    env: { SWEEPLINE_DEMO: '0', SWEEPLINE_ADMIN_EMAIL: email, SWEEPLINE_ADMIN_PASSWORD: password },
  });
  token = (await api<{ token: string }>('POST', 'login', { email, password })).token;
  const country_id = await add('countries', { name: 'Exampleland' });
  const address = { building: '1', street: 'Street', city: 'City', postal_code: '01067', sms_activation: false };
  const client_id = await add('clients', { name: 'Example', country_id, ...address });
  const fleet_id = await add('fleets', { name: 'North', color: '#0b7a75', client_id });
  const type_id = await add('types', { name: 'Scrubber', tracking: true });
  await add('machines', { serial_number: 'SN-1', fleet_id, type_id });
  await add('machines', { serial_number: 'SN-2', fleet_id, type_id });
  vi.stubGlobal('fetch', (input: string | Request, init: RequestInit = {}) => {
    const { url, method, headers, body } = typeof input === 'string' ? { url: input, ...init } : input;
    return nodeFetch(new URL(url, server.url).href, {
      method,
      headers: [...new Headers(headers)],
      body,
    } as RequestInit);
  });
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: true,
    media,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));
  vi.stubGlobal('scrollTo', () => {});
}, startTimeout);
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});
afterEach(cleanup);

test(
  'signs in, lists, edits and creates machines',
  async () => {
    const user = userEvent.setup();
    render(<App />);
    await user.type(await screen.findByLabelText(/Username/), email);
    await user.type(screen.getByLabelText(/^Password/), password);
    await user.click(screen.getByRole('button', { name: /Sign in/ }));

    await user.click(await screen.findByText('SN-1'));
    expect(await screen.findAllByText('North')).not.toEqual([]);
    await user.type(await screen.findByLabelText(/Note/), 'Edited here');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(async () => expect((await readMachines())[0]?.note).toBe('Edited here'), 60_000);

    await user.click(await screen.findByRole('link', { name: 'Create' }));
    await user.type(await screen.findByLabelText(/Serial number/), 'SN-2');
    for (const [field, choice] of [
      ['Fleet', 'North'],
      ['Type', 'Scrubber'],
    ] as const) {
      await user.click(await screen.findByRole('combobox', { name: new RegExp(field) }));
      await user.click(await screen.findByRole('option', { name: choice }));
    }
    await user.click(screen.getByRole('button', { name: 'Save' }));
    // Errors of the server are shown at their field, in the server's words.
    expect(await screen.findByText('Serial number is already in use.', { selector: 'p, p *' })).toBeTruthy();
    expect(await readMachines()).toHaveLength(2);

    await user.type(screen.getByLabelText(/Serial number/), '9');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(
      async () => expect((await readMachines()).map((row) => row.serial_number)).toEqual(['SN-1', 'SN-2', 'SN-29']),
      60_000,
    );
  },
  startTimeout,
);
