/**
 * Compares all headers of every response completely, so that no library can change one unnoticed. Spaces after
 * semicolons of the policy have no meaning and are ignored.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../server/app/buildApp';
import { startTestApp, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let otherApp: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  otherApp = await startTestApp({ env: { CORS_ORIGINS: 'https://partner.example https://two.example' } });
});
afterAll(async () => {
  await app.close();
  await otherApp.close();
});

const expectedHeaders = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), payment=(), usb=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const exposedHeaders =
  'ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Total-Count, Content-Disposition, Precognition, ' +
  'Precognition-Success';
const preflight = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept-Language, If-Match, Idempotency-Key, Precognition, Precognition-Validate-Only, Last-Event-ID',
  'access-control-max-age': '600',
};
const contentHeaders = [
  'content-type',
  'content-length',
  'date',
  'connection',
  'transfer-encoding',
  'etag',
  'x-total-count',
];

/** All headers except those about the content. */
const withoutContentHeaders = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !contentHeaders.includes(name))
      .map(([name, value]) => [name, value?.replaceAll('; ', name === 'content-security-policy' ? ';' : '; ')]),
  );

describe('every header of', () => {
  test.each([
    ['GET', '/api/v1/machines', 200],
    ['GET', '/api/v1/machines/999999', 404],
    ['POST', '/api/v1/countries', 422],
    ['GET', '/api/nothing', 404],
    ['POST', '/ingest/nothing', 404],
    ['OPTIONS', '/api/v1/machines', 404],
  ] as const)('a private response: %s %s', async (method, path, status) => {
    const response = await app.call(world.admin, method, path, method === 'POST' ? {} : undefined);
    expect(response.status).toBe(status);
    expect(withoutContentHeaders(response.headers)).toEqual({ ...expectedHeaders, 'cache-control': 'no-store' });
  });

  test.each([
    ['/healthz', 200],
    ['/assets/nothing.js', 404],
    ['/storage/images/none.png', 404],
  ] as const)('a public response: %s', async (path, status) => {
    const response = await app.call(undefined, 'GET', path);
    expect([response.status, withoutContentHeaders(response.headers)]).toEqual([status, expectedHeaders]);
  });

  test('behind TLS, Strict-Transport-Security is added', async () => {
    const hsts = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
    const env = { ...app.services.env, publicUrl: 'https://fleet.example.org' };
    const tls = await buildApp({ ...app.services, env });
    expect(withoutContentHeaders((await tls.inject('/healthz')).headers as Record<string, string>)).toEqual({
      ...expectedHeaders,
      ...hsts,
    });
    await tls.close();
  });
});

describe('with CORS_ORIGINS', () => {
  const callWith = async (method: 'GET' | 'OPTIONS', headers: Record<string, string>) => {
    const response = await otherApp.call(undefined, method, '/api/v1/machines', undefined, headers);
    return [response.status, withoutContentHeaders(response.headers)];
  };
  const commonHeaders = { ...expectedHeaders, 'cache-control': 'no-store', vary: 'Origin' };
  const allowedHeaders = (origin: string) => ({
    ...commonHeaders,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  });

  test.each([
    'https://partner.example',
    'https://two.example',
  ])('%s can send requests and read responses', async (origin) => {
    expect(await callWith('GET', { origin })).toEqual([401, allowedHeaders(origin)]);
    expect(await callWith('OPTIONS', { origin })).toEqual([404, allowedHeaders(origin)]);
    expect(await callWith('OPTIONS', { origin, 'access-control-request-method': 'PUT' })).toEqual([
      204,
      { ...allowedHeaders(origin), ...preflight },
    ]);
  });

  test.each([
    'https://evil.example',
    'https://partner.example.evil.example',
    'https://PARTNER.example',
    'http://partner.example',
    'null',
    '*',
    '',
  ])('other origins cannot: %s', async (origin) => {
    expect(await callWith('GET', { origin })).toEqual([401, commonHeaders]);
    expect(await callWith('OPTIONS', { origin, 'access-control-request-method': 'PUT' })).toEqual([404, commonHeaders]);
  });

  test('a preflight response has no content length', async () => {
    const { headers } = await otherApp.call(undefined, 'OPTIONS', '/api/v1/machines', undefined, {
      origin: 'https://two.example',
      'access-control-request-method': 'PUT',
    });
    expect(headers['content-length']).toBeUndefined();
  });
});
