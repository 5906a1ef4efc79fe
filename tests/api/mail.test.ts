/** Mails through `SMTP_URL` to a mail server: each arrives exactly once. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer } from '../../server/context/mailer';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { expireLeases } from '../../server/jobs/jobQueue';
import { openMail } from '../../server/mail/openMail';
import { Outbox } from '../../server/mail/outbox';
import { mailTexts } from '../../server/mail/renderMail';
import { add } from '../support/rows';
import { freePort } from '../support/startCluster';
import { type MailServer, type MailServerOptions, startMailServer } from '../support/startMailServer';
import { copyDatabase, startTestApp, type TestApp } from '../support/startTestApp';

const account = { user: 'sweepline', password: 'p@ss:word' };
const mailFrom = 'Sweepline Nord <fleet@example.org>';
const log = pino({ level: 'silent' });
let dataDir: string;
let copy: Awaited<ReturnType<typeof copyDatabase>>;
let databaseDir: string;
let db: Database;
const openServices = new Set<{ close(): Promise<void> }>();
beforeAll(async () => {
  databaseDir = mkdtempSync(join(tmpdir(), 'sweepline-mail-db-'));
  copy = await copyDatabase(databaseDir);
  db = await openDatabase({ databaseUrl: copy.url, dataDir: databaseDir, log });
});
afterAll(async () => {
  await db?.close();
  await copy?.drop();
  rmSync(databaseDir, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sweepline-mail-'));
});
afterEach(async () => {
  for (const server of openServices) await server.close();
  openServices.clear();
  await db.rows(sql`delete from jobs`);
  rmSync(dataDir, { recursive: true, force: true });
});
function closeLater<T extends { close(): Promise<void> }>(server: T): T {
  openServices.add(server);
  return server;
}
const closeNow = async (server: { close(): Promise<void> }) => {
  openServices.delete(server);
  await server.close();
};
const startServer = async (options?: MailServerOptions) => closeLater(await startMailServer(options));
const signingKey = Buffer.from('the key of all processes');
const openMailer = (smtpUrl: string) =>
  closeLater(openMail({ env: { smtpUrl, mailFrom, dataDir }, db, log, signingKey, now: () => new Date() }));
const openMailerTo = (port: number) => openMailer(`smtp://127.0.0.1:${port}`);
const send = (mail: Mailer, to = 'ada@example.com') =>
  db.transaction((tx) => mail.send(tx, to, 'sv', { kind: 'password_changed', name: 'Åsa' }));
const readPendingJobs = () => db.select({ id: pg.uuid }, sql`select id from jobs where state in ('queued', 'running')`);
/** Waits until no job is left, after which no further mail can arrive, and checks the recipients. */
const expectArrivals = async ({ mails }: MailServer, ...recipients: string[]) => {
  await expect
    .poll(async () => [mails.length >= recipients.length, await readPendingJobs()], { timeout: 60_000 })
    .toEqual([true, []]);
  expect(mails.map((mail) => mail.recipients.join()).sort()).toEqual([...recipients].sort());
};

describe('password reset mail', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer({ account });
    const SMTP_URL = `smtp://${account.user}:${encodeURIComponent(account.password)}@127.0.0.1:${server.port}`;
    app = await startTestApp({ env: { SMTP_URL, MAIL_FROM: mailFrom, PUBLIC_URL: 'https://fleet.example.org' } });
  });
  afterAll(async () => {
    await app?.close();
    await server?.close();
  });

  test.each(Object.entries(mailTexts))('is sent in %s, from the configured sender, with the link', async (language, {
    reset,
  }) => {
    server.mails.splice(0);
    const email = `Zoe.Ek.${language}@example.com`;
    const languageRow = await app.db.selectOne(
      { id: pg.integer },
      sql`select id from languages where two_letter_code = ${language}`,
    );
    await add(app.db, 'users', { email, language_id: languageRow?.id });
    expect(
      (await app.call(undefined, 'POST', 'users/forgotPassword', { email: `zoe.ek.${language}@EXAMPLE.com` })).status,
    ).toBe(200);
    await expect.poll(() => server.mails.length).toBe(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({
      sender: 'fleet@example.org',
      recipients: [email],
      to: email,
      subject: reset.subject,
      user: account.user,
    });
    expect(mail?.raw).toContain(`From: ${mailFrom}\r\n`);
    expect(mail?.text).toContain(reset.text);
    const token = /^https:\/\/fleet\.example\.org\/resetpassword\/([\w-]{32})$/m.exec(mail?.text ?? '')?.[1];
    const password = { password: 'Fresh!Pass7', password_confirmation: 'Fresh!Pass7' };
    expect((await app.call(undefined, 'POST', 'users/verifyResetPassword', { token, ...password })).status).toBe(200);
    await expect
      .poll(() => server.mails.map(({ subject }) => subject))
      .toEqual([reset.subject, mailTexts[language as 'en'].password_changed.subject]);
  });

  test('is accepted while the mail server is down, and sent once when it is back', async () => {
    const port = await freePort();
    const app = closeLater(await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } }));
    const language = await app.db.selectOne({ id: pg.integer }, sql`select min(id) as id from languages`);
    await add(app.db, 'users', { email: 'late@example.com', language_id: language?.id });
    expect((await app.call(undefined, 'POST', 'users/forgotPassword', { email: 'late@example.com' })).status).toBe(200);
    const server = await startServer({ port });
    await expect
      .poll(() => server.mails.map(({ recipients }) => recipients), { timeout: 60_000 })
      .toEqual([['late@example.com']]);
    const unfinishedJobsSql = sql`select id from jobs where state <> 'done' or secret is not null`;
    await expect.poll(() => app.db.select({ id: pg.uuid }, unfinishedJobsSql)).toEqual([]);
    expect(server.mails).toHaveLength(1);
  });
});

