/**
 * File names that contain paths, and URLs that run code instead of naming a resource. tests/api/files.test.ts covers
 * the content of pictures and documents.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFile } from '../../support/importFile';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import { type FileToUpload, uploadFile } from '../../support/uploadFile';
import type { World } from '../../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  errors?: Record<string, string[]>;
  data?: { id: number; name: string; image: string | null };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const names = [
  '../../escape.pdf',
  '..\\..\\escape.pdf',
  '/etc/escape.pdf',
  'C:\\escape.pdf',
  '....//escape.pdf',
  '%2e%2e%2fescape.pdf',
  'a\u0000.exe.pdf',
  '\u202efdp.exe.pdf',
];
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');

const upload = (path: string, file: FileToUpload) => uploadFile<ResponseBody>(app, world.admin, path, file);
/** Whether a file with this name exists on the disk near the data directory. */
const hasEscaped = () =>
  [app.dataDir, join(app.dataDir, '..'), join(app.dataDir, '../..'), '/etc'].some((folder) =>
    readdirSync(folder).some((file) => file.includes('escape')),
  );

describe('a file with a path in its name', () => {
  test.each(names)('%j: a document is rejected or stored under a plain name', async (name) => {
    const { status, body } = await upload(`machines/${world.north.machines[0]}/documents`, {
      name,
      content: pdf,
    });
    expect([201, 422]).toContain(status);
    if (status === 201) {
      expect(body.data?.name).not.toMatch(/[/\\\p{Cc}]|^\.\./u);
      const file = await app.call(world.admin, 'GET', `documents/${body.data?.id}/file`);
      expect([file.status, file.headers['content-disposition']]).toEqual([
        200,
        expect.not.stringMatching(/[\r\n\\]|filename="[^"]*\//),
      ]);
    }
    expect(hasEscaped()).toBe(false);
  });

  test('is ignored for pictures and imports, which get generated names', async () => {
    const content = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0b7a75' } })
      .png()
      .toBuffer();
    const rowBefore = await app.db.one(sql`select note from machines where id = ${world.north.machines[0]}`);
    for (const name of ['../../escape.png', '/etc/escape.png', '..\\escape.png']) {
      const { status, body } = await upload(`clients/${world.north.client}?_method=PATCH`, {
        field: 'image',
        name,
        content,
      });
      expect([status, body.data?.image]).toEqual([200, expect.stringMatching(/^[\w-]+\.png$/)]);
      const { data } = await importFile(app, world.admin, 'machines', 'serial_number\nNorth-111\n', {
        name: name.replace('.png', '.csv'),
      });
      expect(data.state).toBe('checked');
    }
    expect(await app.db.one(sql`select note from machines where id = ${world.north.machines[0]}`)).toEqual(rowBefore);
    expect([hasEscaped(), existsSync(join(app.dataDir, 'escape.csv'))]).toEqual([false, false]);
  });

  test.each(names)('%j: renaming a document is rejected or stores a plain name', async (name) => {
    const id = world.north.documents[0];
    const { status, body } = await app.call<ResponseBody>(world.admin, 'PATCH', `documents/${id}`, { name });
    expect([200, 422]).toContain(status);
    if (status === 200) expect(body.data?.name).not.toMatch(/[/\\\p{Cc}]/u);
  });
});

test.each([
  ['clients', 'image'],
  ['users', 'image'],
  ['alert_rules', 'webhook_url'],
])('%s.%s accepts web addresses only', async (entity, field) => {
  const id = { clients: world.north.client, users: world.users.operator, alert_rules: world.north.alert_rules[0] }[
    entity
  ];
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/1',
    '//evil.example/x.png',
  ]) {
    const { status, body } = await app.call<ResponseBody>(world.admin, 'PATCH', `${entity}/${id}`, {
      [field]: address,
    });
    expect([address, status, Object.keys(body.errors ?? {})]).toEqual([address, 422, [field]]);
  }
});

test.each([
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/',
  'http://localhost./',
  'http://LOCALHOST:5432/',
  'http://10.1.2.3/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://0/',
  'http://127.1/',
  'http://metadata.google.internal/',
])('a webhook to %s is rejected when its rule is saved', async (webhook_url) => {
  const id = world.north.alert_rules[0];
  const { status, body } = await app.call<ResponseBody>(world.users.customer_admin, 'PATCH', `alert_rules/${id}`, {
    webhook_url,
  });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['webhook_url']]);
});
