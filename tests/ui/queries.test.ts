import { HttpError } from 'react-admin';
import { describe, expect, it } from 'vitest';
import { createQueryClient, retryDelay, shouldRetry } from '../../src/app/queryClient';

describe('queries', () => {
  it('wait 1 s before the first retry, then twice as long each time, but at most 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('are retried three times when the server is unreachable or fails', () => {
    for (const error of [new HttpError('away', 0), new HttpError('Server Error', 500), new TypeError('x')])
      expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, error))).toEqual([true, true, true, false]);
  });

  it.each([400, 401, 403, 404, 422, 429])('are not retried after %i', (status) => {
    expect(shouldRetry(0, new HttpError('refused', status))).toBe(false);
  });

  it('do not refetch on focus and are cached for 5 minutes; mutations are never retried', () => {
    const { queries, mutations } = createQueryClient(() => undefined).getDefaultOptions();
    expect(queries).toMatchObject({ refetchOnWindowFocus: false, gcTime: 300_000 });
    expect(mutations).toMatchObject({ retry: 0 });
  });

  it('report every failure except quiet ones', async () => {
    const errors: unknown[] = [];
    const client = createQueryClient((error) => errors.push(error));
    const fail = (name: string) => () => Promise.reject(new HttpError(name, 404));
    await client.fetchQuery({ queryKey: ['loud'], queryFn: fail('loud') }).catch(() => undefined);
    await client
      .fetchQuery({ queryKey: ['quiet'], queryFn: fail('quiet'), meta: { quiet: true } })
      .catch(() => undefined);
    expect(errors).toMatchObject([{ message: 'loud' }]);
  });
});
