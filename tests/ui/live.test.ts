import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventOf, readEvents } from '../../src/providers/readEvents';
import { applyUpdates } from '../../src/providers/useLive';

const oneKey = ['machines', 'getOne', { id: '7' }];
const listKey = ['machines', 'getList', { pagination: { page: 1 } }];
const manyKey = ['machines', 'getMany', { ids: ['7', '8'] }];
const otherKey = ['clients', 'getOne', { id: '7' }];

function createLoadedClient() {
  const client = new QueryClient();
  client.setQueryData(oneKey, { id: 7, status: 'Parked', battery: 80 });
  client.setQueryData(listKey, {
    data: [
      { id: 7, status: 'Parked' },
      { id: 8, status: 'Online' },
    ],
    total: 2,
  });
  client.setQueryData(manyKey, [{ id: 7, status: 'Parked' }]);
  client.setQueryData(otherKey, { id: 7, name: 'Nordic Clean' });
  return client;
}

describe('live events', () => {
  it('do not notify queries without the row, whose pages would render unnecessarily', () => {
    const client = createLoadedClient();
    let updates = 0;
    client.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') updates += 1;
    });
    applyUpdates(client, [{ topic: 'resource/machines/9', type: 'updated', payload: { status: 'Cleaning' } }]);
    expect(updates).toBe(0);
    applyUpdates(client, [{ topic: 'resource/machines/8', type: 'updated', payload: { status: 'Cleaning' } }]);
    expect(updates).toBe(1);
  });

  it('update the row in every query that contains it, and nothing else', () => {
    const client = createLoadedClient();
    applyUpdates(client, [{ topic: 'resource/machines/7', type: 'updated', payload: { status: 'Cleaning' } }]);
    expect(client.getQueryData(oneKey)).toEqual({ id: 7, status: 'Cleaning', battery: 80 });
    expect(client.getQueryData(listKey)).toEqual({
      data: [
        { id: 7, status: 'Cleaning' },
        { id: 8, status: 'Online' },
      ],
      total: 2,
    });
    expect(client.getQueryData(manyKey)).toEqual([{ id: 7, status: 'Cleaning' }]);
    expect(client.getQueryData(otherKey)).toEqual({ id: 7, name: 'Nordic Clean' });
  });

  it('of one burst are merged to the latest values', () => {
    const client = createLoadedClient();
    applyUpdates(client, [
      { topic: 'resource/machines/7', type: 'updated', payload: { battery: 79, status: 'Cleaning' } },
      { topic: 'resource/machines/7', type: 'updated', payload: { battery: 78 } },
    ]);
    expect(client.getQueryData(oneKey)).toEqual({ id: 7, status: 'Cleaning', battery: 78 });
  });

  it('about other rows keep the same objects, so that nothing renders again', () => {
    const client = createLoadedClient();
    const rowsBefore = [oneKey, listKey, manyKey].map((key) => client.getQueryData(key));
    applyUpdates(client, [{ topic: 'resource/machines/9', type: 'updated', payload: { status: 'Cleaning' } }]);
    expect([oneKey, listKey, manyKey].every((key, index) => client.getQueryData(key) === rowsBefore[index])).toBe(true);
  });
});

describe('server-sent events', () => {
  afterEach(() => void vi.useRealTimers());

  const stream = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
  const readAll = async (body: ReadableStream<Uint8Array>) => {
    const events = [];
    for await (const event of readEvents(body)) events.push(event);
    return events;
  };

  it('are parsed across chunks and line breaks', async () => {
    expect(
      await readAll(
        stream('id: 1\nda', 'ta: {"a":1}\n\n: ping\n\nid: 2\r', '\nevent: reset\ndata: x\r\ndata: y\r\n\r\n'),
      ),
    ).toEqual([
      { id: '1', event: 'message', data: '{"a":1}' },
      { id: '2', event: 'reset', data: 'x\ny' },
    ]);
  });

  it('end if nothing arrives any more, as after a cut cable', async () => {
    vi.useFakeTimers();
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void setTimeout(() => controller.enqueue(new TextEncoder().encode(': ping\n\n')), 40_000),
      cancel,
    });
    const next = readEvents(body, 45_000).next();
    const failure = expect(next).rejects.toThrow('silent');
    await vi.advanceTimersByTimeAsync(80_000);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    await failure;
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('are parsed without comments and incomplete events', async () => {
    expect(eventOf(': keep-alive')).toBeUndefined();
    expect(await readAll(stream('data: unfinished'))).toEqual([]);
  });
});
