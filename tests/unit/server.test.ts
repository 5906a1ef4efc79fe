/** The server's environment, language and mails, without a running server. */
import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import { type Caller, hasSameAccess } from '../../server/context/caller';
import { readEnv } from '../../server/context/env';
import { loadSigningKey } from '../../server/context/loadSigningKey';
import type { Letter } from '../../server/context/mailer';
import { applyMethodOverride } from '../../server/http/applyMethodOverride';
import { acceptedLanguage } from '../../server/http/languageOf';
import { mailTexts, renderMail } from '../../server/mail/renderMail';

describe('the environment', () => {
  test('requires no variables', () => {
    const env = readEnv({});
    expect(env).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data',
      demo: true,
      demoSimulator: true,
      demoLively: true,
      rateLimit: true,
      mqttPort: 1883,
      osmandPort: 0,
      observationDays: 3653,
    });
    expect(env.publicUrl).toBe('http://127.0.0.1:8080');
  });

  test('rejects an address of the demo for the first Admin', () => {
    const settings = { SWEEPLINE_ADMIN_EMAIL: 'Admin@demo.sweepline.example', SWEEPLINE_ADMIN_PASSWORD: 'Given!Pass1' };
    expect(() => readEnv(settings)).toThrow(
      'belong to the people of the demo. Choose another one, or set SWEEPLINE_DEMO=0.',
    );
    expect(readEnv({ ...settings, SWEEPLINE_DEMO: '0' }).admin.email).toBe('Admin@demo.sweepline.example');
  });

  test('disables the demo by default with a configured database', () => {
    const DATABASE_URL = 'postgres://user:pass@a:5432,b:5432/fleet';
    expect(readEnv({ DATABASE_URL }).demo).toBe(false);
    expect(readEnv({ DATABASE_URL, SWEEPLINE_DEMO: '1' }).demo).toBe(true);
    expect(readEnv({ SWEEPLINE_DEMO: '0' }).demo).toBe(false);
  });

  test('reads the address of links without its slash, and rejects one with a path', () => {
    for (const PUBLIC_URL of ['https://fleet.example.org/', ' https://fleet.example.org'])
      expect(readEnv({ PUBLIC_URL }).publicUrl).toBe('https://fleet.example.org');
    expect(readEnv({ PUBLIC_URL: 'http://[::1]:9000' }).publicUrl).toBe('http://[::1]:9000');
    for (const end of ['/fleet', '/fleet/', '?a=1', '/#a'])
      expect(() => readEnv({ PUBLIC_URL: `https://fleet.example.org${end}` })).toThrow(
        'PUBLIC_URL must be the address of a host without a path, such as https://fleet.example.org.',
      );
    expect(() => readEnv({ PUBLIC_URL: 'https://user:secret@fleet.example.org' })).toThrow('PUBLIC_URL');
    expect(() => readEnv({ PUBLIC_URL: 'ftp://fleet.example.org' })).toThrow('PUBLIC_URL');
  });

  test('rejects replicas of the embedded database with a message', () => {
    const DATABASE_READ_URL = 'postgres://user@b:5432,c:5432/fleet';
    expect(() => readEnv({ DATABASE_READ_URL })).toThrow(
      'DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas.',
    );
    expect(readEnv({ DATABASE_URL: 'postgres://user@a/fleet', DATABASE_READ_URL }).databaseReadUrl).toBe(
      DATABASE_READ_URL,
    );
  });

  test('reports all problems at once', () => {
    const invalidEnv = {
      PORT: '99999',
      DATABASE_URL: 'mysql://x',
      DATABASE_READ_URL: 'mysql://x',
      RATE_LIMIT: 'maybe',
      LOG_LEVEL: 'loud',
      OBSERVATION_DAYS: '30',
      SMTP_URL: 'http://mail',
      TILE_URL: 'https://tiles.example:8{0}/{z}/{x}/{y}.png',
      FILES_URL: 's3://storage.example.org/bucket',
      FILES_AFTER_DAYS: 'soon',
      SWEEPLINE_ADMIN_EMAIL: 'nobody',
      SWEEPLINE_ADMIN_PASSWORD: 'weak',
      CORS_ORIGINS: 'https://a.example/path',
    };
    for (const name of Object.keys(invalidEnv)) expect(() => readEnv(invalidEnv)).toThrow(name);
    expect(() => readEnv({ SWEEPLINE_ADMIN_PASSWORD: 'Right!Pass7' })).toThrow('SWEEPLINE_ADMIN_EMAIL');
  });

  test('reads the object storage, with its own key or that of AWS', () => {
    const url =
      's3://key:a%2Fb@storage.example.org:9000/bucket/fleet/one?region=eu-central-1&tls=false&pathStyle=false';
    expect(readEnv({ FILES_URL: url }).objectStorage).toEqual({
      endpoint: 'http://storage.example.org:9000',
      bucket: 'bucket',
      prefix: 'fleet/one/',
      region: 'eu-central-1',
      isPathStyle: false,
      accessKeyId: 'key',
      secretAccessKey: 'a/b',
    });
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(readEnv({ FILES_URL: 's3://storage.example.org/bucket', ...keys }).objectStorage).toEqual({
      endpoint: 'https://storage.example.org',
      bucket: 'bucket',
      prefix: '',
      region: 'us-east-1',
      isPathStyle: true,
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    for (const wrong of ['s3://k:s@host', 's3://k:s@host/a b', 's3://k:s@host/bucket?tls=maybe', 's3://k:s@host/b?x=1'])
      expect(() => readEnv({ FILES_URL: wrong })).toThrow('FILES_URL');
  });

  test('accepts tile URLs with their placeholders', () => {
    const TILE_URL = 'https://tiles.example.org/{z}/{x}/{y}.png';
    expect(readEnv({ TILE_URL }).tileUrl).toBe(TILE_URL);
  });
});

