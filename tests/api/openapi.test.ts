import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app';
import { servedRoutes } from '../support/servedRoutes';

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
    server = await testApp();
    document = (await server.call<Document>(undefined, 'GET', 'openapi.json')).body;
  });
  afterAll(() => server.close());

  test('the document is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
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
    expect(
      problems
        .filter(({ severity }) => severity === 'error')
        .map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test('every operation describes its response as more than an object', () => {
    const undescribed = Object.entries(document.paths).flatMap(([path, operations]) =>
      methods
        .filter((method) => operations[method] && responseSchemas(operations[method]).some(isBare))
        .map((method) => `${method} ${path}`),
    );
    expect(undescribed).toEqual([]);
  });

  test('every described call is served', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      methods.filter((method) => operations[method]).map((method) => ({ method, path })),
    );
    const missing = described.filter(
      ({ method, path }) =>
        !server.app.hasRoute({
          method: method.toUpperCase() as 'GET',
          url: `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
        }),
    );
    expect(missing).toEqual([]);
  });

  test('every served call is described', () => {
    const served = servedRoutes(server.app).filter(({ path }) => path.startsWith('/api/v1/') && !path.includes('*'));
    const undescribed = served
      .map(({ method, path }) => ({ method, path: path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}') }))
      .filter(
        ({ method, path }) =>
          methods.includes(method.toLowerCase() as 'get') && !document.paths[path]?.[method.toLowerCase()],
      );
    expect(
      undescribed
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !unspoken.some((pattern) => pattern.test(call))),
    ).toEqual([]);
  });

  test('names the API for json-server clients', () => {
    expect(document.info.description).toContain('/api/json-server/v1/{resource}');
  });

  test('the reading page works offline and without a session', async () => {
    const page = await server.call<string>(undefined, 'GET', '/api/docs/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    const response = await server.call<string>(undefined, 'GET', '/api/docs/static/swagger-initializer.js');
    const [, svg = ''] = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(response.text) ?? [];
    expect(Buffer.from(svg, 'base64').toString()).toContain('aria-label="Sweepline"');
  });
});

/** The JSON schemas of an operation's successful responses. */
const responseSchemas = (operation: Operation): object[] =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status < '300' && content?.['application/json'] ? [content['application/json'].schema] : [],
  );
/** Whether the schema says only that it is an object. */
const isBare = (schema: object) => Object.keys(schema).join() === 'type';

/** Aliases of described calls and the document itself. */
const unspoken = [
  /^(PUT|PATCH|POST|GET|DELETE) \/companies(\/|$)/,
  /^PATCH \/\w+$/,
  /^POST \/\w+\/\{id\}$/,
  /^GET \/openapi\.json$/,
];
