/** Files in the object storage: how they are moved, read, replaced and removed, also while the storage is down. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sweep } from '../../server/app/sweep';
import { parseFilesUrl } from '../../server/context/objectStorage';
import { pg } from '../../server/db/core/rowShape';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { checkObjectStorage } from '../../server/objects/checkObjectStorage';
import { moveFiles } from '../../server/objects/moveFiles';
import { objectRemovalJobs } from '../../server/objects/objectRemoval';
import { moveObjects, waitingObjects } from '../../server/objects/objectTasks';
import { openObjectStorage } from '../../server/objects/openObjectStorage';
import { type ObjectServer, startObjectServer } from '../support/startObjectServer';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let server: ObjectServer;
let app: TestApp;
let world: World;
beforeAll(async () => {
  server = await startObjectServer();
  ({ app, world } = await startTestWorld({
    env: { FILES_URL: server.urlOf(), FILES_AFTER_DAYS: '0', METRICS_TOKEN: 'token' },
  }));
});
afterAll(async () => {
  await app?.close();
  await server?.close();
});

const buildPdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj<</Type/Catalog>>endobj\n%%EOF`);
const createPng = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#0b7a75' } })
    .png()
    .toBuffer();

const upload = (path: string, name: string, content: Uint8Array, field?: string) =>
  uploadFile<{ data: { id: number; image: string } }>(app, world.admin, path, { field, name, content });
const addDocument = async (text: string) =>
  (await upload(`machines/${world.north.machines[0]}/documents`, 'a.pdf', buildPdf(text))).body.data.id;
const readFile = (id: number, caller: number = world.admin) => app.call(caller, 'GET', `documents/${id}/file`);
const storedShape = { inDatabase: pg.boolean, object_key: pg.text.nullable };
const readStoredFile = (name: string) =>
  app.db.selectOne(
    storedShape,
    sql`select bytes is not null as "inDatabase", object_key from files where name = ${name}`,
  );
const readObjectKey = async (name: string) => (await readStoredFile(name))?.object_key as string;
const servicesLater = (hours: number) => ({ ...app.services, now: () => new Date(Date.now() + hours * 3_600_000) });
const removeObjects = (hours: number) => runDueJobs(servicesLater(hours), objectRemovalJobs(app.services));
/** Moves all files, so that a test knows which ones are moved next. */
const moveAllFiles = async () => {
  while ((await moveFiles(app.services)) > 0);
};