describe('encryption', () => {
  test('is used if the server offers it', async () => {
    const server = await startServer({ account, starttls: true });
    const credentials = `${account.user}:${encodeURIComponent(account.password)}`;
    const mail = openMailer(`smtp://${credentials}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`);
    await send(mail);
    await expectArrivals(server, 'ada@example.com');
    expect(server.mails[0]).toMatchObject({ secure: true, user: account.user });
  });

  test('with an invalid certificate sends nothing and loses nothing', async () => {
    const server = await startServer({ starttls: true });
    const mail = openMailerTo(server.port);
    await send(mail);
    await closeNow(mail);
    expect([server.mails, (await readPendingJobs()).length]).toEqual([[], 1]);
  });
});

describe('unsent mail', () => {
  test('survives the process and is sent by the next one', async () => {
    const port = await freePort();
    const firstMailer = openMailerTo(port);
    await Promise.all([send(firstMailer, 'one@example.com'), send(firstMailer, 'two@example.com')]);
    await closeNow(firstMailer);
    expect(await readPendingJobs()).toHaveLength(2);
    const server = await startServer({ port });
    openMailerTo(port);
    await expectArrivals(server, 'one@example.com', 'two@example.com');
  });

  test('is sent once by several processes on one database', async () => {
    const port = await freePort();
    const firstMailer = openMailerTo(port);
    const recipients = Array.from({ length: 12 }, (_, index) => `guest${index}@example.com`);
    for (const to of recipients) await send(firstMailer, to);
    await closeNow(firstMailer);
    const server = await startServer({ port });
    for (let process = 0; process < 3; process += 1) openMailerTo(port);
    await expectArrivals(server, ...recipients);
  });

  test('interrupted by a power failure is sent once after its lease expires', async () => {
    const firstMailer = openMailerTo(await freePort());
    await send(firstMailer, 'cut@example.com');
    await closeNow(firstMailer);
    await db.rows(
      sql`update jobs set state = 'running', worker = gen_random_uuid(), lease_until = now() + interval '1 minute'`,
    );
    const server = await startServer();
    await closeNow(openMailerTo(server.port));
    expect([(await readPendingJobs()).length, server.mails.length]).toEqual([1, 0]);
    await expireLeases(db);
    openMailerTo(server.port);
    await expectArrivals(server, 'cut@example.com');
  });

  test('of the previous version, which used files, is adopted exactly once by several processes', async () => {
    const folder = join(dataDir, 'outbox/waiting');
    mkdirSync(folder, { recursive: true });
    for (const [file, to] of [
      ['2026-11-20T10-00-00.000Z-1-000001.json', 'queued@example.com'],
      ['2026-11-20T10-00-00.000Z-1-000002.taken', 'torn@example.com'],
    ] as const)
      writeFileSync(
        join(folder, file),
        JSON.stringify({
          envelope: { from: 'a@example.org', to: [to] },
          message: `To: ${to}\r\nSubject: x\r\n\r\ny`,
          since: new Date().toISOString(),
        }),
      );
    const server = await startServer();
    for (let process = 0; process < 3; process += 1) openMailerTo(server.port);
    await expectArrivals(server, 'queued@example.com', 'torn@example.com');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is retried after a temporary error, without delaying others', async () => {
    let attempts = 0;
    const server = await startServer({
      rejectionOf: (recipient) => {
        if (recipient !== 'grey@example.com') return undefined;
        attempts += 1;
        return attempts === 1 ? 451 : undefined;
      },
    });
    const mail = openMailerTo(server.port);
    await send(mail, 'grey@example.com');
    await send(mail, 'ada@example.com');
    await expectArrivals(server, 'grey@example.com', 'ada@example.com');
    expect(attempts).toBe(2);
  });

  test('stays queued after failed authentication', async () => {
    const { port, ...server } = await startServer({ account });
    for (const credentials of ['', 'sweepline:wrong@']) {
      const mail = openMailer(`smtp://${credentials}127.0.0.1:${port}`);
      await send(mail);
      await mail.outbox();
      await closeNow(mail);
    }
    expect([server.mails.length, (await readPendingJobs()).length]).toEqual([0, 2]);
  });

  test('is moved to the outbox folder after a permanent error', async () => {
    let attempts = 0;
    const server = await startServer({
      rejectionOf: () => {
        attempts += 1;
        return 550;
      },
    });
    await send(openMailerTo(server.port), 'gone@example.com');
    await expect
      .poll(() => new Outbox(join(dataDir, 'outbox')).list())
      .toMatchObject([{ to: 'gone@example.com', subject: mailTexts.sv.password_changed.subject }]);
    await expectArrivals(server);
    expect(attempts).toBe(1);
  });

  test('is moved to the outbox folder after three days', async () => {
    const firstMailer = openMailerTo(await freePort());
    await send(firstMailer, 'old@example.com');
    await closeNow(firstMailer);
    await db.rows(sql`update jobs set created_at = now() - interval '73 hours'`);
    openMailerTo(await freePort());
    await expect
      .poll(() => new Outbox(join(dataDir, 'outbox')).list())
      .toMatchObject([{ to: 'old@example.com', subject: mailTexts.sv.password_changed.subject }]);
    expect(await db.select({ state: pg.text }, sql`select state from jobs`)).toEqual([{ state: 'dead' }]);
  });
});

