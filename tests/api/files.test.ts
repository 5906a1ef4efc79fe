/** Images and documents: their type is detected by content, not by name. */
import { sql } from 'drizzle-orm';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entities } from '../../schema/index';
import { sweep } from '../../server/app/sweep';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { type FileToUpload, uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  message: string;
  errors?: Record<string, string[]>;
  data: { id: number; image: string | null; name: string; media_type: string; size: number };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const upload = (caller: number, path: string, file: FileToUpload) => uploadFile<ResponseBody>(app, caller, path, file);
const createPicture = (format: 'png' | 'jpeg' | 'webp', size = 40) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#0b7a75' } })
    [format]()
    .toBuffer();
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF');
const docx = () =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': Buffer.from(
        '<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      'word/document.xml': Buffer.from('<w:document/>'),
    }),
  );
const doc = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.alloc(1016),
  Buffer.from('WordDocument', 'utf16le'),
  Buffer.alloc(512),
]);

describe('an image', () => {
  const uploadLogo = (content: Uint8Array, name = 'logo.png') =>
    upload(world.admin, `clients/${world.north.client}?_method=PATCH`, { field: 'image', name, content });

  test.each(['png', 'jpeg'] as const)('%s is re-encoded, stored, and served under a generated name', async (format) => {
    const { status, body } = await uploadLogo(await createPicture(format));
    expect(status).toBe(200);
    const imageResponse = await app.call(undefined, 'GET', `/storage/images/${body.data.image}`);
    expect([
      imageResponse.status,
      imageResponse.headers['content-type'],
      imageResponse.headers['x-content-type-options'],
    ]).toEqual([200, `image/${format}`, 'nosniff']);
    expect(imageResponse.headers['cache-control']).toContain('immutable');
    expect((await sharp(imageResponse.bytes).metadata()).format).toBe(format);
  });

  test('loses data after its end, and is scaled down to 1024 pixels', async () => {
    const disguisedScript = Buffer.concat([await createPicture('png'), Buffer.from('<script>alert(1)</script>')]);
    const { body } = await uploadLogo(disguisedScript);
    const imageResponse = await app.call(undefined, 'GET', `/storage/images/${body.data.image}`);
    expect(imageResponse.bytes.includes('script')).toBe(false);
    const bigPicture = await uploadLogo(await createPicture('jpeg', 3000));
    expect(
      (
        await sharp(
          (
            await app.call(undefined, 'GET', `/storage/images/${bigPicture.body.data.image}`)
          ).bytes,
        ).metadata()
      ).width,
    ).toBe(1024);
  });

  test.each([
    ['an SVG named PNG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['an HTML page named PNG', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a WebP', () => createPicture('webp')],
    ['a truncated PNG', async () => (await createPicture('png')).subarray(0, 40)],
    ['more than 2 MB', async () => Buffer.concat([await createPicture('png'), Buffer.alloc(2 * 1024 * 1024)])],
    ['an empty file', () => Buffer.alloc(0)],
  ])('rejects %s and changes nothing', async (_, bytes) => {
    const rowBefore = await app.db.one(sql`select image, version from clients where id = ${world.north.client}`);
    const { status, body } = await uploadLogo(await bytes());
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['image']]);
    expect(await app.db.one(sql`select image, version from clients where id = ${world.north.client}`)).toEqual(
      rowBefore,
    );
  });

  test('returns 404 for unknown and malformed names', async () => {
    for (const name of ['none.png', '..%2f..%2fsecret', '%00.png', `documents%2f1`])
      expect((await app.call(undefined, 'GET', `/storage/images/${name}`)).status).toBe(404);
  });
});

