/** Long polls: what ends them, and their timeout. */
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

test('a device holds a few polls; with one more the oldest ends, and none of another device', async () => {
  const polls = createLongPolls();
  const endedNames: string[] = [];
  const hold = (name: string, key: string) =>
    polls.hold(key, { response: openResponse(), timeout }).then(() => void endedNames.push(name));
  const heldPolls = [hold('other', 'b'), ...['1', '2', '3', '4'].map((name) => hold(name, 'a'))];
  await new Promise(setImmediate);
  expect(endedNames).toEqual([]);
  heldPolls.push(hold('5', 'a'));
  await heldPolls[1];
  expect(endedNames).toEqual(['1']);
  polls.close();
  await Promise.all(heldPolls);
  expect(endedNames.toSorted()).toEqual(['1', '2', '3', '4', '5', 'other']);
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