describe('mail in the database', () => {
  const readStored = async (database: Database) =>
    JSON.stringify(await database.rows(sql`select j.*, encode(secret, 'escape') as secret from jobs j`));

  test('is encrypted until sent: neither link nor address is readable, and both are deleted afterwards', async () => {
    const port = await freePort();
    const mail = openMailerTo(port);
    const link = 'https://fleet.example.org/resetpassword/0123456789abcdef0123456789abcdef';
    const content = { kind: 'reset' as const, name: 'Ada', link, code: '12345678', minutes: 60, codeMinutes: 10 };
    await db.transaction((tx) => mail.send(tx, 'ada@example.com', 'en', content));
    const dump = await readStored(db);
    for (const secret of ['0123456789abcdef0123456789abcdef', '12345678', 'ada@example.com'])
      expect(dump).not.toContain(secret);
    expect(await db.select({ size: pg.integer }, sql`select length(secret) as size from jobs`)).toMatchObject([
      { size: expect.any(Number) },
    ]);
    const server = await startServer({ port });
    await expectArrivals(server, 'ada@example.com');
    expect(server.mails[0]?.text).toContain(link);
    expect(await db.select({ n: pg.integer }, sql`select count(secret) as n from jobs`)).toEqual([{ n: 0 }]);
  });

  test('is left to a process that has its key', async () => {
    const mail = openMailerTo(await freePort());
    await send(mail);
    await closeNow(mail);
    const server = await startServer();
    const env = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom, dataDir };
    const otherMailer = openMail({ env, db, log, signingKey: Buffer.from('another key'), now: () => new Date() });
    await otherMailer.outbox();
    await otherMailer.close();
    expect([server.mails.length, (await readPendingJobs()).length]).toEqual([0, 1]);
    openMailerTo(server.port);
    await expectArrivals(server, 'ada@example.com');
  });

  test('is stored if and only if its transaction commits', async () => {
    const mail = openMailerTo(await freePort());
    await db
      .transaction(async (tx) => {
        await mail.send(tx, 'ada@example.com', 'sv', { kind: 'password_changed', name: 'Åsa' });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await readPendingJobs()).toEqual([]);
    await db.transaction(async (tx) => {
      for (let round = 0; round < 2; round += 1)
        await mail.send(tx, 'ada@example.com', 'sv', { kind: 'password_changed', name: 'Åsa' }, 'once');
    });
    expect(await readPendingJobs()).toHaveLength(1);
  });
});
