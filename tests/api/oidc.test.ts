/** OpenID login with a provider in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const publicUrl = 'https://fleet.example.org';
const callback = `${publicUrl}/api/v1/login/oidc/callback`;
const email = 'partner@north.example.com';

let provider: ChildProcess;
let app: TestApp;
let world: World;
beforeAll(async () => {
  provider = spawn(process.execPath, ['--import', 'tsx', 'tests/support/oidcProviderProcess.ts', callback], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    provider.once('exit', () => reject(new Error('The provider ended.')));
    provider.stdout?.on('data', (data: Buffer) => /http:\/\/127\S+/.test(String(data)) && resolve(String(data).trim()));
  });
  const env = {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'sweepline',
    OIDC_CLIENT_SECRET: 'provider-secret',
  };
  ({ app, world } = await startTestWorld({ env }));
});
beforeEach(() => app.db.rows(sql`delete from login_failures`));
afterAll(async () => {
  provider?.kill();
  await app?.close();
});

const get = (path: string, cookie = '') =>
  app.call<{ message?: string }>(undefined, 'GET', path, undefined, { cookie, host: 'evil.example.net' });
const exchange = (ticket: string, cookie: string) =>
  app.call<{ token: string; user: { id: number } }>(undefined, 'POST', 'login/oidc', { ticket }, { cookie });

interface LoginStart {
  /** The cookie that the browser has stored. */
  cookie: string;
  target: URL;
}

async function startLogin(): Promise<LoginStart> {
  const { status, headers } = await get('login/oidc');
  expect(status).toBe(302);
  return { cookie: headers['set-cookie']?.split(';')[0] ?? '', target: new URL(headers.location ?? '') };
}

