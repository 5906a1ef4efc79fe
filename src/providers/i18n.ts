/** react-admin's translations, each language loaded when it is first chosen. */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider } from 'react-admin';
import { isLanguage, type Language, languageCodes } from '../../schema/shared/languages';
import { numbersIn } from '../i18n/format';
import { type Messages, messagesOf } from '../i18n/index';
import { languageName, ownName } from '../i18n/names';
import { session } from './store';

const loaded = new Map<string, Messages>();

/** The texts of a language, fetched once. Rejects when they cannot be fetched. */
export async function loadLanguage(language: Language): Promise<Messages> {
  const messages = loaded.get(language) ?? (await messagesOf(language));
  loaded.set(language, messages);
  return messages;
}

/** Says by itself when the language has changed, so that pages need not be built anew and keep what was typed. */
export interface Languages extends I18nProvider {
  /** Calls back after each change until the returned function is called. */
  subscribe: (changed: () => void) => () => void;
}

/**
 * The provider for `Admin`, starting in `language`. Of two changes in quick succession the last one asked for wins,
 * whichever texts arrive first.
 */
export async function createI18nProvider(language: Language): Promise<Languages> {
  const first = await loadLanguage(language);
  const locales = languageCodes.map((locale) => ({ locale, name: ownName(locale) }));
  // Literal text, such as a message of the server, passes as it is.
  const inner: I18nProvider = polyglotI18nProvider((locale) => loaded.get(locale) ?? first, language, locales, {
    allowMissing: true,
    replace: numbersIn(() => inner.getLocale() as Language),
  });
  let wanted: string = language;
  const listeners = new Set<() => void>();
  document.documentElement.lang = language;

  return {
    ...inner,
    async changeLocale(locale) {
      if (!isLanguage(locale)) return;
      wanted = locale;
      await loadLanguage(locale);
      if (wanted !== locale) return;
      await inner.changeLocale(locale);
      document.documentElement.lang = locale;
      session.set({ lang: locale });
      for (const changed of listeners) changed();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

/**
 * The interface language that a language of the user token names, `{ name: 'German' }`; `undefined` for one the
 * interface does not speak.
 */
export const spoken = ({ name }: { name: string }): Language | undefined =>
  languageCodes.find((code) => name === ownName(code) || name === languageName(code, 'en'));
