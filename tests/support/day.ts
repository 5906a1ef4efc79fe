/**
 * Working days: the tasks of one role as a user of their own, written once without words of any language. `npm test`
 * runs each day once; with `DAYS=<folder>` it runs in both languages and at both widths, and stores a screenshot of
 * every task there.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { ownName } from '../../src/i18n/names';
import { demoUrl } from './demo';
import { callApi, credentialsOf, setUpTestBrowser, type TestBrowser, type Visitor, waitUntilSettled } from './visit';
import { type Translate, translatorOf, untranslatedLines } from './words';

export type DayLanguage = 'en' | 'de';
export type Width = 'desktop' | 'phone';

export interface Person {
  id: number;
  email: string;
  password: string;
}

export interface Day extends Visitor {
  translate: Translate;
  language: DayLanguage;
  isPhone: boolean;
  /** The user of the day: created with role and scope of the demo's login, reading the day's language. */
  me: Person;
  /** The administrator, who prepares, checks and cleans up by the API. */
  admin: Visitor;
  /** One task. Afterwards nothing may overflow the screen, be untranslated, or have logged an error. */
  job(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Opens a page of the menu, which on phones must be opened first. */
  menu(path: string): Promise<void>;
  /** Chooses another language in the frame. */
  chooseLanguage(language: DayLanguage): Promise<void>;
  /** Logs in by the form of the login page. */
  logIn(visitor: Visitor, person: Person): Promise<void>;
  logOut(): Promise<void>;
  /** Registers clean-up for the end of the day, in reverse order, however it ends. */
  afterwards(tidy: () => Promise<unknown>): void;
  /** Presses Tab until the element has the focus. */
  tabTo(target: Locator, page?: Page): Promise<void>;
  /** Opens the product as another person, until the end of the day. */
  visit: TestBrowser['visit'];
}

type Usual = readonly [DayLanguage, Width];

const { DAYS: folder } = process.env;

/** Declares the day of a role. `usual`: language and width in `npm test`. */
export function workingDay(role: RoleName, usual: Usual, story: (day: Day) => Promise<void>): void {
  const testBrowser = setUpTestBrowser();
  const every = (['en', 'de'] as const).flatMap((language) =>
    (['desktop', 'phone'] as const).map((width) => [language, width] as const),
  );
  // Screenshots of everything take longer, possibly on a busy server.
  const options = folder ? { timeout: 900_000 } : {};
  test.each(folder ? every : [usual])(`the day of a ${role}: %s, %s`, options, async (language, width) => {
    const visitor = await testBrowser.visit(undefined, { width, lang: language });
    const admin = await testBrowser.visit('admin');
    const tidy: (() => Promise<unknown>)[] = [];
    const me = await createUser(admin, role, language);
    tidy.push(() => admin.api('DELETE', `users/${me.id}`));
    const failures: string[] = [];
    const day = await dayOf({ visitor, admin, testBrowser, me, language, width, role, tidy, failures });
    try {
      await story(day);
      expect(failures).toEqual([]);
    } finally {
      for (const step of tidy.reverse()) await step();
    }
  });
}

interface DayOptions {
  language: DayLanguage;
  width: Width;
  visitor: Visitor;
  admin: Visitor;
  testBrowser: TestBrowser;
  me: Person;
  role: RoleName;
  tidy: (() => Promise<unknown>)[];
  failures: string[];
}

async function dayOf({
  visitor,
  admin,
  testBrowser,
  me,
  language,
  width,
  role,
  tidy,
  failures,
}: DayOptions): Promise<Day> {
  const { page } = visitor;
  const translate = await translatorOf(language);
  const isPhone = width === 'phone';
  if (folder) page.setDefaultTimeout(20_000);
  let jobs = 0;
  const openMenu = () => page.locator('.sl-mobile-header button[aria-expanded]').click();
  return {
    ...visitor,
    admin,
    me,
    language,
    isPhone,
    translate,
    visit: testBrowser.visit,
    api: async (method, path, body) => callApi(method, `/api/v1/${path}`, { body, token: await tokenIn(page) }),
    afterwards: (step) => void tidy.push(step),
    async job(name, work) {
      jobs += 1;
      try {
        await work();
        await waitUntilSettled(page);
        // A toast in the previous language disappears by itself.
        await expect
          .poll(() => findProblems(visitor, language), { message: `After the job “${name}”`, timeout: 10_000 })
          .toBe('');
      } catch (error) {
        // With screenshots the remaining tasks are of interest too.
        if (!folder) throw error;
        failures.push(`${name}: ${error}`);
        visitor.consoleErrors.splice(0);
      }
      if (folder)
        await picture(page, join(folder, role, `${language}-${width}`), `${String(jobs).padStart(2, '0')} ${name}`);
    },
    async menu(path) {
      if (isPhone) await openMenu();
      const links = page.getByRole('navigation', { name: translate('frame.navigation'), exact: true });
      await links.locator(`a[href="${path}"]`).click();
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
    async logIn(who, { email, password }) {
      await who.page.getByRole('textbox', { name: translate('login.email') }).fill(email);
      await who.page.locator('input[type=password]').fill(password);
      await who.page.locator('button[type=submit]').click();
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
    async tabTo(target, on = page) {
      await target.waitFor();
      for (let step = 0; step < 200; step += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await on.keyboard.press('Tab');
      }
      throw new Error(`The Tab key never leads to ${target}.`);
    },
  };
}

async function findProblems({ page, consoleErrors }: Visitor, language: DayLanguage): Promise<string> {
  const across = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const foreign = await untranslatedLines(await page.locator('body').innerText(), language);
  return [
    ...(across > 0 ? [`wider than the screen by ${across} px`] : []),
    ...foreign.map((line) => `untranslated: ${line}`),
    ...consoleErrors,
  ].join('\n');
}

/** Calls use the session of the page. */
const tokenIn = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('sweepline') ?? '{}') as { t?: string }).t);

async function picture(page: Page, into: string, name: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  await page.screenshot({
    path: join(into, `${name.replace(/[^\w -]/g, '')}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}

/** Creates a user like the demo's login of this role, with the same scope. */
async function createUser(admin: Visitor, role: RoleName, language: DayLanguage): Promise<Person> {
  const { email: like, password } = credentialsOf(role);
  const [model] = (await admin.api<{ data: Record<string, unknown>[] }>('GET', `users?filter[email]=${like}`)).data;
  const [languageRow] = (
    await admin.api<{ data: { id: number }[] }>('GET', `languages?filter[two_letter_code]=${language}`)
  ).data;
  const email = `day.${roleNames.indexOf(role)}.${Date.now().toString(36)}@demo.sweepline.example`;
  const reach = Object.fromEntries(
    Object.entries(model ?? {}).filter(
      ([name]) => name.endsWith('_ids') || name === 'client_id' || name === 'is_staff',
    ),
  );
  const { data } = await admin.api<{ data: { id: number } }>('POST', 'users', {
    ...reach,
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
export async function mailsTo(address: string): Promise<{ to: string; subject: string; text: string }[]> {
  const { data } = (await (await fetch(`${demoUrl()}/api/dev/outbox`)).json()) as {
    data: { to: string; subject: string; text: string }[];
  };
  return data.filter(({ to }) => to.includes(address));
}
