/** Mails by `SMTP_URL`, with a real mail server at the other end: each arrives, once, whatever happens on the way. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer } from '../../server/context/mailer';
import { MailFileQueue } from '../../server/mail/fileQueue';
import { openMail } from '../../server/mail/mail';
import { Outbox } from '../../server/mail/outbox';
import { mailTexts } from '../../server/mail/write';
import { type TestApp, testApp } from '../support/app';
import { freePort } from '../support/cluster';
import { add } from '../support/rows';
import { type MailServer, type MailServerOptions, startMailServer } from '../support/smtp';

const account = { user: 'sweepline', password: 'p@ss:word' };
const mailFrom = 'Sweepline Nord <fleet@example.org>';
const log = pino({ level: 'silent' });
let dataDir: string;
const open = new Set<{ close(): Promise<void> }>();
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sweepline-mail-'));
});
afterEach(async () => {
  for (const each of open) await each.close();
  open.clear();
  rmSync(dataDir, { recursive: true, force: true });
});
function closing<T extends { close(): Promise<void> }>(opened: T): T {
  open.add(opened);
  return opened;
}
const closed = async (opened: { close(): Promise<void> }) => {
  open.delete(opened);
  await opened.close();
};
const started = async (options?: MailServerOptions) => closing(await startMailServer(options));
const mailTo = (port: number, query = '') =>
  closing(openMail({ smtpUrl: `smtp://127.0.0.1:${port}${query}`, mailFrom, dataDir }, log));
const send = (mail: Mailer, to = 'ada@example.com') => mail.send(to, 'sv', { kind: 'password_changed', name: 'Åsa' });
const waiting = () => (existsSync(join(dataDir, 'outbox/waiting')) ? readdirSync(join(dataDir, 'outbox/waiting')) : []);
/** Once nothing waits any more, what arrived is all that ever will. */
const arrived = async ({ taken }: MailServer, ...recipients: string[]) => {
  await expect.poll(() => [taken.length >= recipients.length, waiting()], { timeout: 60_000 }).toEqual([true, []]);
  expect(taken.map((mail) => mail.recipients.join()).sort()).toEqual([...recipients].sort());
};

describe('a forgotten password', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer({ account });
    const SMTP_URL = `smtp://${account.user}:${encodeURIComponent(account.password)}@127.0.0.1:${server.port}`;
    app = await testApp({ env: { SMTP_URL, MAIL_FROM: mailFrom, PUBLIC_URL: 'https://fleet.example.org' } });
  });
  afterAll(async () => {
    await app?.close();
    await server?.close();
  });

  test.each(Object.entries(mailTexts))('is mailed in %s, from the sender, with the link', async (language, {
    reset,
  }) => {
    server.taken.splice(0);
    const email = `Zoe.Ek.${language}@example.com`;
    const spoken = await app.db.one<{ id: number }>(sql`select id from languages where two_letter_code = ${language}`);
    await add(app.db, 'users', { email, language_id: spoken?.id });
    expect(
      (await app.call(undefined, 'POST', 'users/forgotPassword', { email: `zoe.ek.${language}@EXAMPLE.com` })).status,
    ).toBe(200);
    await expect.poll(() => server.taken.length).toBe(1);
    const [mail] = server.taken;
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
      .poll(() => server.taken.map(({ subject }) => subject))
      .toEqual([reset.subject, mailTexts[language as 'en'].password_changed.subject]);
  });

  test('is answered although no mail server is there, and mailed once when it is', async () => {
    const port = await freePort();
    const app = closing(await testApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } }));
    const spoken = await app.db.one<{ id: number }>(sql`select min(id) as id from languages`);
    await add(app.db, 'users', { email: 'late@example.com', language_id: spoken?.id });
    expect((await app.call(undefined, 'POST', 'users/forgotPassword', { email: 'late@example.com' })).status).toBe(200);
    const server = await started({ port });
    await expect
      .poll(() => server.taken.map(({ recipients }) => recipients), { timeout: 60_000 })
      .toEqual([['late@example.com']]);
    await expect.poll(() => readdirSync(join(app.dataDir, 'outbox/waiting'))).toEqual([]);
    expect(server.taken).toHaveLength(1);
  });
});

