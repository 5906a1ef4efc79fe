/** Messages and retries of pages while the server is unreachable or a call fails. */
import { QueryObserver } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { HttpError } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient, resumeQueries } from '../../src/app/queryClient';
import { fetchApi } from '../../src/providers/http';
import { isServerReachable, whenReachable } from '../../src/providers/reachability';
import { LoadFailed } from '../../src/ui/LoadFailed';
import { LoadingNotice } from '../../src/ui/LoadingNotice';

let isServerDown = false;

/** Responds to polls while the server is up, and never to calls. */
const answerPolls = (url: string) =>
  url !== '/healthz'
    ? new Promise<Response>(() => {})
    : isServerDown
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(Response.json({ status: 'ok' }));

beforeEach(async () => {
  vi.stubGlobal('fetch', vi.fn(answerPolls));
  await reachServer();
});
afterEach(async () => {
  cleanup();
  await reachServer();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function loseServer(): Promise<void> {
  isServerDown = true;
  void whenReachable();
  await vi.waitFor(() => expect(isServerReachable()).toBe(false));
}

async function reachServer(): Promise<void> {
  isServerDown = false;
  globalThis.dispatchEvent(new Event('online'));
  await whenReachable();
}

test('a loading page says that the server is unreachable, and continues when it is back', async () => {
  render(<LoadingNotice what="page" />);
  screen.getByText('list.loading_page');
  await loseServer();
  await screen.findByText('errors.network');
  await reachServer();
  await screen.findByText('list.loading_page');
});

test('a call without a response starts to poll whether the server is reachable', async () => {
  vi.useFakeTimers();
  isServerDown = true;
  void fetchApi('machines');
  await vi.advanceTimersByTimeAsync(5000);
  expect(isServerReachable()).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(isServerReachable()).toBe(false);
});

test.each([
  ['wait for their next attempt', () => Promise.reject(new HttpError('errors.network', 0))],
  ['never get a response', () => new Promise<never>(() => {})],
])('queries that %s are repeated as soon as the server is back', async (_, fail) => {
  const client = createQueryClient(() => {});
  const stop = resumeQueries(client);
  const queryFn = vi.fn<() => Promise<string>>(fail);
  const observer = new QueryObserver(client, { queryKey: ['rows'], queryFn, retryDelay: 3_600_000 });
  const unsubscribe = observer.subscribe(() => {});
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledOnce());
  await loseServer();
  queryFn.mockResolvedValue('rows');
  await reachServer();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('rows'));
  unsubscribe();
  stop();
});

test('failed queries and calls of the user are reported while the server is unreachable, too', async () => {
  const failures = vi.fn();
  const client = createQueryClient(failures);
  const fail = () => Promise.reject(new HttpError('errors.network', 0));
  await loseServer();
  await client.fetchQuery({ queryKey: ['rows'], queryFn: fail, retry: false }).catch(() => undefined);
  expect(failures).toHaveBeenCalledOnce();
  await client
    .getMutationCache()
    .build(client, { mutationFn: fail })
    .execute(undefined)
    .catch(() => undefined);
  expect(failures).toHaveBeenCalledTimes(2);
});

test('a page that could not be loaded without the server says that it continues by itself', () => {
  render(<LoadFailed title="Not loaded" error={new HttpError('errors.network', 0)} onRetry={() => {}} />);
  screen.getByText('errors.network errors.resumes');
});