describe('a document', () => {
  const uploadDocument = (file: FileToUpload, caller = world.users.customer_admin, machine = world.north.machines[0]) =>
    upload(caller, `machines/${machine}/documents`, file);

  test.each([
    ['Anleitung Größe 7.pdf', 'application/pdf', pdf],
    ['plan.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', docx()],
    ['old.doc', 'application/msword', doc],
  ])('%s is stored and downloaded unchanged', async (name, mediaType, bytes) => {
    const { status, body } = await uploadDocument({ name, content: bytes });
    expect([status, body.data.name, body.data.media_type, body.data.size]).toEqual([
      201,
      name,
      mediaType,
      bytes.length,
    ]);
    const file = await app.call(world.users.operator, 'GET', `documents/${body.data.id}/file`);
    expect([file.status, file.bytes.equals(bytes)]).toEqual([200, true]);
    expect(file.headers['content-disposition']).toBe(
      `attachment; filename="${name.replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
    expect(file.headers['content-security-policy']).toContain('sandbox');
    expect(file.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['page.pdf', Buffer.from('<html><script>alert(1)</script></html>')],
    ['picture.docx', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['plan.pdf', docx()],
    ['plan.exe', pdf],
    ['.pdf', pdf],
    ['a<b>.pdf', pdf],
    [`${'x'.repeat(200)}.pdf`, pdf],
  ])('%s is rejected if its name is invalid or contradicts its content', async (name, bytes) => {
    const { status, body } = await uploadDocument({ name, content: bytes });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['file']]);
  });

  test('over 15 MB is rejected, as is a missing file', async () => {
    expect([413, 422]).toContain(
      (await uploadDocument({ name: 'big.pdf', content: Buffer.concat([pdf, Buffer.alloc(15 * 1024 * 1024)]) })).status,
    );
    const { body } = await uploadDocument({ field: 'other', name: 'a.pdf', content: pdf });
    expect(Object.keys(body.errors ?? {})).toEqual(['file']);
    expect(
      (
        await app.call(world.users.customer_admin, 'POST', `machines/${world.north.machines[0]}/documents`, {
          file: 'x',
        })
      ).status,
    ).toBe(415);
  });

  test('can be added and read only with permission, for machines in scope', async () => {
    const file = { name: 'a.pdf', content: pdf };
    expect((await uploadDocument(file, world.users.operator)).status).toBe(403);
    expect((await uploadDocument(file, world.users.customer_admin, world.south.machines[0])).status).toBe(404);
    const { body } = await uploadDocument(file, world.admin, world.south.machines[0]);
    expect((await app.call(world.users.operator, 'GET', `documents/${body.data.id}/file`)).status).toBe(404);
    expect((await app.call(undefined, 'GET', `documents/${body.data.id}/file`)).status).toBe(401);
    expect((await app.call(world.users.operator, 'GET', `documents/${world.north.documents[0]}/file`)).status).toBe(
      404,
    );
  });

  test('keeps its extension when renamed', async () => {
    const { body } = await uploadDocument({ name: 'a.pdf', content: pdf });
    const rename = (name: string) =>
      app.call<ResponseBody>(world.users.customer_admin, 'PATCH', `documents/${body.data.id}`, { name });
    expect((await rename('b.pdf')).body.data.name).toBe('b.pdf');
    expect(Object.keys((await rename('b.html')).body.errors ?? {})).toEqual(['name']);
    expect(Object.keys((await rename('../b.pdf')).body.errors ?? {})).toEqual(['name']);
  });
});

describe('unreferenced file', () => {
  const isStored = async (name: string) =>
    (await app.db.rows(sql`select from files where name = ${name}`)).length === 1;
  /** Advances the clock by some hours, with a sweep before and after. */
  const advanceHours = async (hours: number) => {
    await sweep(app.services);
    await app.db.rows(
      sql`update files set unused_since = unused_since - ${hours}::int * interval '1 hour', created_at = created_at - ${hours}::int * interval '1 hour'`,
    );
    await sweep(app.services);
  };
  const entitiesWithPicture = entities.flatMap(({ name, fields }) =>
    Object.keys(fields).flatMap((field) => (fields[field]?.kind === 'image' ? [[name, field] as const] : [])),
  );
  const rowIdOf = (entity: string) => ({ clients: world.north.client, users: world.users.operator })[entity] as number;
  const uploadPicture = async (entity: string, field: string) => {
    const path = `${entity}/${rowIdOf(entity)}?_method=PATCH`;
    return String(
      Reflect.get(
        (await upload(world.admin, path, { field, name: 'a.png', content: await createPicture('png') })).body.data,
        field,
      ),
    );
  };

  test.each(entitiesWithPicture)('is deleted a day after it is replaced: %s.%s', async (entity, field) => {
    const first = await uploadPicture(entity, field);
    await advanceHours(100);
    const second = await uploadPicture(entity, field);
    await advanceHours(23);
    expect([await isStored(first), await isStored(second)]).toEqual([true, true]);
    await advanceHours(2);
    expect([await isStored(first), await isStored(second)]).toEqual([false, true]);
    expect((await app.call(undefined, 'GET', `/storage/images/${second}`)).status).toBe(200);
  });

  test.each(
    entitiesWithPicture,
  )('is not deleted while a row in the bin references it: %s.%s', async (entity, field) => {
    const name = await uploadPicture(entity, field);
    const setDeletedAt = (instant: ReturnType<typeof sql>) =>
      app.db.rows(sql`update ${sql.identifier(entity)} set deleted_at = ${instant} where id = ${rowIdOf(entity)}`);
    await setDeletedAt(sql`now()`);
    await advanceHours(100);
    await setDeletedAt(sql`null`);
    expect(await isStored(name)).toBe(true);
  });

  test.each(
    entitiesWithPicture,
  )('is not deleted while a row references it by its full URL: %s.%s', async (entity, field) => {
    const name = await uploadPicture(entity, field);
    const value = `https://fleet.example.org/storage/images/${name}?a=b`;
    await app.db.rows(
      sql`update ${sql.identifier(entity)} set ${sql.identifier(field)} = ${value} where id = ${rowIdOf(entity)}`,
    );
    await advanceHours(100);
    expect(await isStored(name)).toBe(true);
  });

  test('is kept for another day each time a row references it again', async () => {
    const first = await uploadPicture('clients', 'image');
    const second = await uploadPicture('clients', 'image');
    const setImage = (name: string) =>
      app.db.rows(sql`update clients set image = ${name} where id = ${world.north.client}`);
    await advanceHours(20);
    await setImage(first);
    await advanceHours(20);
    await setImage(second);
    await advanceHours(20);
    expect([await isStored(first), await isStored(second)]).toEqual([true, true]);
  });

  test('is deleted if nothing ever referenced it; a document stays as long as its row, even in the bin', async () => {
    const { body } = await upload(world.admin, `machines/${world.north.machines[0]}/documents`, {
      name: 'a.pdf',
      content: pdf,
    });
    await app.call(world.admin, 'DELETE', `documents/${body.data.id}`);
    const other = await upload(world.admin, `machines/${world.north.machines[0]}/documents`, {
      name: 'b.pdf',
      content: pdf,
    });
    await app.db.rows(
      sql`insert into files (name, media_type, size, bytes) values ('lost.png', 'image/png', 0, ''), ('documents/999999', 'application/pdf', 0, '')`,
    );
    await advanceHours(25);
    for (const { id } of [body.data, other.body.data]) expect(await isStored(`documents/${id}`)).toBe(true);
    for (const name of ['lost.png', 'documents/999999']) expect(await isStored(name)).toBe(false);
  });
});
