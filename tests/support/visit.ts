/** Opens pages in a browser that is logged in with a demo login. Tests create data through the API and act on pages. */
import type { Browser, BrowserContext, Page, Response } from 'playwright';
import { afterAll, onTestFinished } from 'vitest';
import { demoLogins } from '../../demo/seed/people';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { collectConsoleErrors, launchHeadlessShell, viewports } from './browser';
import { demoUrl } from './demo';
import { idlePath, openOwnWindow, openWindow } from './windows';

export interface Session {
  token: string;
  user_token: string;
  user: { id: number; first_name: string; last_name: string };
}

export interface Visitor {
  /** URL of the server. */
  url: string;
  page: Page;
  context: BrowserContext;
  session: Session | undefined;
  /** Uncaught errors and console errors so far. */
  consoleErrors: string[];
  /** Paths with query of the API calls so far. */
  calls: string[];
  /** Opens a page of the application and waits until it is idle. */
  open(path: string): Promise<void>;
  /** Navigates within the application without a reload, as the browser's buttons do. */
  navigate(path: string): Promise<void>;
  /** Current path with query, without the server's address. */
  path(): string;
  /** Calls the API as this user. */
  api<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

export interface VisitOptions {
  width?: keyof typeof viewports;
  lang?: string;
  dark?: boolean;
  /** Time zone of the device; by default that of the computer. */
  timeZone?: string;
  /** Whether the device has a touchscreen instead of a mouse. */
  hasTouch?: boolean;
  /** URL of a server other than the demo's. */
  url?: string;
  /** Session on that server; replaces the login of a role. */
  session?: Session;
  /** Opens a window that no other test uses: for init scripts, exposed functions, clocks and devtools. */
  isOwnWindow?: boolean;
}

export interface TestBrowser {
  /** Opens the product as the demo login of a role, or logged out without one. */
  visit(role?: RoleName, options?: VisitOptions): Promise<Visitor>;
}

/** The browser of this worker. Its windows are closed after the test or file that opened them. */
export function setUpTestBrowser(): TestBrowser {
  afterAll(async () => {
    for (const step of cleanUpSteps.splice(0).reverse()) await step();
  });
  return {
    async visit(role, options = {}) {
      const visitor = await openVisitor(await sharedBrowser(), role, options);
      cleanUpAfterwards(visitor.close);
      return visitor;
    },
  };
}

let openBrowser: Promise<Browser> | undefined;

/**
 * Starts one browser per worker, for all of its files, since windows share no state. If the browser has crashed, the
 * next visit starts another.
 */
function sharedBrowser(): Promise<Browser> {
  openBrowser ??= launchHeadlessShell().then((browser) =>
    browser.once('disconnected', () => {
      openBrowser = undefined;
    }),
  );
  return openBrowser;
}

/** Clean-up steps to run after the tests of a file. */
const cleanUpSteps: (() => Promise<undefined>)[] = [];

/**
 * Runs `step` after the current test, or after all tests of the file if none is running; the last registered step runs
 * first. A failed step does not fail the test: rows that it cannot delete stay until the server ends.
 */
export function cleanUpAfterwards(step: () => Promise<unknown>): void {
  const tryStep = () => step().then(doNothing, doNothing);
  try {
    onTestFinished(tryStep);
  } catch {
    cleanUpSteps.push(tryStep);
  }
}

const doNothing = () => undefined;

export const credentialsOf = (role: RoleName) => {
  const { email = '', password = '' } = demoLogins[roleNames.indexOf(role)] ?? {};
  return { email, password };
};

export async function signIn(role: RoleName): Promise<Session> {
  return callApi<Session>('POST', '/api/v1/login', { body: credentialsOf(role) });
}

async function openVisitor(
  browser: Browser,
  role: RoleName | undefined,
  {
    width = 'desktop',
    lang = 'en',
    dark = false,
    timeZone,
    hasTouch = false,
    url = demoUrl(),
    ...options
  }: VisitOptions,
): Promise<Visitor> {
  const session = options.session ?? (role && (await signIn(role)));
  const windowOptions = {
    viewport: viewports[width],
    hasTouch,
    isMobile: hasTouch,
    locale: 'en-GB',
    timezoneId: timeZone,
    colorScheme: dark ? ('dark' as const) : ('light' as const),
    reducedMotion: 'reduce' as const,
    serviceWorkers: 'block' as const,
  };
  const isShared = !options.isOwnWindow && url === demoUrl();
  const { context, page, release } = isShared
    ? await openWindow(browser, url, windowOptions)
    : await openOwnWindow(browser, windowOptions);
  const initScripts = [await context.addInitScript(recordToasts)];
  if (session || lang !== 'en') {
    const storedSession = JSON.stringify({ sb: true, lang, t: session?.token ?? '', ut: session?.user_token ?? '' });
    initScripts.push(await context.addInitScript(storeSession, storedSession));
  }
  const consoleErrors = collectConsoleErrors(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}${search}`);
  });
  const open = async (path: string) => {
    await page.goto(`${url}${path}`, { waitUntil: 'domcontentloaded' });
    await waitUntilSettled(page);
  };
  const currentPath = () => page.url().replace(url, '');
  const close = async () => {
    for (const script of initScripts) await script.dispose();
    await release();
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    page,
    context,
    session,
    consoleErrors,
    calls,
    open,
    navigate: async (path) => (isOtherPage(currentPath(), path) ? navigateWithin(page, path) : open(path)),
    path: currentPath,
    api: (method, path, body) => callApi(method, `/api/v1/${path}`, { body, token: session?.token, url }),
    close: () => (closing ??= close()),
  };
}

/** Whether a navigation leads to another page with its own heading. Tabs of one row are one page. */
export function isOtherPage(from: string, to: string): boolean {
  const recordPathOf = (path: string) => path.replace(/\?.*/, '').split('/').slice(0, 3).join('/');
  return from.startsWith('/') && from !== idlePath && recordPathOf(from) !== recordPathOf(to);
}

/** Navigates without a reload, as `Visitor.navigate`. */
export async function navigateWithin(page: Page, to: string): Promise<void> {
  await leavePage(page, () => goTo(page, to));
}

/**
 * Leaves the current page by `leave`, such as a click on a link, and waits until another page has replaced it. The
 * URL changes first; until code and rows of the next page have arrived, locators still match the former page.
 */
export async function leavePage(page: Page, leave: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-left', ''));
  await leave();
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
  await waitUntilSettled(page);
}

const goTo = (page: Page, to: string) =>
  page.evaluate((path) => {
    history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: crypto.randomUUID() }, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, to);

/**
 * Waits until a heading is visible and nothing is loading. The network is never idle, since live events keep a
 * connection open.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.locator('h1, h2, form').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
}

/** Logs the window in, once per visitor, so that changes made on the page survive a reload. */
function storeSession(storedSession: string): void {
  if (!sessionStorage.getItem('visited')) localStorage.setItem('sweepline', storedSession);
  sessionStorage.setItem('visited', 'yes');
}

/** Records the toasts of a page, since they disappear within a second. */
function recordToasts(): void {
  const toasts: string[] = [];
  Object.assign(window, { toasts });
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const toast of node.matches('.sl-toast') ? [node] : node.querySelectorAll('.sl-toast'))
            toasts.push(toast.textContent ?? '');
  }).observe(document, { childList: true, subtree: true });
}

/**
 * Waits for a toast with this text. Also finds one that was shown since the page was loaded and has closed again. Each
 * toast is found once.
 */
export async function waitForToast(page: Page, text: string | RegExp): Promise<void> {
  const removeToast = (pattern: string) => {
    const { toasts } = window as unknown as { toasts: string[] };
    const index = toasts.findIndex((toast) => new RegExp(pattern).test(toast));
    return index >= 0 && toasts.splice(index, 1).length > 0;
  };
  const pattern = typeof text === 'string' ? text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : text.source;
  await page.waitForFunction(removeToast, pattern);
}

/** Waits for the next response to a call whose path with query matches. */
export const responseTo = (page: Page, path: RegExp): Promise<Response> =>
  page.waitForResponse((response) => path.test(response.url().replace(demoUrl(), '')));

/** Calls the API once; by default on the demo server. */
export async function callApi<T>(
  method: string,
  path: string,
  { body, token, url = demoUrl() }: { body?: unknown; token?: string; url?: string } = {},
): Promise<T> {
  const headers: Record<string, string> = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Sends an OsmAnd message as a tracker does. */
export async function sendOsmAnd(values: Record<string, string | number>): Promise<number> {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return (await fetch(`${demoUrl()}/ingest/osmand?${query}`)).status;
}
