/** HTTP rules of every call: headers, bodies, limits, and responses to programs and browsers on unknown paths. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../server/app/buildApp';
import { listenForMetrics } from '../../server/app/listenForMetrics';
import { createRateLimitHook } from '../../server/auth/rateLimit';
import type { ApiError } from '../../server/context/errors';
import { DatabaseAway } from '../../server/db/core/database';
import { freePort } from '../support/startCluster';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  message: string;
  errors?: Record<string, string[]>;
  id?: string;
  data?: { id: number; name: string };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { CORS_ORIGINS: 'https://partner.example' } }));
});
afterAll(() => app.close());

const post = (path: string, body: string | Buffer | object, type = 'application/json') =>
  app.call<ResponseBody>(world.admin, 'POST', path, body, { 'content-type': type });

describe('headers', () => {
  test.each([
    '/api/v1/machines',
    '/api/v1/openapi.json',
    '/healthz',
    '/nowhere',
    '/storage/images/none.png',
    '/api/docs/static/index.html',
  ])('apply to %s', async (path) => {
    const { headers } = await app.call(world.admin, 'GET', path);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBeTruthy();
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  test.each(['http:', 'https:'])('allow a logo with an accepted URL: %s', async (scheme) => {
    const image = `${scheme}//logos.example.org/logo.png`;
    expect((await app.call(world.admin, 'PUT', `clients/${world.north.client}`, { image })).status).toBe(200);
    const { headers } = await app.call(undefined, 'GET', '/healthz');
    expect(headers['content-security-policy']).toMatch(new RegExp(`img-src[^;]* ${scheme}( |;)`));
  });

  test('forbid caches from storing private responses', async () => {
    for (const path of ['machines', 'nothing'])
      expect((await app.call(world.admin, 'GET', path)).headers['cache-control']).toBe('no-store');
  });

  test('let only configured origins read responses', async () => {
    const callFrom = (origin: string) => app.call(world.admin, 'GET', 'machines', undefined, { origin });
    expect((await callFrom('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
    expect((await callFrom('https://partner.example')).headers['access-control-allow-origin']).toBe(
      'https://partner.example',
    );
    const preflight = await app.call(undefined, 'OPTIONS', 'machines', undefined, {
      origin: 'https://partner.example',
      'access-control-request-method': 'PUT',
    });
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ]);
    const rejection = await app.call(undefined, 'OPTIONS', 'machines', undefined, {
      origin: 'https://evil.example',
      'access-control-request-method': 'PUT',
    });
    expect(rejection.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('include Strict-Transport-Security behind TLS', async () => {
    const tls = await buildApp({
      ...app.services,
      env: { ...app.services.env, publicUrl: 'https://fleet.example.org' },
    });
    const response = await tls.inject('/healthz');
    expect(response.headers['strict-transport-security']).toContain('max-age=');
    await tls.close();
  });

  test('accept forwarded addresses only from trusted proxies', async () => {
    const readHsts = async (trustedProxies: string[]) => {
      const builtApp = await buildApp({ ...app.services, env: { ...app.services.env, trustedProxies } });
      const { headers } = await builtApp.inject({ url: '/healthz', headers: { 'x-forwarded-proto': 'https' } });
      await builtApp.close();
      return headers['strict-transport-security'];
    };
    expect(await readHsts([])).toBeUndefined();
    expect(await readHsts(['10.0.0.0/8'])).toBeUndefined();
    expect(await readHsts(['127.0.0.1'])).toContain('max-age=');
  });
});

const textPart = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

describe('bodies', () => {
  test.each([
    ['malformed JSON', '{"name":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['nesting deeper than 32 levels', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['a list', '[]'],
    ['a string', '"x"'],
  ])('rejects %s with 400', async (_, body) => {
    const { status, body: response } = await post('countries', body);
    expect([status, Object.keys(response)]).toEqual([400, ['message']]);
  });

  test('rejects more than 1 MB with 413 and an unsupported type with 415', async () => {
    expect((await post('countries', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))).status).toBe(413);
    for (const type of ['text/plain', 'application/xml', 'text/json; charset=utf-8'])
      expect((await post('countries', '{"name":"X"}', type)).status).toBe(415);
  });

  test('rejects compressed bodies with 415, but accepts other values of Content-Encoding', async () => {
    const send = (encoding: string, body: string | Buffer, path = 'countries') =>
      app.call<ResponseBody>(world.admin, 'POST', path, body, {
        'content-type': 'application/json',
        'content-encoding': encoding,
      });
    for (const path of ['countries', 'ingest', '/ingest/tb/api/v1/x/telemetry'])
      for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'identity, gzip']) {
        const { status, headers } = await send(encoding, gzipSync('{"name":"Packed"}'), path);
        expect([encoding, status, headers['accept-encoding']]).toEqual([encoding, 415, 'identity']);
      }
    for (const encoding of ['identity', 'utf-8'])
      expect((await send(encoding, `{"name":"Plain ${encoding}"}`)).status).toBe(201);
  });

  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ])('rejects %s as an unknown field by name', async (key) => {
    const { status, body } = await post('countries', `{"name":"Proto ${key}","${key}":{"admin":true}}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual([key]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect((await post('login', `{"${key}":{"a":1}}`)).body.errors).toHaveProperty([key]);
  });

  test('validates values in the same way in every content type', async () => {
    const types: [string, string][] = [
      ['application/json', '{"name":"","bogus":1}'],
      ['application/vnd.api+json; charset=utf-8', '{"name":"","bogus":1}'],
      ['application/x-www-form-urlencoded', 'name=&bogus=1'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\n\r\n--b\r\ncontent-disposition: form-data; name="bogus"\r\n\r\n1\r\n--b--\r\n',
      ],
    ];
    for (const [type, body] of types) {
      const { status, body: response } = await post('countries', body, type);
      expect([type, status, Object.keys(response.errors ?? {}).sort()]).toEqual([type, 422, ['bogus', 'name']]);
    }
  });

  test.each([
    ['without a boundary', 'multipart/form-data', 'x', 400],
    [
      'that is truncated',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx',
      400,
    ],
    [
      'with over 1 MB in a text',
      'multipart/form-data; boundary=b',
      `${textPart('name', 'x'.repeat(1024 * 1024 + 1))}--b--\r\n`,
      413,
    ],
    [
      'with over 1 MB in many texts',
      'multipart/form-data; boundary=b',
      `${textPart('name', 'x'.repeat(300_000)).repeat(4)}--b--\r\n`,
      413,
    ],
    [
      'with a field __proto__',
      'multipart/form-data; boundary=b',
      `${textPart('name', 'Form')}${textPart('__proto__', '1')}--b--\r\n`,
      422,
    ],
    [
      'with a field constructor',
      'multipart/form-data; boundary=b',
      `${textPart('name', 'Form')}${textPart('constructor', '1')}--b--\r\n`,
      422,
    ],
  ])('rejects a form %s', async (_, type, body, status) => {
    const response = await post('countries', body, type);
    expect(response.status).toBe(status);
    expect(response.body.message).not.toBe('');
    if (status === 422) expect(Object.keys(response.body.errors ?? {})).toHaveLength(1);
  });

  test('accepts the method in a header, query parameter or field', async () => {
    const createResponse = await post('countries', { name: 'Meant' });
    const path = `countries/${createResponse.body.data?.id}`;
    const headerResponse = await app.call<ResponseBody>(
      world.admin,
      'POST',
      path,
      { name: 'By header' },
      { 'x-http-method-override': 'put' },
    );
    expect(headerResponse.body.data?.name).toBe('By header');
    expect((await post(`${path}?_method=PATCH`, { name: 'By query' })).body.data?.name).toBe('By query');
    expect((await post(path, '_method=PUT&name=By+field', 'application/x-www-form-urlencoded')).body.data?.name).toBe(
      'By field',
    );
    expect((await app.call(world.admin, 'GET', path, undefined, { 'x-http-method-override': 'DELETE' })).status).toBe(
      200,
    );
    expect((await app.call(world.admin, 'POST', path, undefined, { 'x-http-method-override': 'DELETE' })).status).toBe(
      204,
    );
  });
});

describe('responses', () => {
  test('to programs are 404 on unknown paths', async () => {
    for (const path of ['/api/v1/nothing', '/api/nothing', '/ingest/nothing', '/assets/nothing.js', '/favicon.nothing'])
      expect((await app.call(undefined, 'GET', path)).body).toEqual({ message: 'Not found.' });
    expect((await app.call(undefined, 'POST', '/machines')).status).toBe(404);
  });

  test('to queries over 8 kB and malformed paths are 400', async () => {
    expect((await app.call(world.admin, 'GET', `machines?x=${'y'.repeat(9000)}`)).status).toBe(400);
    expect((await app.call(world.admin, 'GET', '/api/v1/machines/%ff')).status).toBe(400);
  });

  test('to an unexpected error contain an id but no details', async () => {
    const brokenDatabase = {
      ...app.services.db,
      select: async () => Promise.reject(new Error('select secret from inside')),
    };
    const builtApp = await buildApp({ ...app.services, db: brokenDatabase });
    const response = await builtApp.inject({
      url: '/api/v1/machines',
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ message: 'Server Error', id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await builtApp.close();
  });

  test('without a database are 503 with Retry-After; the process is alive but not ready', async () => {
    const failQuery = async () => Promise.reject(new DatabaseAway());
    const builtApp = await buildApp({
      ...app.services,
      db: {
        ...app.services.db,
        select: failQuery,
        selectOne: failQuery,
        rows: failQuery,
        one: failQuery,
        ready: failQuery,
      },
    });
    const response = await builtApp.inject({
      url: '/api/v1/machines',
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    });
    expect([response.statusCode, Number(response.headers['retry-after']) > 0]).toEqual([503, true]);
    expect((await builtApp.inject('/readyz')).statusCode).toBe(503);
    expect((await builtApp.inject('/healthz')).statusCode).toBe(200);
    await builtApp.close();
  });

  test('to readiness checks are public; to metrics they are 404 unless enabled', async () => {
    expect((await app.call(undefined, 'GET', '/readyz')).status).toBe(200);
    expect((await app.call(undefined, 'GET', '/metrics')).status).toBe(404);
    expect((await app.call(world.admin, 'GET', '/metrics', undefined, { accept: 'text/html' })).status).toBe(404);
  });

  test('to metrics require their token', async () => {
    const builtApp = await buildApp({ ...app.services, env: { ...app.services.env, metricsToken: 'scrape me' } });
    const readMetrics = (authorization?: string) =>
      builtApp.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
    expect([
      (await readMetrics()).statusCode,
      (await readMetrics('Bearer scrape')).statusCode,
      (await readMetrics('scrape me')).statusCode,
    ]).toEqual([401, 401, 401]);
    const { statusCode, body } = await readMetrics('Bearer scrape me');
    expect([statusCode, body]).toEqual([200, expect.stringContaining('http_requests_total{')]);
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).toMatch(/^row_mismatches 0$/m);
    await builtApp.close();
  });

  test('to metrics can use a separate port, with or without a token', async () => {
    for (const metricsToken of [undefined, 'scrape me']) {
      const metricsPort = await freePort();
      const url = `http://127.0.0.1:${metricsPort}/metrics`;
      const env = { ...app.services.env, metricsPort, metricsToken };
      const builtApp = await buildApp({ ...app.services, env });
      const close = await listenForMetrics(builtApp.metrics, env);
      expect(
        (await builtApp.inject({ url: '/metrics', headers: { authorization: 'Bearer scrape me' } })).statusCode,
      ).toBe(404);
      expect((await fetch(url)).status).toBe(metricsToken ? 401 : 200);
      expect(await (await fetch(url, { headers: { authorization: 'Bearer scrape me' } })).text()).toContain(
        'process_cpu_seconds_total',
      );
      expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
      await close();
      await builtApp.close();
    }
  });

  test('on servers without a demo contain neither logins nor the outbox', async () => {
    expect((await app.call(undefined, 'GET', 'demo')).body).toEqual({ data: [] });
    expect((await app.call(undefined, 'GET', '/api/dev/outbox')).status).toBe(404);
  });
});

describe('rate limit', () => {
  test('counts calls per caller and minute, but not health checks', async () => {
    let now = 1_000_000;
    const builtApp = await buildApp({ ...app.services, env: { ...app.services.env, rateLimit: true } });
    const response = await builtApp.inject({
      url: '/api/v1/machines',
      headers: { authorization: `Bearer ${await app.createSessionToken(world.admin)}` },
    });
    expect(response.headers['x-ratelimit-limit']).toBe('6000');
    expect(response.headers['x-ratelimit-remaining']).toBe('5999');
    expect((await builtApp.inject('/healthz')).headers['x-ratelimit-limit']).toBeUndefined();
    await builtApp.close();

    const limitRate = createRateLimitHook(2, () => now);
    const headers: Record<string, unknown> = {};
    const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) && reply };
    const findRejection = (address: string) => {
      let rejection: ApiError | undefined;
      limitRate({ address, headers: {}, routeOptions: { config: {} } } as never, reply as never, (error) => {
        rejection = error;
      });
      return rejection;
    };
    expect([findRejection('192.0.2.1'), findRejection('192.0.2.1')]).toEqual([undefined, undefined]);
    expect(findRejection('192.0.2.1')).toMatchObject({ status: 429, details: { headers: { 'Retry-After': '60' } } });
    expect(findRejection('192.0.2.2')).toBeUndefined();
    now += 60_000;
    expect(findRejection('192.0.2.1')).toBeUndefined();
    expect(headers['X-RateLimit-Remaining']).toBe(1);
  });
});
