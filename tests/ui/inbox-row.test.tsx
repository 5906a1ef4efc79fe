/** Rows of the inbox: how times and serial numbers are shown. */
import { render } from '@testing-library/react';
import { I18nContextProvider } from 'ra-core';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { type Language, languageCodes } from '../../schema/shared/languages';
import { loadMessages } from '../../src/i18n/loadMessages';
import { InboxDetails } from '../../src/pages/dashboard/InboxDetails';
import { RelativeTime } from '../../src/ui/RelativeTime';
import { WholeWords } from '../../src/ui/WholeWords';

const minute = 60_000;
const instantBefore = (age: number) => new Date(Date.now() - age).toISOString();
const renderText = async (language: Language, element: ReactNode) => {
  const messages = await loadMessages(language);
  const { container, unmount } = render(
    <I18nContextProvider value={polyglotI18nProvider(() => messages, language)}>{element}</I18nContextProvider>,
  );
  const text = container.textContent;
  unmount();
  return text;
};
const textOf = (language: Language, age: number) =>
  renderText(language, <RelativeTime value={instantBefore(age)} isOngoing />);

test('the time that a state has lasted does not read as if it were over', async () => {
  expect(
    Object.fromEntries(
      await Promise.all(languageCodes.map(async (language) => [language, await textOf(language, 61 * minute)])),
    ),
  ).toEqual({
    en: 'for 1 hour',
    de: 'seit 1 Stunde',
    fr: 'depuis 1 heure',
    it: 'da 1 ora',
    pl: 'od 1 godziny',
    sv: 'i 1 timme',
  });
  expect(await textOf('de', 3 * 24 * 60 * minute)).toBe('seit 3 Tagen');
  expect(await textOf('pl', 5 * minute)).toBe('od 5 minut');
  expect(await textOf('en', 0)).toBe('for less than a minute');
  expect(await textOf('en', -5 * minute)).toBe('for less than a minute');
});

test.each([
  ['alert', 'for 1 hour\u00a0· Werk Köln'],
  ['silent', 'for 1 hour\u00a0· Werk Köln'],
  ['import', '1 hour ago\u00a0· Werk Köln'],
] as const)('a row of the inbox about %s says since when', async (kind, text) => {
  const details = (since: string | null) =>
    renderText('en', <InboxDetails item={{ kind, cause: '', since }} details={['Werk Köln']} />);
  expect(await details(instantBefore(61 * minute))).toBe(text);
  expect(await details(null)).toBe('Werk Köln');
});

test('a row about a due service says when it is due, not how long its alert has been open', async () => {
  const item = { kind: 'alert', cause: 'service_due', since: instantBefore(61 * minute) } as const;
  expect(await renderText('en', <InboxDetails item={item} details={['4 days over', 'Werk Köln']} />)).toBe(
    '4 days over\u00a0· Werk Köln',
  );
});

test('words with hyphens are kept whole, and the text stays the same', () => {
  const text = 'MK14-1931-00596: offline · Süd - Nord, AQ45-1, +1';
  const { container } = render(<WholeWords text={text} />);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll('.sl-whole-word')].map((word) => word.textContent)).toEqual([
    'MK14-1931-00596:',
    'AQ45-1,',
  ]);
});
