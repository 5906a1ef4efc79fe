/** Security log: one line per event, with actor and address, without any secret. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../server/app/buildApp';
import { securityEvents } from '../../server/context/securityEvents';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { buildFileForm } from '../support/uploadFile';
import type { World } from '../support/world';

interface SecurityLine extends Record<string, unknown> {
  log: string;
  event: string;
  outcome: string;
  actor: number | null;
  address: string;
}

let app: TestApp;
let world: World;
let builtApp: Awaited<ReturnType<typeof buildApp>>;
let printedLines: string[] = [];
const parseLines = () => printedLines.map((line) => JSON.parse(line) as SecurityLine);

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  builtApp = await buildApp(app.services, (line) => printedLines.push(line));
});
afterAll(async () => {
  await builtApp.close();
  await app.close();
});
beforeEach(() => {
  printedLines = [];
});

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, caller?: string) => {
  const response = await builtApp.inject({
    method,
    url: `/api/v1/${path}`,
    payload,
    remoteAddress: '192.0.2.7',
    headers: caller ? { authorization: `Bearer ${caller}` } : {},
  });
  return { status: response.statusCode, body: response.body ? (response.json() as Record<string, never>) : undefined };
};

const email = 'watched@security.example';
const password = 'Watched!Pass1';
let user: number;
let token: string;

test('the creation of a user, a login, failed logins and their lock are logged', async () => {
  const admin = await app.createSessionToken(world.admin);
  const language = await add(app.db, 'languages', { name: 'Latin', two_letter_code: 'la' });
  const { status, body } = await call(
    'POST',
    'users',
    {
      first_name: 'Wanda',
      last_name: 'Watched',
      email,
      language_id: language,
      role_ids: [1],
      password,
      password_confirmation: password,
    },
    admin,
  );
  expect(status, JSON.stringify(body)).toBe(201);
  user = (body as unknown as { data: { id: number } }).data.id;
  const login = await call('POST', 'login', { email, password });
  expect(login.status).toBe(200);
  token = (login.body as unknown as { token: string }).token;
  for (let index = 0; index < 6; index += 1) await call('POST', 'login', { email, password: 'Wrong!Pass1' });
  expect(parseLines().map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
    'user_created ok',
    'login ok',
    ...Array(5).fill('login failed'),
    'login_locked failed',
  ]);
  expect(parseLines()[0]).toMatchObject({ log: 'security', actor: world.admin, address: '192.0.2.7', role_ids: [1] });
  expect(parseLines()[1]).toMatchObject({ actor: user, address: '192.0.2.7', email });
  expect(parseLines()[7]).toMatchObject({ actor: null, email, status: 429, request: 'POST /api/v1/login' });
});

test('tokens, passwords, rights, impersonation and secrets are logged', async () => {
  const admin = await app.createSessionToken(world.admin);
  const createResponse = await call('POST', 'account/tokens', { name: 'script', days: 30 }, token);
  const { id: tokenId, token: apiToken } = (createResponse.body as unknown as { data: { id: number; token: string } })
    .data;
  expect((await call('DELETE', `account/tokens/${tokenId}`, undefined, token)).status).toBe(204);
  const newPassword = 'Another!Pass1';
  expect(
    (
      await call(
        'POST',
        `users/${user}/password`,
        { current_password: password, password: newPassword, password_confirmation: newPassword },
        token,
      )
    ).status,
  ).toBe(204);
  expect((await call('PUT', `users/${user}`, { first_name: 'Wilma' }, admin)).status).toBe(200);
  expect((await call('PUT', `users/${user}`, { role_ids: [1, 2] }, admin)).status).toBe(200);
  const impersonation = await call('POST', `users/${user}/impersonate`, undefined, admin);
  expect(impersonation.status).toBe(200);
  const tracker = await add(app.db, 'trackers', { tracker_or_serial: 'security-1' });
  const secret = await call('POST', `trackers/${tracker}/secret`, undefined, admin);
  expect(secret.status).toBeLessThan(300);
  expect((await call('POST', 'users/logout', undefined, token)).status).toBe(204);
  expect(parseLines().map(({ event, actor, target }) => [event, actor, target])).toEqual([
    ['token_created', user, undefined],
    ['token_revoked', user, tokenId],
    ['password_changed', user, user],
    ['user_rights_changed', world.admin, user],
    ['impersonation_started', world.admin, user],
    ['secret_created', world.admin, tracker],
    ['logout', user, undefined],
  ]);
  const text = printedLines.join('\n');
  for (const secretText of [token, apiToken, password, newPassword, admin, JSON.stringify(secret.body).slice(10, 60)])
    expect(text).not.toContain(secretText);
});

test('changes by forms, in the dialect of json-server and in bulk are logged, too', async () => {
  const authorization = `Bearer ${await app.createSessionToken(world.admin)}`;
  const send = async (request: { method: 'POST' | 'PUT'; url: string; payload: object; headers?: object }) => {
    const { statusCode, body } = await builtApp.inject({ ...request, headers: { authorization, ...request.headers } });
    expect(statusCode, body).toBeLessThan(300);
  };
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const multipart = buildFileForm({
    field: 'image',
    content: Buffer.from(pixel, 'base64'),
    fields: { 'role_ids[]': '1' },
  });
  await send({
    method: 'POST',
    url: `/api/v1/users/patch/${user}`,
    payload: multipart.body,
    headers: multipart.headers,
  });
  const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' };
  const sendForm = (form: string) =>
    send({ method: 'POST', url: `/api/v1/users/${user}`, payload: Buffer.from(form), headers: urlEncoded });
  await sendForm('_method=PATCH&role_ids[]=1&role_ids[]=2');
  await send({ method: 'PUT', url: `/api/json-server/v1/users/${user}`, payload: { role_ids: [1] } });
  const sendBulk = (payload: object) => send({ method: 'PUT', url: '/api/v1/users', payload });
  await sendBulk({ ids: [user], add: { role_ids: [2] } });
  await sendBulk({ ids: [user], remove: { role_ids: [2] } });
  await sendBulk({ changes: [{ id: user, data: { role_ids: [1, 2] } }] });
  expect(parseLines().at(-1)?.ids).toEqual([user]);
  await sendForm('_method=delete');
  expect(parseLines().map(({ event, target, role_ids }) => [event, target, role_ids])).toEqual([
    ['user_rights_changed', user, [1]],
    ['user_rights_changed', user, [1, 2]],
    ['user_rights_changed', user, [1]],
    ['user_rights_changed', undefined, [2]],
    ['user_rights_changed', undefined, [2]],
    ['user_rights_changed', undefined, [1, 2]],
    ['user_deleted', user, undefined],
  ]);
});

test('ten rejections within a minute are logged as one line', async () => {
  const operator = await app.createSessionToken(world.users.operator as number);
  for (let index = 0; index < 25; index += 1)
    expect((await call('POST', 'roles', { name: `r${index}` }, operator)).status).toBe(403);
  expect(parseLines()).toMatchObject([
    { event: 'access_denied_burst', actor: world.users.operator, address: '192.0.2.7', count: 10 },
  ]);
});

test('every event is documented', async () => {
  const { readFileSync } = await import('node:fs');
  const { root } = await import('../support/sources');
  const page = readFileSync(`${root}docs/operations.md`, 'utf8');
  expect(securityEvents.filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
});