/** Logs in at the provider and consents. Returns the URL to which the browser is redirected. */
async function signIn(target: URL, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = target;
  let form: Record<string, string> | undefined;
  for (let step = 0; step < 12; step++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response: Response = await fetch(address, {
      redirect: 'manual',
      headers,
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    form = undefined;
    const location = response.headers.get('location');
    if (location) {
      address = new URL(location, address);
      if (address.href.startsWith(publicUrl)) return address;
      continue;
    }
    const page = await response.text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    expect(prompt, page).not.toBe('');
    address = new URL(action, address);
    form = { prompt, ...(prompt === 'login' && { login: login, password: 'any' }) };
  }
  throw new Error('The provider never sent the browser back.');
}

/** Completes a login and returns the value of `#sso=`. */
async function completeLogin(login: string): Promise<{ outcome: string; cookie: string; back: URL }> {
  const { cookie, target } = await startLogin();
  const callbackUrl = await signIn(target, login);
  return { outcome: await followCallback(callbackUrl, cookie), cookie, back: callbackUrl };
}

async function followCallback(callbackUrl: URL, cookie: string): Promise<string> {
  const { status, headers } = await get(`${callbackUrl.pathname}${callbackUrl.search}`, cookie);
  expect(status).toBe(302);
  expect(headers.location).toMatch(new RegExp(`^${publicUrl}/login#sso=`));
  return headers.location?.split('#sso=')[1] ?? '';
}

describe('the redirect to the provider', () => {
  test('uses PKCE, state and nonce, and returns to PUBLIC_URL for any Host header', async () => {
    const { target, cookie } = await startLogin();
    const parameters = target.searchParams;
    expect([parameters.get('redirect_uri'), parameters.get('code_challenge_method'), parameters.get('scope')]).toEqual([
      callback,
      'S256',
      'openid email',
    ]);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(parameters.get(name)?.length, name).toBeGreaterThan(30);
    expect(cookie).toMatch(/^sweepline_sso=[\w-]{40,}$/);
    const { headers } = await get('login/oidc');
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/api/v1/login'])
      expect(headers['set-cookie']).toContain(flag);
    expect((await get('login/methods')).body).toEqual({ data: { oidc: true } });
  });
});

describe('the callback', () => {
  test('logs in the user with the verified address, once and in the same browser', async () => {
    const { outcome, cookie } = await completeLogin(email.toUpperCase());
    expect((await exchange(outcome, '')).status).toBe(422);
    expect((await exchange(outcome, 'sweepline_sso=another')).status).toBe(422);
    const login = await exchange(outcome, cookie);
    const readLinks = () => app.db.rows(sql`select user_id from audit where action = 'oidc_link'`);
    expect(await readLinks()).toEqual([{ user_id: world.users.partner }]);
    expect([login.status, login.body.user.id]).toEqual([200, world.users.partner]);
    expect((await app.call(login.body.token, 'GET', 'machines')).status).toBe(200);
    expect((await exchange(outcome, cookie)).status).toBe(422);
  });

  test('rejects an unverified or unknown address, and creates no user', async () => {
    const rowsBefore = await app.db.rows(sql`select id from users`);
    expect((await completeLogin(`?${email}`)).outcome).toBe('unknown');
    expect((await completeLogin('stranger@example.com')).outcome).toBe('unknown');
    await app.db.rows(sql`update users set deleted_at = now() where id = ${world.users.operator}`);
    expect((await completeLogin('operator@north.example.com')).outcome).toBe('unknown');
    expect(await app.db.rows(sql`select id from users`)).toHaveLength(rowsBefore.length);
  });

  test('rejects another state, another browser, a second use, and a missing code', async () => {
    const { cookie, target } = await startLogin();
    const callbackUrl = await signIn(target, email);
    const forgedUrl = new URL(callbackUrl);
    forgedUrl.searchParams.set('state', 'A'.repeat(43));
    expect(await followCallback(forgedUrl, cookie)).toBe('failed');
    expect(await followCallback(callbackUrl, '')).toBe('failed');
    expect(await followCallback(callbackUrl, (await startLogin()).cookie)).toBe('failed');
    expect(await followCallback(callbackUrl, cookie)).toMatch(/^[\w-]{40,}$/);
    expect(await followCallback(callbackUrl, cookie)).toBe('failed');
    const otherLogin = await startLogin();
    const denialUrl = new URL(`${callback}?error=access_denied&state=${otherLogin.target.searchParams.get('state')}`);
    expect(await followCallback(denialUrl, otherLogin.cookie)).toBe('failed');
  });

  test('rejects the code of another flow', async () => {
    const [ownLogin, otherLogin] = [await startLogin(), await startLogin()];
    const callbackUrl = await signIn(otherLogin.target, email);
    const swappedUrl = new URL(callbackUrl);
    swappedUrl.searchParams.set('state', ownLogin.target.searchParams.get('state') ?? '');
    expect(await followCallback(swappedUrl, ownLogin.cookie)).toBe('failed');
  });

  test('requires the second factor of users who have one', async () => {
    const secret = Buffer.alloc(48);
    await app.db.rows(
      sql`insert into second_factors (user_id, secret, confirmed_at) values (${world.users.partner}, ${secret}, now())`,
    );
    const { outcome, cookie } = await completeLogin(email);
    const login = await app.call<{ two_factor?: boolean; ticket: string; token?: string }>(
      undefined,
      'POST',
      'login/oidc',
      { ticket: outcome },
      { cookie },
    );
    expect([login.body.two_factor, login.body.token]).toEqual([true, undefined]);
    // The tickets of the two steps are not interchangeable.
    expect((await exchange(login.body.ticket, cookie)).status).toBe(422);
    await app.db.rows(sql`delete from second_factors`);
  });
});

describe('OpenID login without a provider', () => {
  test('is disabled', async () => {
    const plainApp = await startTestApp();
    expect((await plainApp.call(undefined, 'GET', 'login/methods')).body).toEqual({ data: { oidc: false } });
    expect((await plainApp.call(undefined, 'GET', 'login/oidc')).status).toBe(404);
    await plainApp.close();
  });

  test('redirects the browser with an error if the provider is unreachable', async () => {
    const unreachable = await startTestApp({
      env: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
    });
    const { status, headers } = await unreachable.call(undefined, 'GET', 'login/oidc');
    expect([status, headers.location?.split('#')[1]]).toEqual([302, 'sso=failed']);
    await unreachable.close();
  });
});
