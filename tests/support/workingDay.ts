/**
 * Working days: the tasks of one role, done by a new user and written independently of the language. `npm test` runs
 * each day once. With `DAYS=<folder>` each day runs in both languages and at both widths, and stores a screenshot of
 * every task in that folder.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { ownName } from '../../src/i18n/names';
import { demoUrl } from './demo';
import { findUntranslatedLines, loadTranslator, type Translate } from './loadTranslator';
import {
  callApi,
  credentialsOf,
  isOtherPage,
  leavePage,
  setUpTestBrowser,
  type TestBrowser,
  type Visitor,
  waitUntilSettled,
} from './visit';

export type DayLanguage = (typeof dayLanguages)[number];
export type DayWidth = (typeof dayWidths)[number];

export interface Person {
  id: number;
  email: string;
  password: string;
}

export interface Day extends Visitor {
  translate: Translate;
  language: DayLanguage;
  isPhone: boolean;
  /** The user of the day, created with role and scope of the demo login; reads the day's language. */
  me: Person;
  /** The administrator, who prepares, checks and cleans up through the API. */
  admin: Visitor;
  /** Runs one task. Fails if afterwards anything overflows the screen, is untranslated, or has logged an error. */
  task(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Opens a page from the menu; on phones, opens the menu first. */
  openFromMenu(path: string): Promise<void>;
  /** Chooses another language in the header. */
  chooseLanguage(language: DayLanguage): Promise<void>;
  /** Logs in with the form of the login page. */
  logIn(visitor: Visitor, person: Person): Promise<void>;
  logOut(): Promise<void>;
  /** Registers clean-up for the end of the day, even if it fails. Runs in reverse order. */
  addCleanUpStep(step: () => Promise<unknown>): void;
  /** Presses Tab until the element has the focus. */
  tabTo(target: Locator, page?: Page): Promise<void>;
  /** Opens the product as another user, until the end of the day. */
  visit: TestBrowser['visit'];
}

export const dayLanguages = ['en', 'de'] as const;
export const dayWidths = ['desktop', 'phone'] as const;

/** Folder for a screenshot of every task. If set, days run in all variants. */
export const screenshotFolder = process.env.DAYS;

/** Declares the working day of a role. `defaultVariant`: language and width in `npm test`. */
export function workingDay(
  role: RoleName,
  defaultVariant: readonly [DayLanguage, DayWidth],
  runTasks: (day: Day) => Promise<void>,
): void {
  const testBrowser = setUpTestBrowser();
  const allVariants = dayLanguages.flatMap((language) => dayWidths.map((width) => [language, width] as const));
  const name = `the day of a ${role}: %s, %s`;
  test.each(screenshotFolder ? allVariants : [defaultVariant])(name, dayTimeout, async (language, width) => {
    const admin = await testBrowser.visit('admin');
    const access = await readDemoAccess(admin, role);
    await runDay({ testBrowser, admin, access, language, width, screenshotSubfolder: role }, runTasks);
  });
}

/** Time limit with screenshots, which take longer, possibly on a busy server. */
export const dayTimeout = screenshotFolder ? { timeout: 900_000 } : {};

interface DayOptions {
  testBrowser: TestBrowser;
  admin: Visitor;
  /** Role and scope of the user. */
  access: Record<string, unknown>;
  language: DayLanguage;
  width: DayWidth;
  /** Subfolder for screenshots. */
  screenshotSubfolder: string;
  /** Whether the user's phone has a touchscreen, like real ones. */
  hasTouch?: boolean;
}

/** Runs tasks as a new user on the server of `admin`. */
export async function runDay(options: DayOptions, runTasks: (day: Day) => Promise<void>): Promise<void> {
  const { testBrowser, admin, access, language, width, hasTouch = false } = options;
  const visitor = await testBrowser.visit(undefined, { width, lang: language, url: admin.url, hasTouch });
  const cleanUpSteps: (() => Promise<unknown>)[] = [];
  const me = await createUser(admin, access, language);
  cleanUpSteps.push(() => admin.api('DELETE', `users/${me.id}`));
  const failures: string[] = [];
  const day = await createDay({ ...options, visitor, me, cleanUpSteps, failures });
  try {
    await runTasks(day);
    expect(failures).toEqual([]);
  } finally {
    for (const step of cleanUpSteps.reverse()) await step();
  }
}

interface DayContext extends DayOptions {
  visitor: Visitor;
  me: Person;
  cleanUpSteps: (() => Promise<unknown>)[];
  failures: string[];
}