test('a request that meets a connection closed by the storage is sent again', async () => {
  const requests: string[] = [];
  const storage = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (requests.length === 2) request.socket.destroy();
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void storage.close());
  const { port } = storage.address() as AddressInfo;
  const objects = openObjectStorage({
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'b',
    prefix: '',
    region: 'r',
    isPathStyle: true,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
  await objects.remove('first');
  await objects.remove('second');
  expect(requests).toEqual(['DELETE /b/first', 'DELETE /b/second', 'DELETE /b/second']);
});

describe('files', () => {
  test('of every kind are moved, and read the same before and after', async () => {
    const document = await addDocument('moved');
    const logo = await upload(`clients/${world.north.client}?_method=PATCH`, 'logo.png', await createPng(40), 'image');
    const floor = world.north.floors[0];
    expect((await upload(`floors/${floor}/plan`, 'plan.png', await createPng(64))).status).toBe(201);
    const entry = world.north.service_entries[0];
    expect((await upload(`service_entries/${entry}/file`, 'bill.pdf', buildPdf('bill'))).status).toBe(201);
    const paths = [
      `documents/${document}/file`,
      `/storage/images/${logo.body.data.image}`,
      `floors/${floor}/plan`,
      `service_entries/${entry}/file`,
    ];
    const readAll = async () => {
      const responses = await Promise.all(paths.map((path) => app.call(world.admin, 'GET', path)));
      return responses.map(({ status, bytes, headers: { date: _date, 'content-length': length, ...headers } }) => ({
        status,
        bytes: bytes.toString('base64'),
        isComplete: Number(length) === bytes.length,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-request'))),
      }));
    };
    const filesBefore = await readAll();
    expect(filesBefore.map(({ status, isComplete }) => [status, isComplete])).toEqual(paths.map(() => [200, true]));
    await moveAllFiles();
    for (const name of [`documents/${document}`, logo.body.data.image, `floors/${floor}`, `service_entries/${entry}`])
      expect(await readStoredFile(name)).toEqual({ inDatabase: false, object_key: expect.stringMatching(/^files\//) });
    expect(await readAll()).toEqual(filesBefore);
  });

  test('stay hidden from users of other clients', async () => {
    const document = await addDocument('scope');
    await moveAllFiles();
    expect((await readFile(document, world.users.customer_admin)).status).toBe(200);
    expect((await readFile(document, world.south.users.customer_admin)).status).toBe(404);
    expect((await app.call(undefined, 'GET', `documents/${document}/file`)).status).toBe(401);
  });

  test('are moved only once they are old enough', async () => {
    const document = await addDocument('young');
    const services = { ...app.services, env: { ...app.services.env, filesAfterDays: 1 } };
    await moveFiles(services);
    expect((await readStoredFile(`documents/${document}`))?.inDatabase).toBe(true);
    await moveFiles({ ...services, now: servicesLater(24.1).now });
    expect((await readStoredFile(`documents/${document}`))?.inDatabase).toBe(false);
  });

  test('lose their object some time after they are replaced or removed', async () => {
    const floor = world.north.floors[1] as number;
    await upload(`floors/${floor}/plan`, 'plan.png', await createPng(30));
    const document = await addDocument('purged');
    await moveAllFiles();
    const [planKey, documentKey] = [
      await readObjectKey(`floors/${floor}`),
      await readObjectKey(`documents/${document}`),
    ];
    await upload(`floors/${floor}/plan`, 'plan.png', await createPng(31));
    expect(await readStoredFile(`floors/${floor}`)).toEqual({ inDatabase: true, object_key: null });
    await app.db.rows(sql`delete from documents where id = ${document}`);
    await sweep(app.services);
    await app.db.rows(sql`update files set unused_since = now() - interval '25 hours' where unused_since is not null`);
    await sweep(app.services);
    expect(await readStoredFile(`documents/${document}`)).toBeUndefined();
    await removeObjects(0);
    expect(server.keys()).toEqual(expect.arrayContaining([planKey, documentKey]));
    await removeObjects(0.2);
    expect(server.keys()).not.toContain(planKey);
    expect(server.keys()).not.toContain(documentKey);
  });

  test('can be sent again to a service entry by a user who may not replace them', async () => {
    const entry = world.north.service_entries[0];
    const send = (text: string) =>
      uploadFile(app, world.users.operator, `service_entries/${entry}/file`, {
        name: 'bill.pdf',
        content: buildPdf(text),
      });
    await moveAllFiles();
    expect((await send('bill')).status).toBe(201);
    expect((await send('other')).status).toBe(403);
  });
});

describe('a process that dies', () => {
  test('after the upload loses no file and leaves no object behind', async () => {
    await moveAllFiles();
    await removeObjects(1.1);
    const document = await addDocument('killed');
    const keysBefore = server.keys();
    const objects = openObjectStorage(app.services.env.objectStorage as never);
    const failingStorage = {
      ...objects,
      put: async (...args: Parameters<typeof objects.put>) => {
        await objects.put(...args);
        throw new Error('killed');
      },
    };
    await expect(moveFiles({ ...app.services, objects: failingStorage })).rejects.toThrow('killed');
    expect((await readStoredFile(`documents/${document}`))?.inDatabase).toBe(true);
    expect(server.keys().length).toBe(keysBefore.length + 1);
    await moveAllFiles();
    const movedKey = await readObjectKey(`documents/${document}`);
    await removeObjects(1.1);
    expect(server.keys()).toEqual([...keysBefore, movedKey].sort());
    expect((await readFile(document)).bytes.equals(buildPdf('killed'))).toBe(true);
  });

  test('that is so slow that its object is being removed does not refer to the object', async () => {
    const document = await addDocument('late');
    const objects = openObjectStorage(app.services.env.objectStorage as never);
    const lateStorage = {
      ...objects,
      put: async (...args: Parameters<typeof objects.put>) => {
        await objects.put(...args);
        await removeObjects(1.1);
      },
    };
    await expect(moveFiles({ ...app.services, objects: lateStorage })).rejects.toThrow('too late');
    expect((await readFile(document)).bytes.equals(buildPdf('late'))).toBe(true);
    expect((await readStoredFile(`documents/${document}`))?.inDatabase).toBe(true);
  });

  test('while the file is replaced keeps the new file', async () => {
    const floor = world.north.floors[2] as number;
    await moveAllFiles();
    await upload(`floors/${floor}/plan`, 'plan.png', await createPng(20));
    const objects = openObjectStorage(app.services.env.objectStorage as never);
    let isReplaced = false;
    const slowStorage = {
      ...objects,
      put: async (...args: Parameters<typeof objects.put>) => {
        if (!isReplaced) await upload(`floors/${floor}/plan`, 'plan.png', await createPng(21));
        isReplaced = true;
        await objects.put(...args);
      },
    };
    await moveFiles({ ...app.services, objects: slowStorage });
    expect((await readStoredFile(`floors/${floor}`))?.inDatabase).toBe(false);
    const plan = await app.call(world.admin, 'GET', `floors/${floor}/plan`);
    expect((await sharp(plan.bytes).metadata()).width).toBe(21);
  });
});

describe('while the storage is down', () => {
  test('moved files return 503 with a message, everything else works, and all files return afterwards', async () => {
    const movedDocument = await addDocument('away');
    await moveAllFiles();
    await server.stop();
    try {
      const unavailableResponse = await app.call<{ message: string }>(
        world.admin,
        'GET',
        `documents/${movedDocument}/file`,
        undefined,
        {
          'accept-language': 'de',
        },
      );
      expect([unavailableResponse.status, unavailableResponse.headers['retry-after']]).toEqual([503, '10']);
      expect(unavailableResponse.body.message).toMatch(/storage of files|Dateispeicher/);
      expect(unavailableResponse.headers['content-disposition']).toBeUndefined();
      const waitingDocument = await addDocument('waiting');
      expect((await readFile(waitingDocument)).status).toBe(200);
      expect((await app.call(undefined, 'GET', '/readyz')).status).toBe(200);
      await app.db.rows(sql`delete from files where name = ${`documents/${movedDocument}`}`);
      await removeObjects(0.2);
      await expect(moveObjects(app.services)).rejects.toThrow('cannot be reached');
      expect(waitingObjects.files).toBeGreaterThan(0);
      expect(waitingObjects.fileBytes).toBeGreaterThanOrEqual(buildPdf('waiting').length);
      const metrics = await app.call<string>(undefined, 'GET', '/metrics', undefined, {
        authorization: 'Bearer token',
      });
      expect(metrics.text).toContain(`files_waiting ${waitingObjects.files}\n`);
    } finally {
      await server.start();
    }
    const keysBefore = server.keys().length;
    await moveObjects(app.services);
    expect(waitingObjects).toMatchObject({ files: 0, fileBytes: 0 });
    expect(server.keys().length).toBeGreaterThan(keysBefore);
    // The job was postponed by a second without counting the attempt.
    const job = await app.db.one(sql`select 1 from jobs where kind = 'object_removal' and state = 'queued'
      and attempts = 0 and error like '%cannot be reached%'`);
    expect(job).toBeDefined();
    await removeObjects(1);
    expect(
      await app.db.one(sql`select 1 from jobs where kind = 'object_removal' and state = 'queued'`),
    ).toBeUndefined();
  });

  test('start-up logs that the credentials are wrong, and continues', async () => {
    const messages: string[] = [];
    const log = { error: ({ err }: { err: Error }) => messages.push(err.message) };
    const settings = parseFilesUrl(server.urlOf('nobody'));
    const objects = openObjectStorage(settings as NonNullable<typeof settings>);
    await checkObjectStorage({ ...app.services, objects, log: log as never });
    expect(messages).toEqual(['The object storage refuses PUT with 403 (InvalidAccessKeyId).']);
    await checkObjectStorage({ ...app.services, log: log as never });
    expect(messages).toHaveLength(1);
    expect(server.keys().filter((key) => key.startsWith('checks/'))).toEqual([]);
  });

  test('an installation with moved files but without a storage logs that it needs one', async () => {
    const messages: string[] = [];
    const log = { error: (message: string) => messages.push(message) };
    await checkObjectStorage({ ...app.services, objects: undefined, log: log as never });
    expect(messages).toEqual([expect.stringContaining('FILES_URL is not set')]);
  });
});
