/** Requests that are held open: what ends them. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createLongPolls, readPollTimeout } from '../../server/telemetry/routes/longPolls';

const openResponse = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;
const timeout = 60_000;

test('a poll ends when its client disconnects', async () => {
  const polls = createLongPolls();
  const response = openResponse();
  const poll = polls.hold('a', { response, timeout });
  response.emit('close');
  await poll;
  expect(response.listenerCount('close')).toBe(0);
});

test('a poll ends when the same key polls again, and no other', async () => {
  const polls = createLongPolls();
  const ended: string[] = [];
  const hold = (name: string, key: string) =>
    polls.hold(key, { response: openResponse(), timeout }).then(() => void ended.push(name));
  const all = [hold('first', 'a'), hold('other', 'b'), hold('second', 'a')];
  await all[0];
  expect(ended).toEqual(['first']);
  polls.close();
  await Promise.all(all);
  expect(ended.toSorted()).toEqual(['first', 'other', 'second']);
});

test('no poll is held for a client that is gone, or by a server that closes', async () => {
  const polls = createLongPolls();
  await polls.hold('a', { response: Object.assign(openResponse(), { destroyed: true }), timeout });
  polls.close();
  await polls.hold('a', { response: openResponse(), timeout });
});

test.each([
  [undefined, 60_000],
  ['', 60_000],
  ['0', 60_000],
  ['20', 20],
  ['999999999999999', 60_000],
])('timeout %s is %i ms', (value, milliseconds) => {
  expect(readPollTimeout(value)).toBe(milliseconds);
});