async function createDay(context: DayContext): Promise<Day> {
  const { visitor, admin, testBrowser, me, language, width, screenshotSubfolder, cleanUpSteps, failures } = context;
  const { page } = visitor;
  const translate = await loadTranslator(language);
  const isPhone = width === 'phone';
  let taskCount = 0;
  const openMenu = () => page.locator('.sl-mobile-header button[aria-expanded]').click();
  return {
    ...visitor,
    admin,
    me,
    language,
    isPhone,
    translate,
    visit: testBrowser.visit,
    api: async (method, path, body) =>
      callApi(method, `/api/v1/${path}`, { body, token: await readToken(page), url: visitor.url }),
    addCleanUpStep: (step) => void cleanUpSteps.push(step),
    async task(name, work) {
      taskCount += 1;
      try {
        await work();
        await waitUntilSettled(page);
        // Waits until a toast in the previous language has disappeared.
        await expect.poll(() => findProblems(visitor, language), { message: `After the task “${name}”` }).toBe('');
      } catch (error) {
        // With screenshots, the remaining tasks run as well.
        if (!screenshotFolder) throw error;
        failures.push(`${name}: ${error}`);
        visitor.consoleErrors.splice(0);
      }
      if (screenshotFolder) {
        const folder = join(screenshotFolder, screenshotSubfolder, `${language}-${width}`);
        await takeScreenshot(page, folder, `${String(taskCount).padStart(2, '0')} ${name}`);
      }
    },
    async openFromMenu(path) {
      if (isPhone) await openMenu();
      const links = page.getByRole('navigation', { name: translate('frame.navigation'), exact: true });
      const click = () => links.locator(`a[href="${path}"]`).click();
      if (isOtherPage(visitor.path(), path)) await leavePage(page, click);
      else await click();
      // An open menu traps the focus on phones.
      if (isPhone) await links.waitFor({ state: 'hidden' });
      await expect.poll(visitor.path).toBe(path);
      await waitUntilSettled(page);
    },
    async chooseLanguage(language) {
      if (isPhone) await openMenu();
      else await page.locator('.sl-picker-button').click();
      await page.getByRole(isPhone ? 'button' : 'menuitemradio', { name: ownName(language) }).click();
      await page.locator(`html[lang=${language}]`).waitFor();
    },
    async logIn(loginVisitor, { email, password }) {
      await loginVisitor.page.getByRole('textbox', { name: translate('login.email') }).fill(email);
      await loginVisitor.page.locator('input[type=password]').fill(password);
      await loginVisitor.page.locator('button[type=submit]').click();
    },
    async logOut() {
      if (isPhone) await openMenu();
      await page
        .getByRole('button', { name: translate('frame.logout') })
        .last()
        .click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: translate('dialogs.logout') })
        .click();
      await expect.poll(visitor.path).toBe('/login');
    },
    async tabTo(target, targetPage = page) {
      await target.waitFor();
      for (let step = 0; step < 200; step += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await targetPage.keyboard.press('Tab');
      }
      throw new Error(`The Tab key never leads to ${target}.`);
    },
  };
}

async function findProblems({ page, consoleErrors }: Visitor, language: DayLanguage): Promise<string> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const untranslatedLines = await findUntranslatedLines(await page.locator('body').innerText(), language);
  return [
    ...(overflow > 0 ? [`wider than the screen by ${overflow} px`] : []),
    ...untranslatedLines.map((line) => `untranslated: ${line}`),
    ...consoleErrors,
  ].join('\n');
}

/** The session token of the page, for API calls. */
const readToken = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('sweepline') ?? '{}') as { t?: string }).t);

async function takeScreenshot(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({
    path: join(folder, `${name.replace(/[^\w -]/g, '')}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}

/** Role and scope of the demo login. */
async function readDemoAccess(admin: Visitor, role: RoleName): Promise<Record<string, unknown>> {
  const { email } = credentialsOf(role);
  const [demoUser] = (await admin.api<{ data: Record<string, unknown>[] }>('GET', `users?filter[email]=${email}`)).data;
  return Object.fromEntries(
    Object.entries(demoUser ?? {}).filter(
      ([name]) => name.endsWith('_ids') || name === 'client_id' || name === 'is_staff',
    ),
  );
}

const password = 'Sweep!Line7';

/** Creates a user whose language is `language`. */
async function createUser(admin: Visitor, access: Record<string, unknown>, language: DayLanguage): Promise<Person> {
  const [languageRow] = (
    await admin.api<{ data: { id: number }[] }>('GET', `languages?filter[two_letter_code]=${language}`)
  ).data;
  const email = `day.${crypto.randomUUID()}@demo.sweepline.example`;
  const { data } = await admin.api<{ data: { id: number } }>('POST', 'users', {
    ...access,
    first_name: 'Robin',
    last_name: 'Tagwerk',
    email,
    language_id: languageRow?.id,
    password,
    password_confirmation: password,
  });
  return { id: data.id, email, password };
}

/** Mails to an address, newest first. */
export async function readMailsTo(address: string): Promise<{ to: string; subject: string; text: string }[]> {
  const { data } = (await (await fetch(`${demoUrl()}/api/dev/outbox`)).json()) as {
    data: { to: string; subject: string; text: string }[];
  };
  return data.filter(({ to }) => to.includes(address));
}
