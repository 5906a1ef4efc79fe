/** The OpenAPI document is valid, and describes the calls that are served and no others. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoutes } from '../support/listRoutes';
import { startTestApp, type TestApp } from '../support/startTestApp';

interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

describe('OpenAPI', () => {
  let server: TestApp;
  let document: Document;

  beforeAll(async () => {
    server = await startTestApp();
    document = (await server.call<Document>(undefined, 'GET', 'openapi.json')).body;
  });
  afterAll(() => server.close());

  test('the document is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await lintDocument(document)).toEqual([]);
  });

  test('the documentation page reads the same calls as valid OpenAPI 3.0', async () => {
    const { body } = await server.call<Document>(undefined, 'GET', '/api/docs/json');
    expect(body.openapi).toBe('3.0.3');
    expect(await lintDocument(body)).toEqual([]);
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
    expect(JSON.stringify(body)).not.toMatch(/"type":(\["|"null")|"const":[^{]/);
  });

  test.each([
    '/api/v1/openapi.json',
    '/api/docs/json',
    '/api/docs/static/swagger-ui-bundle.js',
    '/api/docs/static/swagger-ui.css',
  ])('%s is sent compressed, and only once', async (path) => {
    const get = (headers: Record<string, string>) => server.app.inject({ url: path, headers });
    const plainResponse = await get({});
    expect(plainResponse.headers['content-encoding']).toBeUndefined();
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packedResponse = await get({ 'accept-encoding': `${encoding}, identity` });
      expect(packedResponse.headers).toMatchObject({ 'content-encoding': encoding, 'cache-control': 'no-cache' });
      expect(packedResponse.headers.vary).toContain('Accept-Encoding');
      expect(packedResponse.rawPayload.length * 3).toBeLessThan(plainResponse.rawPayload.length);
      expect(unpack(packedResponse.rawPayload).equals(plainResponse.rawPayload)).toBe(true);
    }
    const repeatedResponse = await get({ 'if-none-match': `"other", ${plainResponse.headers.etag}` });
    expect([repeatedResponse.statusCode, repeatedResponse.body]).toEqual([304, '']);
  });

  test('every operation describes the properties of its response', () => {
    const undescribedCalls = Object.entries(document.paths).flatMap(([path, operations]) =>
      methods
        .filter((method) => operations[method] && responseSchemas(operations[method]).some(hasOnlyType))
        .map((method) => `${method} ${path}`),
    );
    expect(undescribedCalls).toEqual([]);
  });

  test('every described call is served', () => {
    const describedCalls = Object.entries(document.paths).flatMap(([path, operations]) =>
      methods.filter((method) => operations[method]).map((method) => ({ method, path })),
    );
    expect(describedCalls.length).toBeGreaterThan(200);
    const missingOperations = describedCalls.filter(
      ({ method, path }) =>
        !server.app.hasRoute({
          method: method.toUpperCase() as 'GET',
          url: `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
        }),
    );
    expect(missingOperations).toEqual([]);
  });

  test('every served call is described', () => {
    const servedCalls = listRoutes(server.app).filter(({ path }) => path.startsWith('/api/v1/') && !path.includes('*'));
    expect(servedCalls.length).toBeGreaterThan(200);
    const undescribedCalls = servedCalls
      .map(({ method, path }) => ({ method, path: path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}') }))
      .filter(
        ({ method, path }) =>
          methods.includes(method.toLowerCase() as 'get') && !document.paths[path]?.[method.toLowerCase()],
      );
    expect(
      undescribedCalls
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !undocumentedCalls.some((pattern) => pattern.test(call))),
    ).toEqual([]);
  });

  test('names the API for json-server clients', () => {
    expect(document.info.description).toContain('/api/json-server/v1/{resource}');
  });

  test('the documentation page works offline and without a session', async () => {
    const page = await server.call<string>(undefined, 'GET', '/api/docs/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    const response = await server.call<string>(undefined, 'GET', '/api/docs/static/swagger-initializer.js');
    const [, svg = ''] = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(response.text) ?? [];
    expect(Buffer.from(svg, 'base64').toString()).toContain('aria-label="Sweepline"');
  });
});

async function lintDocument(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ['minimal'],
    rules: {
      struct: 'error',
      'no-unresolved-refs': 'error',
      'operation-operationId-unique': 'error',
      'path-parameters-defined': 'error',
      'no-ambiguous-paths': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location }) => `${location[0]?.pointer}: ${message}`);
}

/** The JSON schemas of an operation's successful responses. */
const responseSchemas = (operation: Operation): object[] =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status < '300' && content?.['application/json'] ? [content['application/json'].schema] : [],
  );
/** Whether the schema only states that the value is an object. */
const hasOnlyType = (schema: object) => Object.keys(schema).join() === 'type';

/** Served calls that the document need not describe: aliases, and the document itself. */
const undocumentedCalls = [
  /^(PUT|PATCH|POST|GET|DELETE) \/companies(\/|$)/,
  /^PATCH \/\w+$/,
  /^POST \/\w+\/\{id\}$/,
  /^GET \/openapi\.json$/,
];