test.each([
  ['de', 'de'],
  ['de-CH, en;q=0.9', 'de'],
  ['en;q=0.4, sv;q=0.8', 'sv'],
  ['xx, yy;q=0.9, pl;q=0.1', 'pl'],
  ['fr;q=0', undefined],
  ['*', undefined],
  ['', undefined],
])('Accept-Language %j selects %s', (header, language) => expect(acceptedLanguage(header)).toBe(language));

test('only POST requests can override the method, and only with one of three', () => {
  const overriddenMethod = (method: string, url: string, header?: string) => {
    const request = { method, url, headers: header ? { 'x-http-method-override': header } : {} };
    applyMethodOverride(request);
    return request.method;
  };
  expect(overriddenMethod('POST', '/a?_method=delete')).toBe('DELETE');
  expect(overriddenMethod('POST', '/a', 'PATCH')).toBe('PATCH');
  expect(overriddenMethod('GET', '/a?_method=DELETE', 'DELETE')).toBe('GET');
  expect(overriddenMethod('POST', '/a', 'CONNECT')).toBe('POST');
});

describe('mails', () => {
  const letters: Letter[] = [
    { kind: 'reset', name: 'Ada', link: 'https://x.example/r/1', code: '12345678', minutes: 60, codeMinutes: 10 },
    {
      kind: 'invitation',
      name: '',
      link: 'https://x.example/i/1',
      inviter: 'Bo',
      role: 'Operator',
      expires: new Date('2026-12-24T10:00:00Z'),
    },
    { kind: 'password_changed', name: 'Ada' },
  ];

  test.each(
    languageCodes.flatMap((language) => letters.map((letter) => ({ language, letter, kind: letter.kind }))),
  )('$kind in $language fills every placeholder', ({ language, letter }) => {
    const { subject, text, html } = renderMail(letter, language);
    for (const part of [subject, text, html]) expect(part).not.toMatch(/%\{|undefined|NaN/);
    if ('link' in letter) expect(text).toContain(`\n${letter.link}\n`);
    if (letter.kind === 'reset') expect(text).toContain('\n12345678\n');
    if (letter.kind === 'invitation') expect(text).toContain('24.12.2026');
    expect(html).toContain(`<html lang="${language}">`);
  });

  test('have the same placeholders in every language', () => {
    const placeholders = (text: unknown): string[] =>
      [...JSON.stringify(text).matchAll(/%\{\w+\}/g)].map(String).sort();
    for (const language of languageCodes)
      expect([language, placeholders(mailTexts[language])]).toEqual([language, placeholders(mailTexts.en)]);
  });

  test('have a subject of one line, whatever the name of a report', () => {
    const letter = {
      kind: 'report',
      name: 'Ada',
      link: 'https://x.example/r',
      place: 'North',
      period: '2026',
    } as const;
    const file = { name: 'a.xlsx', content: Buffer.alloc(0) };
    const { subject } = renderMail({ ...letter, report: 'Machines\r\nBcc: eve', figures: [], file }, 'en');
    expect(subject).toContain('Machines Bcc: eve');
  });

  test('escape markup in names', () => {
    const { html } = renderMail({ kind: 'password_changed', name: '<img src=x onerror="alert(1)">' }, 'en');
    expect(html).not.toContain('<img');
    expect(html).toContain('&#60;img');
  });
});

test('another role is another access, even with the same permissions; another name of a role is not', () => {
  const caller: Caller = {
    userId: 1,
    sessionId: 1,
    accessVersion: 1,
    language: 'en',
    permissions: new Set(['saved_views.list']),
    roles: [{ id: 7, name: 'Cleaners', scope: 'all' }],
    scopes: new Set(['all']),
    links: { client: null, clients: [], countries: [], fleets: [], locations: [], machines: [] },
  };
  const withRole = (id: number, name: string): Caller => ({ ...caller, roles: [{ id, name, scope: 'all' }] });
  expect(hasSameAccess(caller, withRole(7, 'Team'))).toBe(true);
  expect(hasSameAccess(caller, withRole(8, 'Cleaners'))).toBe(false);
});

test('the signing key outlives a first start that was killed before it removed its draft', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-key-'));
  try {
    const key = loadSigningKey({ dataDir });
    linkSync(join(dataDir, 'secret'), join(dataDir, `secret.${process.pid}`));
    expect(loadSigningKey({ dataDir })).toEqual(key);
    expect(loadSigningKey({ dataDir })).toEqual(key);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
