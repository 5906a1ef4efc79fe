/** What an uncaught error of the database driver does to the connections and to the process. */
import { beforeEach, expect, test, vi } from 'vitest';
import { faultHandler } from '../../server/app/faultGuard';
import { locationHooks } from '../../server/features/locations/locationHooks';

const db = { reset: vi.fn() };
const log = { warn: vi.fn(), error: vi.fn(), fatal: vi.fn() };
const exit = vi.fn();
beforeEach(() => vi.clearAllMocks());

/** An error that the driver throws or rejects with. */
const driverError = (error: Error): Error =>
  Object.assign(error, {
    stack: `${error}\n    at Socket.closed (/srv/node_modules/postgres/src/connection.js:453:57)`,
  });

test('a connection that was lost resets no other', () => {
  const handle = faultHandler({ db, log, exit });
  const lost = () => driverError(Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' }));
  for (let count = 0; count < 50; count += 1) handle(lost());
  expect(log.warn).toHaveBeenCalledTimes(50);
  expect([db.reset, log.error, exit].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
});

test('another fault of the driver replaces all connections, more than ten within a minute end the process', () => {
  const handle = faultHandler({ db, log, exit });
  for (let count = 0; count < 10; count += 1) handle(driverError(new TypeError('Cannot read properties of null')));
  expect([db.reset, exit].map(({ mock }) => mock.calls.length)).toEqual([10, 0]);
  handle(driverError(new TypeError('Cannot read properties of null')));
  expect(exit).toHaveBeenCalledTimes(1);
});

test('any other error ends the process', () => {
  faultHandler({ db, log, exit })(new Error('A bug'));
  expect([db.reset, exit].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});

test('events of moved machines that cannot be published are logged, and end no process', async () => {
  const log = { warn: vi.fn() };
  const services = {
    db: { select: async () => [{ id: 1 }] },
    live: { publish: async () => Promise.reject(new Error('The database is away.')) },
    log,
  };
  const change = { services, id: 1, action: 'edit', values: { fleet_id: 2 } };
  await locationHooks.afterCommit?.(change as never);
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce());
});