describe('encryption', () => {
  test('is used where the server offers it', async () => {
    const server = await started({ account, starttls: true });
    const mail = closing(
      openMail(
        {
          smtpUrl: `smtp://${account.user}:${encodeURIComponent(account.password)}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
          mailFrom,
          dataDir,
        },
        log,
      ),
    );
    await send(mail);
    await arrived(server, 'ada@example.com');
    expect(server.taken[0]).toMatchObject({ secure: true, user: account.user });
  });

  test('with a server that cannot prove who it is sends nothing and loses nothing', async () => {
    const server = await started({ starttls: true });
    const mail = mailTo(server.port);
    await send(mail);
    await closed(mail);
    expect([server.taken, waiting().length]).toEqual([[], 1]);
  });
});

describe('a mail that could not be sent', () => {
  test('is kept over the end of the process and sent by the next', async () => {
    const port = await freePort();
    const before = mailTo(port);
    await Promise.all([send(before, 'one@example.com'), send(before, 'two@example.com')]);
    await closed(before);
    expect(waiting()).toHaveLength(2);
    const server = await started({ port });
    mailTo(port);
    await arrived(server, 'one@example.com', 'two@example.com');
  });

  test('is sent once by several processes that share a folder', async () => {
    const port = await freePort();
    const before = mailTo(port);
    const recipients = Array.from({ length: 12 }, (_, n) => `guest${n}@example.com`);
    for (const to of recipients) await send(before, to);
    await closed(before);
    const server = await started({ port });
    for (let process = 0; process < 3; process += 1) mailTo(port);
    await arrived(server, ...recipients);
  });

  test('was being sent when the power failed: it is sent after a while', async () => {
    const server = await started();
    await new MailFileQueue(join(dataDir, 'outbox/waiting')).add({
      envelope: { from: 'a@example.org', to: ['cut@example.com'] },
      message: 'Subject: x\r\n\r\ny',
      since: new Date().toISOString(),
    });
    const [name = ''] = waiting();
    const path = join(dataDir, 'outbox/waiting', name);
    const taken = path.replace(/json$/, 'taken');
    renameSync(path, taken);
    await closed(mailTo(server.port));
    expect([waiting().length, server.taken.length]).toEqual([1, 0]);
    const then = new Date(Date.now() - 11 * 60_000);
    utimesSync(taken, then, then);
    mailTo(server.port);
    await arrived(server, 'cut@example.com');
  });

  test('waits while the server refuses it for a while, and holds up no other', async () => {
    let tries = 0;
    const server = await started({
      refuse: (recipient) => {
        if (recipient !== 'grey@example.com') return undefined;
        tries += 1;
        return tries === 1 ? 451 : undefined;
      },
    });
    const mail = mailTo(server.port);
    await send(mail, 'grey@example.com');
    await send(mail, 'ada@example.com');
    await arrived(server, 'grey@example.com', 'ada@example.com');
    expect(tries).toBe(2);
  });

  test('waits while we are refused for a wrong password', async () => {
    const { port, ...refusing } = await started({ account });
    const mail = mailTo(port);
    await send(mail);
    await closed(mail);
    expect([refusing.taken.length, waiting().length]).toEqual([0, 1]);
  });

  test('lies in the outbox once it is refused for good', async () => {
    let tries = 0;
    const server = await started({
      refuse: () => {
        tries += 1;
        return 550;
      },
    });
    await send(mailTo(server.port), 'gone@example.com');
    await expect
      .poll(() => new Outbox(join(dataDir, 'outbox')).list())
      .toMatchObject([{ to: 'gone@example.com', subject: mailTexts.sv.password_changed.subject }]);
    await arrived(server);
    expect(tries).toBe(1);
  });

  test('lies in the outbox after three days', async () => {
    const since = new Date(Date.now() - 73 * 3_600_000).toISOString();
    await new MailFileQueue(join(dataDir, 'outbox/waiting')).add({
      envelope: { from: 'a@example.org', to: ['old@example.com'] },
      message: 'To: old@example.com\r\n\r\nx',
      since,
    });
    mailTo(await freePort());
    await expect
      .poll(() => new Outbox(join(dataDir, 'outbox')).list())
      .toMatchObject([{ to: 'old@example.com', text: 'x' }]);
    expect(waiting()).toEqual([]);
  });
});
