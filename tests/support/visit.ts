/**
 * A person at the product: a browser of their own, signed in with a demo login. Data go in through the API, actions
 * through the screen.
 */
import type { Browser, BrowserContext, Page, Response } from 'playwright';
import { onTestFinished } from 'vitest';
import { demoLogins } from '../../demo/seed/people';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { complaintsOf, launchBrowser, widths } from './browser';
import { demoUrl } from './demo';

export interface Session {
  token: string;
  user_token: string;
  user: { id: number; first_name: string; last_name: string };
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  session: Session | undefined;
  /** Errors of scripts and of the console so far. */
  complaints: string[];
  /** Paths with query of the calls to the API so far. */
  calls: string[];
  /** Opens a page of the app and waits until it stands still. */
  open(path: string): Promise<void>;
  /** Goes to another page of the app without loading it anew, as the buttons of the browser do. */
  walk(path: string): Promise<void>;
  /** Where the browser is, without the address of the server. */
  path(): string;
  /** Calls the API as this person. */
  api<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

export interface House {
  /** A new visitor: in a role, or signed out. */
  visit(role?: RoleName, options?: { width?: keyof typeof widths; lang?: string; dark?: boolean }): Promise<Visitor>;
  close(): Promise<void>;
}

export async function openHouse(): Promise<House> {
  const browser = await launchBrowser();
  const open = new Set<Visitor>();
  return {
    async visit(role, options = {}) {
      const visitor = await enter(browser, role, options);
      open.add(visitor);
      leaveAfterTest(visitor);
      return visitor;
    },
    async close() {
      await Promise.all([...open].map((visitor) => visitor.close()));
      await browser.close();
    },
  };
}

/** Whoever came during a test leaves with it; whoever came before all of them stays until the house closes. */
function leaveAfterTest(visitor: Visitor): void {
  try {
    onTestFinished(() => visitor.close());
  } catch {
    // Not within a test.
  }
}

export const credentialsOf = (role: RoleName) => {
  const { email = '', password = '' } = demoLogins[roleNames.indexOf(role)] ?? {};
  return { email, password };
};

export async function signIn(role: RoleName): Promise<Session> {
  return ask<Session>('POST', '/api/v1/login', { body: credentialsOf(role) });
}

async function enter(
  browser: Browser,
  role: RoleName | undefined,
  { width = 'desktop', lang = 'en', dark = false }: { width?: keyof typeof widths; lang?: string; dark?: boolean },
): Promise<Visitor> {
  const session = role && (await signIn(role));
  const context = await browser.newContext({
    viewport: widths[width],
    locale: 'en-GB',
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  if (session || lang !== 'en') {
    const stored = JSON.stringify({ sb: true, lang, t: session?.token ?? '', ut: session?.user_token ?? '' });
    // Once per visitor, so that what the page keeps afterwards holds after a reload.
    await context.addInitScript((value) => {
      if (!sessionStorage.getItem('visited')) localStorage.setItem('sweepline', value);
      sessionStorage.setItem('visited', 'yes');
    }, stored);
  }
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`);
  });
  const open = async (path: string) => {
    await page.goto(`${demoUrl()}${path}`, { waitUntil: 'domcontentloaded' });
    await settled(page);
  };
  const here = () => page.url().replace(demoUrl(), '');
  return {
    page,
    context,
    session,
    complaints,
    calls,
    open,
    walk: async (path) => (isOtherPage(here(), path) ? walked(page, path) : open(path)),
    path: here,
    api: (method, path, body) => ask(method, `/api/v1/${path}`, { body, token: session?.token }),
    close: () => context.close(),
  };
}

/**
 * The tabs of one row are one page, which keeps its heading; and where nothing was opened yet, there is nothing to walk
 * from.
 */
function isOtherPage(from: string, to: string): boolean {
  const rowOf = (path: string) => path.replace(/\?.*/, '').split('/').slice(0, 3).join('/');
  return from.startsWith('/') && rowOf(from) !== rowOf(to);
}

async function walked(page: Page, to: string): Promise<void> {
  await page.evaluate((path) => {
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: crypto.randomUUID() }, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, to);
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
  await settled(page);
}

/**
 * Waits until a heading is there and nothing of the page is loading any more. Live events keep a connection open, so
 * the network is never idle.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2, form').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 20_000 });
}

/** The next answer to a call whose path with query matches. */
export const answerTo = (page: Page, path: RegExp): Promise<Response> =>
  page.waitForResponse((response) => path.test(response.url().replace(demoUrl(), '')));

/** One call to the API. */
export async function ask<T>(
  method: string,
  path: string,
  { body, token }: { body?: unknown; token?: string } = {},
): Promise<T> {
  const headers: Record<string, string> = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const answer = await fetch(`${demoUrl()}${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Sends an OsmAnd message as a tracker does. */
export async function report(values: Record<string, string | number>): Promise<number> {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return (await fetch(`${demoUrl()}/ingest/osmand?${query}`)).status;
}
