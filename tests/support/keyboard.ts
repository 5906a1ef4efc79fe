/** A user with a keyboard and no mouse, who acts only on visible focus. */
import type { Page } from 'playwright';
import { expect } from 'vitest';

export interface TestKeyboard {
  /** Number of keys pressed since the last `restart`; a typed text counts as one key. */
  count(): number;
  restart(): void;
  press(key: string, times?: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses a key until the focused element has this text, at most `maxPresses` times. */
  pressUntil(key: string, text: string | RegExp, maxPresses: number): Promise<void>;
  /** Waits until the focused element has this text and its focus is visible. */
  expectFocus(text: string | RegExp): Promise<void>;
}

export function createKeyboard(page: Page): TestKeyboard {
  let count = 0;
  const press = async (key: string, times = 1) => {
    for (let index = 0; index < times; index += 1) await page.keyboard.press(key);
    count += times;
  };
  const expectFocus = async (text: string | RegExp) => {
    const message = `focus on “${text}”`;
    await expect.poll(async () => matches((await readFocus(page)).text, text), { message }).toBe(true);
    await expect.poll(async () => (await readFocus(page)).fault, { message }).toBe('');
  };
  return {
    count: () => count,
    restart: () => {
      count = 0;
    },
    press,
    async type(text) {
      await page.keyboard.type(text);
      count += 1;
    },
    async pressUntil(key, text, maxPresses) {
      for (let index = 0; index < maxPresses && !matches((await readFocus(page)).text, text); index += 1) {
        const focusBefore = await readFocus(page);
        await press(key);
        await expect
          .poll(async () => (await readFocus(page)).mark, { message: `${key} moves the focus` })
          .not.toBe(focusBefore.mark);
      }
      await expectFocus(text);
    },
    expectFocus,
  };
}

const matches = (actual: string, text: string | RegExp): boolean =>
  typeof text === 'string' ? actual.includes(text) : text.test(actual);

interface Focus {
  /** Visible label or text of the focused element. */
  text: string;
  /** Identifies the element until the page is reloaded. */
  mark: string;
  /** Why the focus is not visible; empty if it is. */
  fault: string;
}

const readFocus = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body)
      return { text: '', mark: 'none', fault: 'nowhere' };
    const { focusMarks = [] } = window as { focusMarks?: HTMLElement[] };
    if (!focusMarks.includes(element)) focusMarks.push(element);
    Object.assign(window, { focusMarks });
    const label = element.id ? document.querySelector(`label[for="${element.id}"]`) : undefined;
    const text = [element.getAttribute('aria-label'), label?.textContent, element.textContent].filter(Boolean);
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const topElement = document.elementFromPoint(x, y);
    const hasFocusRing = [element, element.parentElement, element.parentElement?.parentElement].some((candidate) => {
      const style = candidate && getComputedStyle(candidate);
      return style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
    });
    const fault =
      right <= left || bottom <= top || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth
        ? 'outside the screen'
        : !topElement || !(element.contains(topElement) || topElement.contains(element))
          ? `covered by ${topElement?.className}`
          : hasFocusRing
            ? ''
            : 'without a ring';
    return { text: text.join(' '), mark: String(focusMarks.indexOf(element)), fault };
  });
