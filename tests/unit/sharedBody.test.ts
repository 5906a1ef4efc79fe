import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { createSharedBody, encodingFor } from '../../server/http/sharedBody';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR; q=0.1', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  [undefined, undefined],
])('for the encodings %s a response uses %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

test('a body is loaded again only if loading it failed', async () => {
  const load = vi.fn(async () => Buffer.from('text')).mockRejectedValueOnce(new Error('EMFILE'));
  const sendBody = createSharedBody('text/plain', load);
  const sentBodies: unknown[] = [];
  const reply = { getHeader: () => undefined, header: () => reply, type: () => reply, send } as unknown as FastifyReply;
  function send(body: unknown) {
    sentBodies.push(body);
    return reply;
  }
  const request = { headers: {} } as FastifyRequest;
  await expect(sendBody(request, reply)).rejects.toThrow('EMFILE');
  for (let count = 0; count < 2; count += 1) await sendBody(request, reply);
  expect([sentBodies.map(String), load.mock.calls.length]).toEqual([['text', 'text'], 2]);
});
